"""The PyTorch twin of command-queue: small kernels launched one by one, and the same as a CUDA graph.

For each width n, 64 products c += a @ b of n x n matrices a step:

  eagerUs    a kernel and the gap after it, each launched by itself (device clock)
  graphUs    the same, all 64 launched by one call of graph.replay()
  launchUs   the host's time of one launch, nothing awaited
  replayUs   the host's time of one graph.replay(), over the 64 kernels in it
  kernelUs   the kernel by itself, as torch.profiler timed it

`optimizer`: one update of TENSORS tensors of ELEMENTS numbers, p = p * (1 - DECAY) - RATE * p.grad, ms by the host's clock, of UPDATES in a row:

  loopMs     two launches a tensor: p.mul_() and p.add_()
  foreachMs  torch._foreach_mul_() and torch._foreach_add_(), what optimizers use on CUDA by default
  graphMs    the loop as one CUDA graph

Medians with 90 % intervals, microseconds where no other unit is named. The first width is the lesson's. c is checked against float64, eager and graph alike.

python3 command_queue.py [--out torch-command-queue.json]
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import check, device_ms, interval, keep_busy, rounds, synchronize, write
from torch.profiler import ProfilerActivity, profile

KERNELS = 64
STEPS = 16
WIDTHS = (64, 256, 512, 1024, 2048)
TENSORS, ELEMENTS = 200, 64 * 64
DECAY, RATE = 1e-2, 1e-3
UPDATES = 50

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-command-queue.json")
arguments = parser.parse_args()
device = torch.device("cuda")
torch.manual_seed(1)
keep_busy(device, 0.5)


def queued_us(work: Callable[[], object]) -> float:
    """The device's time of a kernel and the gap after it, among STEPS steps that are queued."""
    return device_ms(work, STEPS, device) * 1e3 / KERNELS


def host_us(work: Callable[[], object]) -> float:
    """The host's time of a kernel: the calls alone, from an empty queue."""
    synchronize(device)
    start = perf_counter()
    work()
    took = perf_counter() - start
    synchronize(device)
    return took * 1e6 / KERNELS


def kernel_us(step: Callable[[], object]) -> list[float]:
    """Every kernel of a step, by torch.profiler."""
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        step()
        synchronize(device)
    return [
        event.time_range.elapsed_us()
        for event in profiler.events()
        if event.device_type == torch.autograd.DeviceType.CUDA and "gemm" in event.name.lower()
    ]


def point(n: int) -> dict[str, object]:
    a, b = (torch.randn(n, n, device=device) for _ in range(2))
    c = torch.zeros(n, n, device=device)

    def step() -> None:
        for _ in range(KERNELS):
            c.addmm_(a, b)  # launches a kernel and returns

    step()  # the library picks a kernel
    synchronize(device)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    for launch in (step, graph.replay):
        c.zero_()
        launch()
        synchronize(device)
        check(f"n = {n}", c / KERNELS, a, b)

    times = rounds(
        {
            "eagerUs": lambda: queued_us(step),
            "graphUs": lambda: queued_us(graph.replay),
            "launchUs": lambda: host_us(step),
            "replayUs": lambda: host_us(graph.replay),
        },
        at_least=9,
        at_most=25,
        seconds=4,
    )
    kernels = kernel_us(step)
    found = {name: interval(values) for name, values in times.items()}
    if kernels:
        found["kernelUs"] = interval(kernels)
    print(f"n {n}: " + ", ".join(f"{name} {value['median']:.2f}" for name, value in found.items()))
    return {"n": n, **found}


def optimizer() -> dict[str, object]:
    generator = torch.Generator(device).manual_seed(1)

    def tensors(count: int) -> list[torch.Tensor]:
        return [torch.randn(ELEMENTS, device=device, generator=generator) for _ in range(count)]

    start, gradients = tensors(TENSORS), tensors(TENSORS)
    copies = {way: [each.clone() for each in start] for way in ("loopMs", "foreachMs", "graphMs")}

    def loop(parameters: list[torch.Tensor]) -> None:
        for p, grad in zip(parameters, gradients):
            p.mul_(1 - DECAY)
            p.add_(grad, alpha=-RATE)

    def foreach() -> None:
        torch._foreach_mul_(copies["foreachMs"], 1 - DECAY)
        torch._foreach_add_(copies["foreachMs"], gradients, alpha=-RATE)

    graph = torch.cuda.CUDAGraph()
    synchronize(device)
    with torch.cuda.graph(graph):
        loop(copies["graphMs"])
    ways = {"loopMs": lambda: loop(copies["loopMs"]), "foreachMs": foreach, "graphMs": graph.replay}
    for way, update in ways.items():
        for p, first in zip(copies[way], start):
            p.copy_(first)
        update()
        for p, first, grad in zip(copies[way], start, gradients):
            expected = first.double() * (1 - DECAY) - RATE * grad.double()
            assert (p.double() - expected).abs().max() < 1e-6, f"{way}: another update"
    synchronize(device)

    def update_ms(update: Callable[[], object]) -> float:
        synchronize(device)
        begun = perf_counter()
        for _ in range(UPDATES):
            update()
        synchronize(device)
        return (perf_counter() - begun) * 1e3 / UPDATES

    times = rounds({way: lambda update=update: update_ms(update) for way, update in ways.items()}, 9, 25, 4)
    found = {way: interval(values) for way, values in times.items()}
    print("optimizer: " + ", ".join(f"{way} {value['median']:.4f}" for way, value in found.items()))
    return {"tensors": TENSORS, "elements": ELEMENTS, **found}


optimized = optimizer()
write(arguments.out, device, {"optimizer": optimized, "kernels": KERNELS, "steps": STEPS, "points": [point(n) for n in WIDTHS]})
