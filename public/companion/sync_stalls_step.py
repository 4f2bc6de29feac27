"""What `.item()` at the end of a step costs: by the device work of the step, and by the host work that follows the read.

A step launches `launches` kernels (x.add_(1), long enough to take about kernelUs each), reads x[0].item() or does not, and then
keeps the host busy for hostMs, as a loader and a logger would. Nothing else makes the host wait.

  readMs    a step that ends its launches with .item()
  freeMs    the same step without it
  deviceMs  D: the launches of a step, queued behind other work, so that no launch is late
  launchMs  L: the host's time for these launches, from an empty queue
  spunMs    H: the host work as it was
  waitMs    the host inside .item()

readMs, freeMs and deviceMs are between CUDA events, one behind each step's launches; the first WARM_UP steps of a window are not
measured. A value is the median of REPEATS windows, which take turns; low and high are the lowest and the highest of them, but for
waitMs, whose interval holds the median of all steps with 90 %. x is counted up exactly: each window is checked.

The model: with the read, nothing overlaps but the launches, max(L, D) + H. Without it the longer one sets the pace, max(L + H, D).
`gain` is readMs / freeMs. Without launches, L = 0, the model's gain is `bound`, (H + D) / max(H, D): 2 where H equals D, and less elsewhere.
`model` has the largest distance of measured values from the model, as a share of it (readOffRatio, freeOffRatio, gainOffRatio), by how much
the largest gain above its bound lies above it (overBoundRatio), and the largest gain of all points with its bound. On an H200 of 2026-11-29
read and free were within 11 %, the largest gain was 1.85 of 2, and gains above the bound (steps of 0.2 ms, where the read's own 0.02 ms
count) lay 10 % above it at most.

`headline` is one step of 250 launches. Its busy ratios are deviceMs / readMs and so on: the share of a step for which kernels run.
lateMs is the step whose number stays on the GPU as a copy, and is read after the window.

python3 sync_stalls_step.py [--out torch-sync-stalls-step.json]
"""

import argparse
from functools import partial
from statistics import median
from time import perf_counter

import torch
from measuring import Interval, interval, keep_busy, rounds, write

SHAPES = (20, 10), (50, 10), (50, 20), (100, 20), (100, 50), (100, 100)  # launches, kernelUs: D from 0.2 to 10 ms
HOST_MS = 0, 0.2, 0.5, 1, 2, 3.5, 5, 10
HEADLINE = 250, 20, 3.5
WARM_UP, REPEATS, WINDOW_MS = 3, 5, 60.0
AHEAD_N = 4096  # 2.7 ms a product on an H200

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-sync-stalls-step.json")
arguments = parser.parse_args()
device = torch.device("cuda")
ahead = [torch.ones(AHEAD_N, AHEAD_N, device=device) for _ in range(2)]
product = torch.empty_like(ahead[0])
# The first call of each loads its kernel, which takes longer than what is queued ahead.
torch.mm(*ahead, out=product)
torch.zeros(1, device=device).add_(1)
torch.cuda.synchronize()


def event() -> torch.cuda.Event:
    made = torch.cuda.Event(enable_timing=True)
    made.record()
    return made


def queued_ms(x: torch.Tensor, launches: int) -> float:
    """D: what the device takes for the launches of a step, behind as many products as outlast these launches."""
    for products in (4, 8, 16, 32, 64):
        for _ in range(products):
            torch.mm(*ahead, out=product)
        start = event()
        for _ in range(launches):
            x.add_(1)
        end = event()
        was_queued = not start.query()
        torch.cuda.synchronize()
        if was_queued:
            return start.elapsed_time(end)
    raise RuntimeError("the device was faster than the launches: nothing was queued")


def launch_ms(x: torch.Tensor, launches: int) -> float:
    """L: the host's time for them."""
    torch.cuda.synchronize()
    begun = perf_counter()
    for _ in range(launches):
        x.add_(1)
    took = perf_counter() - begun
    torch.cuda.synchronize()
    return took * 1e3


def tensor_for(kernel_us: float) -> torch.Tensor:
    """As large as makes x.add_(1) take that long."""
    count = 2**20
    for _ in range(12):
        x = torch.zeros(count, device=device)
        queued_ms(x, 20)
        count = max(1, round(count * kernel_us * 20 / 1e3 / queued_ms(x, 20)))
    return torch.zeros(count, device=device)


