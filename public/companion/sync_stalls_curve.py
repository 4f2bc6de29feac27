"""What `.item()` after each step costs, by the length of the step's kernel: the curve beside the variant of sync-stalls.

For kernel lengths from 0.05 to 10 ms, one product a step and `.item()` after each:

  kernelMs  a product on the device, queued behind others
  waitMs    the host inside .item(), the kernel's own time included
  idleMs    the device between two products: from the end of one to the end of the next, less kernelMs.
            The copy of 4 bytes lies in it. Device clock; null without CUDA
  stepMs    a whole step, by the host's clock

Medians of STEPS steps, milliseconds. Each point's product is checked against float64.

python3 sync_stalls_curve.py [--out torch-sync-stalls-curve.json] [--device cuda]
"""

import argparse
import json
import statistics
import time
from datetime import datetime, timezone

import torch

STEPS = 30
POINTS = 24
SHORTEST_MS, LONGEST_MS = 0.05, 10.0
WARM_UP_MS = 300.0  # a GPU raises its clocks under load

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-sync-stalls-curve.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)


def synchronize() -> None:
    if on_cuda:
        torch.cuda.synchronize()


def operands(n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a, b = (torch.randn(n, n, device=device) for _ in range(2))
    return a, b, torch.zeros(n, n, device=device)


def kernel_ms(n: int, at_least_ms: float) -> float:
    """One product of n³ among many that are queued: by the device's clock where there is CUDA, by the host's without."""
    a, b, c = operands(n)
    c.addmm_(a, b)  # the library picks a kernel
    synchronize()
    count = 4
    while True:
        if on_cuda:
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
        begun = time.perf_counter()
        for _ in range(count):
            c.addmm_(a, b)
        if on_cuda:
            end.record()
        synchronize()
        took = start.elapsed_time(end) if on_cuda else (time.perf_counter() - begun) * 1e3
        if took >= at_least_ms:
            return took / count
        count *= 2


def point(n: int) -> dict[str, float | int | None]:
    own_ms = kernel_ms(n, WARM_UP_MS)
    a, b, c = operands(n)
    corner = c[0, 0]
    ends = [torch.cuda.Event(enable_timing=True) for _ in range(STEPS)] if on_cuda else []
    for _ in range(3):  # warm-up
        c.addmm_(a, b)
        corner.item()
    c.zero_()
    synchronize()
    waits, stamps = [], [time.perf_counter()]
    for step in range(STEPS):
        c.addmm_(a, b)  # launches a kernel and returns
        if on_cuda:
            ends[step].record()
        before = time.perf_counter()
        corner.item()  # the host goes no further until the value is here
        stamps.append(time.perf_counter())
        waits.append((stamps[-1] - before) * 1e3)
    synchronize()

    expected = STEPS * (a[:1].double() @ b.double())
    error = ((c[:1].double() - expected).abs().max() / expected.abs().max()).item()
    assert error < 1e-4, f"n = {n}: off by {error:.1e}"
    between_ends = [first.elapsed_time(second) for first, second in zip(ends, ends[1:])]
    return {
        "n": n,
        "kernelMs": own_ms,
        "waitMs": statistics.median(waits),
        "idleMs": statistics.median(between_ends) - own_ms if on_cuda else None,
        "stepMs": statistics.median((end - start) * 1e3 for start, end in zip(stamps, stamps[1:])),
    }


def sizes() -> list[int]:
    """Multiples of 32 whose product takes about the wanted times, by the rate measured with one near each."""
    found = []
    n = 1024 if on_cuda else 128
    for index in range(POINTS):
        wanted_ms = SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** (index / (POINTS - 1))
        for _ in range(2):  # the rate changes with the size
            n = max(32, round(n * (wanted_ms / kernel_ms(n, 20.0)) ** (1 / 3) / 32) * 32)
        if n not in found:
            found.append(n)
    return found


name = torch.cuda.get_device_name() if on_cuda else "cpu"
points = []
for n in sizes():
    points.append(point(n))
    figures = ", ".join(f"{key} {value:.3f}" for key, value in points[-1].items() if isinstance(value, float))
    print(f"n {n}: {figures}")
curve = {
    "device": name,
    "torch": torch.__version__,
    "cuda": torch.version.cuda,
    "date": datetime.now(timezone.utc).date().isoformat(),
    "steps": STEPS,
    "points": points,
}
with open(arguments.out, "w") as file:
    json.dump(curve, file, indent=1)
    file.write("\n")
print(f"written: {arguments.out}")
