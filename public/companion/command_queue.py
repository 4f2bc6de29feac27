"""The PyTorch twin of command-queue: small kernels launched one by one, and the same as a CUDA graph.

For each width n, 64 products c += a @ b of n x n matrices a step:

  eagerUs    a kernel and the gap after it, each launched by itself (device clock)
  graphUs    the same, all 64 launched by one call of graph.replay()
  launchUs   the host's time of one launch, nothing awaited
  replayUs   the host's time of one graph.replay(), over the 64 kernels in it
  kernelUs   the kernel by itself, as torch.profiler timed it

Medians with 90 % intervals, microseconds. The first width is the lesson's. c is checked against float64, eager and graph alike.

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


write(arguments.out, device, {"kernels": KERNELS, "steps": STEPS, "points": [point(n) for n in WIDTHS]})
