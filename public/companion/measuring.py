"""What the scripts that write JSON share: medians with intervals, the check against float64, and the JSON with its origin."""

import json
import platform
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from math import comb
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

import torch

Interval = dict[str, float]
Key = TypeVar("Key")


def interval(values: list[float]) -> Interval:
    """The median, and the order statistics that hold the true median with 90 %; lowest and highest where 90 % is out of reach.

    The k-th smallest and the k-th largest of n samples hold it with 1 - 2 P(Binomial(n, 1/2) <= k - 1).
    """
    ordered = sorted(values)
    count, rank, tail = len(ordered), 1, 0.0
    for k in range(1, (count + 1) // 2 + 1):
        tail += comb(count, k - 1) / 2**count
        if k > 1 and 1 - 2 * tail < 0.9:
            break
        rank = k
    return {"median": median(ordered), "low": ordered[rank - 1], "high": ordered[count - rank]}


def synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def host_ms(work: Callable[[], object], device: torch.device) -> float:
    """`work`, which waits for its own end, by the host's clock; nothing is queued before it."""
    synchronize(device)
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1e3


def device_ms(work: Callable[[], object], count: int, device: torch.device) -> float:
    """One of `count` that are queued: by the device's clock where there is CUDA, by the host's without."""
    if device.type != "cuda":
        return host_ms(lambda: [work() for _ in range(count)], device) / count
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        work()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / count


def rounds(
    works: Mapping[Key, Callable[[], float]], at_least: int, at_most: int, seconds: float
) -> dict[Key, list[float]]:
    """All of `works` in turn, once unmeasured and then at_least to at_most times, until `seconds` have passed."""
    for work in works.values():
        work()
    times: dict[Key, list[float]] = {name: [] for name in works}
    begun = perf_counter()
    for index in range(at_most):
        if index >= at_least and perf_counter() - begun > seconds:
            break
        for name, work in works.items():
            times[name].append(work())
    return times


def keep_busy(device: torch.device, seconds: float) -> None:
    """A GPU raises its clocks under load."""
    a = torch.ones(512, 512, device=device)
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        for _ in range(16):
            torch.mm(a, a)
        synchronize(device)


def check(what: str, got: torch.Tensor, a: torch.Tensor, b: torch.Tensor, tolerance: float = 1e-4) -> None:
    """The first and the last row of a @ b against float64, relative to the largest expected entry."""
    rows = [0, a.shape[0] - 1]
    expected = a[rows].double().cpu() @ b.double().cpu()
    error = ((got[rows].double().cpu() - expected).abs().max() / expected.abs().max()).item()
    assert error < tolerance, f"{what}: off by {error:.1e}"


def processor() -> str:
    """The CPU's name where Linux has it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write(out: str, device: torch.device, figures: Mapping[str, object]) -> None:
    recorded = {
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
        "cpu": processor(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "date": datetime.now(timezone.utc).date().isoformat(),
        **figures,
    }
    Path(out).write_text(json.dumps(recorded, indent=1) + "\n")
    print(f"written: {out}")