def spin(ms: float) -> float:
    """Host work: the thread computes, and waits for nothing."""
    begun = perf_counter()
    while (took := (perf_counter() - begun) * 1e3) < ms:
        pass
    return took


def window(x: torch.Tensor, launches: int, host_ms: float, steps: int, read: str, waits: list[float], spun: list[float]) -> float:
    """ms of a step."""
    x.zero_()
    ends, losses = [], []
    for _ in range(WARM_UP + steps):
        for _ in range(launches):
            x.add_(1)
        ends.append(event())
        if read == "item":
            begun = perf_counter()
            losses.append(x[0].item())
            waits.append((perf_counter() - begun) * 1e3)
        elif read == "late":
            losses.append(x[0].clone())
        spun.append(spin(host_ms))
    torch.cuda.synchronize()
    total = launches * (WARM_UP + steps)
    assert x[0].item() == x[-1].item() == total, "launches are missing"
    counted = [launches * step for step in range(1, WARM_UP + steps + 1)] if losses else []
    assert [float(loss) for loss in losses] == counted, "a read gave another step's number"
    return ends[WARM_UP - 1].elapsed_time(ends[-1]) / steps


def share(part: float, of: Interval) -> Interval:
    return {"median": part / of["median"], "low": part / of["high"], "high": part / of["low"]}


def measure(x: torch.Tensor, launches: int, kernel_us: float, host_ms: float, late: bool = False) -> dict[str, object]:
    waits: list[float] = []
    spun: list[float] = []
    near_ms = launches * kernel_us / 1e3 + host_ms
    steps = min(40, max(6, round(WINDOW_MS / near_ms)))
    step = partial(window, x, launches, host_ms, steps, waits=waits, spun=spun)
    works = {
        "readMs": lambda: step("item"),
        "freeMs": lambda: step("none"),
        "deviceMs": lambda: queued_ms(x, launches),
        "launchMs": lambda: launch_ms(x, launches),
    } | ({"lateMs": lambda: step("late")} if late else {})
    found = {name: interval(times) for name, times in rounds(works, REPEATS, REPEATS, 0).items()}
    read, free, d = (found[name]["median"] for name in ("readMs", "freeMs", "deviceMs"))
    h = median(spun)
    return {
        "launches": launches,
        "kernelUs": kernel_us,
        "hostMs": host_ms,
        **found,
        "spunMs": interval(spun),
        "waitMs": interval(waits[WARM_UP + steps :]),
        "gain": {key: found["readMs"][key] / found["freeMs"][other] for key, other in (("median", "median"), ("low", "high"), ("high", "low"))},
        "bound": (h + d) / max(h, d),
    }


keep_busy(device, 0.5)
points = []
for launches, kernel_us in SHAPES:
    x = tensor_for(kernel_us)
    for host_ms in HOST_MS:
        points.append(measure(x, launches, kernel_us, host_ms))
        of_it = {name: value["median"] if isinstance(value, dict) else value for name, value in points[-1].items()}
        print(", ".join(f"{name} {value:.4g}" for name, value in of_it.items()))

headline = measure(tensor_for(HEADLINE[1]), *HEADLINE, late=True)
for name in ("read", "free", "late"):
    headline[f"{name}BusyRatio"] = share(headline["deviceMs"]["median"], headline[f"{name}Ms"])
print("headline:", headline)

off: dict[str, float] = {}
for each in points:
    read, free, d, lost, h = (each[name]["median"] for name in ("readMs", "freeMs", "deviceMs", "launchMs", "spunMs"))
    models = {"read": (read, max(lost, d) + h), "free": (free, max(lost + h, d)), "gain": (read / free, (max(lost, d) + h) / max(lost + h, d))}
    for name, (measured, modelled) in models.items():
        if abs(measured / modelled - 1) > abs(off.get(name, 0)):
            off[name] = measured / modelled - 1
most = max(points, key=lambda each: each["gain"]["median"])
over = max(each["gain"]["median"] / each["bound"] - 1 for each in points)
model = {f"{name}OffRatio": value for name, value in off.items()} | {
    "overBoundRatio": over,
    "mostGain": most["gain"]["median"],
    "mostGainBound": most["bound"],
}
print("model:", model)
write(arguments.out, device, {"headline": headline, "model": model, "points": points})
