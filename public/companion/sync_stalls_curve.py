"""What `.item()` after each step costs, by the length of the step's kernel: the curve beside the variant of sync-stalls.

For products of each of SIZES, 0.01 to 9 ms on an H200, one a step and `.item()` after each:

  kernelMs  a product on the device, one of many that are queued behind other work: the host's launches hold none of them up.
            Device clock; without CUDA the host's
  waitMs    the host inside .item(), the kernel's own time included
  idleMs    the device between two products: from the end of one to the end of the next, less kernelMs.
            The copy of 4 bytes lies in it. Device clock; null without CUDA
  stepMs    a whole step, by the host's clock

Medians of STEPS steps, milliseconds. `half` is the n whose product computes for nearest to half of the time, kernelMs / (kernelMs +
idleMs). Each point's product is checked against float64.

python3 sync_stalls_curve.py [--out torch-sync-stalls-curve.json] [--device cuda] [--most-n 6144]
"""

import argparse
import json
import statistics
import time
from datetime import datetime, timezone

import torch

STEPS = 60
# Near 0.01, 0.015, 0.02, 0.03, 0.05 ms and so on; the sizes stay the same, so that a figure can be quoted by its n.
SIZES = (256, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960, 1056, 1152, 1312, 1472, 1696, 2048, 2336, 2592, 2976, 3264, 3680, 4128, 4544)
SIZES += 5280, 6144
AHEAD_N = 4096  # 2.7 ms a product on an H200
WARM_UP_MS = 200.0  # a GPU raises its clocks under load

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-sync-stalls-curve.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument("--most-n", type=int, default=SIZES[-1])
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


def kernel_ms(n: int) -> float:
    """One product of n³ among many that are queued, by the device's clock. Median of the bursts that WARM_UP_MS has room for."""
    a, b, c = operands(n)
    c.addmm_(a, b)  # the library picks a kernel
    synchronize()
    if not on_cuda:
        begun = time.perf_counter()
        for _ in range(4):
            c.addmm_(a, b)
        return (time.perf_counter() - begun) * 1e3 / 4
    ahead = operands(AHEAD_N)
    count = 200 if n < 1500 else 8  # 200 launches take the host less than the work ahead takes the device
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times: list[float] = []
    begun = time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begun < WARM_UP_MS / 1e3:
        for _ in range(4):
            ahead[2].addmm_(ahead[0], ahead[1])
        start.record()
        for _ in range(count):
            c.addmm_(a, b)
        end.record()
        assert not start.query(), "the device was faster than the launches: no work was queued"
        synchronize()
        times.append(start.elapsed_time(end) / count)
    return statistics.median(times)


def point(n: int) -> dict[str, float | int | None]:
    own_ms = kernel_ms(n)
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


def computing(point: dict[str, float | int | None]) -> float:
    """The share of the time for which the device computes; without a device clock, the share of a step."""
    return point["kernelMs"] / (point["stepMs"] if point["idleMs"] is None else point["kernelMs"] + point["idleMs"])


name = torch.cuda.get_device_name() if on_cuda else "cpu"
points = []
for n in (n for n in SIZES if n <= arguments.most_n):
    points.append(point(n))
    figures = ", ".join(f"{key} {value:.3f}" for key, value in points[-1].items() if isinstance(value, float))
    print(f"n {n}: {figures}, computing {computing(points[-1]):.2f}")
curve = {
    "device": name,
    "torch": torch.__version__,
    "cuda": torch.version.cuda,
    "date": datetime.now(timezone.utc).date().isoformat(),
    "steps": STEPS,
    "half": min(points, key=lambda each: abs(computing(each) - 0.5))["n"],
    "points": points,
}
with open(arguments.out, "w") as file:
    json.dump(curve, file, indent=1)
    file.write("\n")
print(f"written: {arguments.out}")
