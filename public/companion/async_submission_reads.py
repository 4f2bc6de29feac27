"""When a read pays for work that was queued before, and what it costs to bring a tensor to the CPU. The reader's side of async-submission.

One product of n = 4096 is `c = a @ b`:

  callUs          the host's time of the call, from an empty queue
  kernelMs        the product on the device, by CUDA events round 20 that are queued
  queued          `count` products, and one number read: callsMs the calls together, readMs the next line, c[0, 0].item(), deviceMs
                  the products by CUDA events. readAfterSyncUs is the same line behind 100 products and torch.cuda.synchronize()
  hundred         the same with 100 products
  launchQueue     tiny launches, x.add_(1), behind a kernel of sleepMs: `depth` of them return before one blocks; launchUs is a call before that.
                  blockedUs is a call of a product of kernelUs while the queue is full

`points`: a tensor of so many KiB, nothing queued before, ms by the host's clock:

  firstMs         x.cpu(), the first of the size in a process: one value from each of PROCESSES
  cpuMs, toMs     x.cpu() and x.to("cpu") later: each allocates its result, and frees the one before
  keptMs          x.cpu() while the results before are all kept
  copyMs          y.copy_(x) into ordinary memory that was written before
  pinnedMs        y.copy_(x, non_blocking=True) into pinned memory, and one wait

Medians with intervals (measuring.py): low and high hold the true median with 90 %, or are the lowest and the highest of few. What was
copied is compared word by word, products with float64.

python3 async_submission_reads.py [--out torch-async-submission.json]
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import check, device_ms, host_ms, interval, keep_busy, rounds, synchronize, write

N = 4096
FEW, MANY = 100, 1000
KIB = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144)
REPEATS = 5, 51  # at least, at most
SECONDS = 0.5  # for each size
KEPT = 4
PROCESSES = 5
SLEEP_CYCLES = 4 * 10**8  # about 0.2 s
BLOCKED_N = 2880  # about 1 ms on an H200

FIRST = "--first"
parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-async-submission.json")
parser.add_argument(FIRST, action="store_true", help="used by the script itself")
arguments = parser.parse_args()
device = torch.device("cuda")
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32


def words(kib: int) -> torch.Tensor:
    return torch.arange(kib * 256, dtype=torch.int32, device=device)  # 256 words are 1 KiB


def first_calls() -> list[float]:
    """The context, and a copy of another kind, come before: it is the memory of each size that is new."""
    torch.ones(1, device=device).item()
    found, kept = [], []
    for kib in KIB:
        x = words(kib)
        found.append(host_ms(lambda: kept.append(x.cpu()), device))
    return found


def point(kib: int, first: list[float]) -> dict[str, object]:
    x = words(kib)
    got: dict[str, torch.Tensor] = {}
    kept: list[torch.Tensor] = []
    touched = torch.zeros_like(x, device="cpu")
    pinned = torch.zeros(x.shape, dtype=x.dtype, pin_memory=True)

    def called(name: str, call: Callable[[], torch.Tensor]) -> Callable[[], float]:
        def work() -> None:
            got[name] = call()

        def timed() -> float:
            got.pop(name, None)  # freed before, and not in the time
            return host_ms(work, device)

        return timed

    def keeping() -> float:
        if len(kept) == KEPT:
            kept.clear()
        return host_ms(lambda: kept.append(x.cpu()), device)

    works = {
        "cpuMs": called("cpu", x.cpu),
        "toMs": called("to", lambda: x.to("cpu", copy=True)),
        "keptMs": keeping,
        "copyMs": lambda: host_ms(lambda: touched.copy_(x), device),
        "pinnedMs": lambda: host_ms(lambda: (pinned.copy_(x, non_blocking=True), synchronize(device)), device),
    }
    times = rounds(works, *REPEATS, SECONDS)
    expected = torch.arange(kib * 256, dtype=torch.int32)
    for name, result in (got | {"kept": kept[-1], "copy": touched, "pinned": pinned}).items():
        assert torch.equal(result, expected), f"{name}, {kib} KiB: other words arrived"
    return {"kib": kib, "firstMs": interval(first)} | {name: interval(values) for name, values in times.items()}


def queued(count: int, repeats: int) -> dict[str, object]:
    a, b = (torch.randn(N, N, device=device) for _ in range(2))
    c = a @ b
    times: dict[str, list[float]] = {"callsMs": [], "readMs": [], "deviceMs": [], "readAfterSyncUs": []}
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for synchronizes in (False, True):
        for _ in range(repeats + 1):
            synchronize(device)
            begun = perf_counter()
            start.record()
            for _ in range(FEW if synchronizes else count):
                c = a @ b
            end.record()
            called = perf_counter()
            if synchronizes:
                torch.cuda.synchronize()
            before = perf_counter()
            c[0, 0].item()
            read = perf_counter() - before
            if synchronizes:
                times["readAfterSyncUs"].append(read * 1e6)
            else:
                times["callsMs"].append((called - begun) * 1e3)
                times["readMs"].append(read * 1e3)
                times["deviceMs"].append(start.elapsed_time(end))
    check(f"the last of {count}", c, a, b)
    return {"count": count} | {name: interval(values[1:]) for name, values in times.items()}


def one_call() -> dict[str, object]:
    a, b = (torch.randn(N, N, device=device) for _ in range(2))
    result: list[torch.Tensor] = []

    def call_us() -> float:
        result.clear()
        synchronize(device)
        begun = perf_counter()
        result.append(a @ b)
        return (perf_counter() - begun) * 1e6

    works = {"callUs": call_us, "kernelMs": lambda: device_ms(lambda: a @ b, 20, device)}
    times = rounds(works, 9, 21, 3.0)
    call_us()
    check("one product", result[0], a, b)
    return {"n": N} | {name: interval(values) for name, values in times.items()}


def launch_queue() -> dict[str, object]:
    x = torch.zeros(1, device=device)
    a, b, c = (torch.ones(BLOCKED_N, BLOCKED_N, device=device) for _ in range(3))
    depths, launches, sleeps = [], [], []
    for _ in range(REPEATS[0] + 1):
        x.zero_()
        synchronize(device)
        begun = perf_counter()
        torch.cuda._sleep(SLEEP_CYCLES)
        calls = []
        for _ in range(4096):
            before = perf_counter()
            x.add_(1)
            calls.append(perf_counter() - before)
        synchronize(device)
        sleeps.append((perf_counter() - begun) * 1e3)
        assert x.item() == len(calls), "a launch is missing"
        longest = max(range(len(calls)), key=lambda index: calls[index])  # the first that waits, waits for the rest of the kernel
        depths.append(float(longest))
        launches.append(interval([call * 1e6 for call in calls[:longest]] or [calls[0] * 1e6])["median"])
    kernel_us = device_ms(lambda: torch.mm(a, b, out=c), 20, device) * 1e3
    synchronize(device)
    for _ in range(1200):  # more than the queue holds
        torch.mm(a, b, out=c)
    blocked = []
    for _ in range(200):
        before = perf_counter()
        torch.mm(a, b, out=c)
        blocked.append((perf_counter() - before) * 1e6)
    synchronize(device)
    assert c[0, 0].item() == BLOCKED_N
    return {
        "sleepMs": interval(sleeps[1:]),
        "depth": interval(depths[1:]),
        "launchUs": interval(launches[1:]),
        "kernelUs": kernel_us,
        "blockedUs": interval(blocked),
    }


if arguments.first:
    print(json.dumps(first_calls()))
    sys.exit(0)
alone = [
    json.loads(subprocess.run([sys.executable, __file__, FIRST], capture_output=True, text=True, check=True).stdout.splitlines()[-1])
    for _ in range(PROCESSES)
]
keep_busy(device, 0.5)
figures: dict[str, object] = one_call()
figures |= {"queued": queued(MANY, 5), "hundred": queued(FEW, 7), "launchQueue": launch_queue()}
for name, value in figures.items():
    print(name, value)
points = []
for index, kib in enumerate(KIB):
    points.append(point(kib, [first[index] for first in alone]))
    ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
    print(f"{kib:>7} KiB: " + ", ".join(f"{way} {value['median']:.4f}" for way, value in ways.items()))
write(arguments.out, device, figures | {"points": points})
