import statistics
import time
from collections.abc import Callable

import torch

device = torch.device("cuda")


def seconds(copies: Callable[[], object]) -> float:
    """Until the host knows that all bytes are there: the median of ten runs, after one to warm up."""
    times = []
    for _ in range(11):
        torch.cuda.synchronize()
        start = time.perf_counter()
        copies()
        torch.cuda.synchronize()  # the host waits for the end
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


for memory in ("pageable", "pinned"):
    for kib in (4, 64, 1024, 4 * 1024, 16 * 1024, 64 * 1024):
        host = torch.ones(kib * 256, pin_memory=memory == "pinned")  # 256 floats are 1 KiB
        there = torch.ones(kib * 256, device=device)
        for way, to, source in (("up", there, host), ("down", host, there)):
            took = seconds(lambda: to.copy_(source, non_blocking=True))
            print(f"{memory} {way}, {kib:>6} KiB: {took * 1e6:8.1f} µs, {kib * 1024 / took / 1e9:5.1f} GB/s")

# The same bytes at once, in 64 pieces, and in 64 awaited pieces.
parts = torch.ones(64, 4096, pin_memory=True)
target = torch.empty(64, 4096, device=device)


def whole() -> None:
    target.copy_(parts, non_blocking=True)


def pieces() -> None:
    for k in range(64):
        target[k].copy_(parts[k], non_blocking=True)


def pieces_awaited() -> None:
    for k in range(64):
        target[k].copy_(parts[k], non_blocking=True)
        torch.cuda.synchronize()


for variant in (whole, pieces, pieces_awaited):
    print(f"{variant.__name__}: {seconds(variant) * 1e3:.2f} ms")
