"""A tensor of random numbers made on the CPU and sent, or made on the GPU: the PyTorch side of tensor-residence.

For each n, STEPS tensors of n float32, one after the other, and one wait at the end:

  onDeviceMs      torch.randn(n, device="cuda")
  pageableMs      torch.randn(n).to("cuda"), from ordinary memory
  pageableOutMs   made in ordinary memory that is used again (out=), then .to("cuda")
  pinnedMs        made in pinned memory (out=), then .to("cuda", non_blocking=True); two buffers, each written again only when its copy has ended
  pinnedNewMs     torch.randn(n, pin_memory=True).to("cuda", non_blocking=True): PyTorch keeps pinned memory that was freed, and gives it out again
  makeMs          torch.randn(n) alone: nothing is sent
  makeOutMs       torch.randn(n, out=) into memory that was written before: nothing is sent
  sendMs          .to("cuda") of a tensor that is there already, from ordinary memory
  shapeMs         as onDeviceMs, and str(x.shape) of each
  dataMs          as onDeviceMs, and x[0].item() of each, which waits
  printMs         as onDeviceMs, and str(x) of each: what print(x) does

A tensor is freed before the next is made, on either side and in all ways; `out=` reuses memory in place of that.

Milliseconds of one tensor by the host's clock. Medians with intervals. CPU and CUDA generators differ, so the numbers are checked for their
mean and variance, and what was sent for being what was made.

python3 tensor_residence.py [--out torch-tensor-residence.json] [--device cuda]
"""

import argparse
from collections.abc import Callable

import torch
from measuring import host_ms, interval, keep_busy, rounds, synchronize, write

STEPS = 8
SIZES = (2**14, 2**16, 2**18, 2**20, 2**21, 2**22, 2**24)
REPEATS = 5, 21  # at least, at most
SECONDS = 2.5  # for each size

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-tensor-residence.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)


def check(what: str, x: torch.Tensor) -> None:
    """Mean 0 and variance 1, each within six standard errors, and on the device that was asked for."""
    count = x.numel()
    assert x.device.type == device.type, f"{what}: on {x.device}"
    values = x.double()
    mean, variance = values.mean().item(), values.var().item()
    assert abs(mean) < 6 / count**0.5, f"{what}: mean {mean:.2e}"
    assert abs(variance - 1) < 6 * (2 / count) ** 0.5, f"{what}: variance {variance:.4f}"


def point(n: int) -> dict[str, object]:
    ready = [torch.randn(n) for _ in range(2)]
    written = [torch.zeros(n) for _ in range(2)]
    pinned = [torch.empty(n, pin_memory=on_cuda) for _ in range(2)]
    copied = [torch.cuda.Event() if on_cuda else None for _ in range(2)]
    last: dict[str, torch.Tensor] = {}

    def repeated(way: str, make: Callable[[int], torch.Tensor]) -> Callable[[], None]:
        def work() -> None:
            for step in range(STEPS):
                last.pop(way, None)
                last[way] = make(step)
            synchronize(device)

        return work

    def by_pinned(step: int) -> torch.Tensor:
        buffer, event = pinned[step % 2], copied[step % 2]
        if event is not None:
            event.synchronize()  # the copy of two steps ago has left the buffer
        torch.randn(n, out=buffer)
        x = buffer.to(device, non_blocking=True)
        if event is not None:
            event.record()
        return x

    def by_out(step: int) -> torch.Tensor:
        return torch.randn(n, out=written[step % 2]).to(device)

    def asked(question: Callable[[torch.Tensor], object]) -> Callable[[int], torch.Tensor]:
        def make(_: int) -> torch.Tensor:
            x = torch.randn(n, device=device)
            question(x)
            return x

        return make

    ways = {
        "onDeviceMs": lambda _: torch.randn(n, device=device),
        "pageableMs": lambda _: torch.randn(n).to(device),
        "pageableOutMs": by_out,
        "pinnedMs": by_pinned,
        "pinnedNewMs": lambda _: torch.randn(n, pin_memory=on_cuda).to(device, non_blocking=True),
        "makeMs": lambda _: torch.randn(n),
        "makeOutMs": lambda step: torch.randn(n, out=written[step % 2]),
        "sendMs": lambda step: ready[step % 2].to(device),
        "shapeMs": asked(lambda x: str(x.shape)),
        "dataMs": asked(lambda x: x[0].item()),
        "printMs": asked(str),
    }
    works = {way: repeated(way, make) for way, make in ways.items()}
    times = rounds(
        {way: lambda work=work: host_ms(work, device) / STEPS for way, work in works.items()}, *REPEATS, SECONDS
    )
    for way, x in last.items():
        if way not in ("makeMs", "makeOutMs"):
            check(f"{way}, n = {n}", x)
    assert torch.equal(last["pinnedMs"].cpu(), pinned[(STEPS - 1) % 2]), f"pinnedMs, n = {n}: another tensor arrived"
    assert torch.equal(last["sendMs"].cpu(), ready[(STEPS - 1) % 2]), f"sendMs, n = {n}: another tensor arrived"
    return {"n": n, "steps": STEPS} | {way: interval(values) for way, values in times.items()}


keep_busy(device, 0.5)
points = []
for n in SIZES:
    points.append(point(n))
    ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
    print(f"n {n:>8}: " + ", ".join(f"{way} {value['median']:.4f}" for way, value in ways.items()))
write(arguments.out, device, {"points": points})
