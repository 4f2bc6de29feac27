"""Runs a sample's text and says, line by line, how long the host was in it and what the device did meanwhile.

A trace function takes the host's time at each line of the text, without the lines of functions that it calls; torch.profiler records the
device. Ranges of the profiler, entered and left at known times, put both on one clock, to about a microsecond. Both cost the host a few microseconds
a line and a call: what is kept are counts and shares that do not hang on that.
"""

import json
import sys
import tempfile
from bisect import bisect_left, bisect_right
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from types import CodeType, FrameType

import torch
from torch.profiler import ProfilerActivity, profile, record_function

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset"}
WAITS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize", "cuStreamSynchronize", "cuCtxSynchronize")
PINS = ("cudaHostAlloc", "cudaHostRegister", "cudaMallocHost", "cuMemHostAlloc", "cuMemHostRegister")
CLOCK = "samples: clock"
COUNTS = ("launched", "launches", "waits", "pins", "returnedBefore", "doneAfter")
Span = tuple[float, float]


def now_us() -> float:
    return perf_counter_ns() / 1e3


class Lines:
    """Of each time that a line of one file was run: its spans, microseconds of perf_counter."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.runs: list[tuple[int, list[Span]]] = []
        self.open: list[int] = []  # of each frame the run that is under way, or -1
        self.since = 0.0

    def pause(self, now: float) -> None:
        if self.open and self.open[-1] >= 0:
            self.runs[self.open[-1]][1].append((self.since, now))

    def trace(self, frame: FrameType, event: str, _: object) -> object:
        if frame.f_code.co_filename != self.filename:
            return None
        now = now_us()
        if event == "call":
            self.pause(now)
            self.open.append(-1)
        elif event == "line":
            self.pause(now)
            self.runs.append((frame.f_lineno, []))
            self.open[-1] = len(self.runs) - 1
        elif event == "return":
            self.pause(now)
            self.open.pop()
        self.since = now_us()
        return self.trace


def union(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def shared(spans: list[Span], with_these: list[Span]) -> float:
    """How long `spans` run beside `with_these`, which is a union."""
    starts = [start for start, _ in with_these]
    total = 0.0
    for start, end in spans:
        at = max(0, bisect_right(starts, start) - 1)
        while at < len(with_these) and with_these[at][0] < end:
            total += max(0.0, min(end, with_these[at][1]) - max(start, with_these[at][0]))
            at += 1
    return total


def length(spans: list[Span]) -> float:
    return sum(end - start for start, end in spans)


def events_of(profiler: profile, clock: list[tuple[float, float, float]]) -> list[dict[str, object]]:
    """The profiler's events, their times on perf_counter's axis."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(file))
        events = [each for each in json.loads(file.read_text())["traceEvents"] if each.get("ph") == "X"]
    marks = sorted((each["ts"], each["ts"] + each["dur"]) for each in events if each["name"] == CLOCK)
    # Each mark begins between the first two of its three times, and ends between the last two.
    least = max(each for (start, end), (_, inside, after) in zip(marks, clock, strict=True) for each in (start - inside, end - after))
    most = min(each for (start, end), (before, inside, _) in zip(marks, clock, strict=True) for each in (start - before, end - inside))
    offset = (least + most) / 2
    for each in events:
        each["ts"] -= offset
        each["end"] = each["ts"] + each["dur"]
    return events


def figures(lines: Lines, events: list[dict[str, object]]) -> dict[str, object]:
    """Of each line: how many times it ran, ms in it, and of these with the device busy. Device work that it launched, waits and calls that
    pin memory. Runs that launched something, those of them that ended before it did (`returnedBefore`), and runs at whose end nothing that
    had been launched was unfinished (`doneAfter`)."""
    calls = sorted((each for each in events if str(each.get("cat", "")).startswith("cuda_")), key=lambda each: each["ts"])
    launches = {each["args"]["correlation"]: each["ts"] for each in calls if "correlation" in each.get("args", {})}
    on_device = [each for each in events if each.get("cat") in DEVICE]
    queued = sorted((launches.get(each["args"].get("correlation"), each["ts"]), each["end"]) for each in on_device)
    begun = [start for start, _ in queued]
    latest = []
    for _, end in queued:
        latest.append(max(end, latest[-1] if latest else end))
    kernels = union([(each["ts"], each["end"]) for each in on_device if each["cat"] == "kernel"])
    copies = [(each["ts"], each["end"]) for each in on_device if each["cat"] == "gpu_memcpy"]
    busy = union([(each["ts"], each["end"]) for each in on_device])
    pins = [each["ts"] for each in calls if str(each["name"]).startswith(PINS)]
    waits = [each["ts"] for each in calls if str(each["name"]).startswith(WAITS)]

    def within(times: list[float], spans: list[Span]) -> list[int]:
        return [at for start, end in spans for at in range(bisect_left(times, start), bisect_right(times, end))]

    found: dict[int, dict[str, object]] = {}
    of_line: dict[int, list[float]] = {}
    for number, spans in lines.runs:
        if not spans:
            continue
        line = found.setdefault(number, {"busyMs": 0.0} | dict.fromkeys(COUNTS, 0))
        of_line.setdefault(number, []).append(length(spans) / 1e3)
        line["busyMs"] += shared(spans, busy) / 1e3
        end = spans[-1][1]
        own = within(begun, spans)
        line["launches"] += len(own)
        line["waits"] += len(within(waits, spans))
        line["pins"] += len(within(pins, spans))
        line["launched"] += bool(own)
        line["returnedBefore"] += bool(own) and max(queued[at][1] for at in own) > end
        before = bisect_right(begun, end)
        line["doneAfter"] += before == 0 or latest[before - 1] <= end
    for number, line in found.items():
        times = of_line[number]
        line |= {"runs": len(times), "ms": round(sum(times), 4), "medianMs": round(median(times), 4), "busyMs": round(line["busyMs"], 4)}
    span = busy[-1][1] - busy[0][0] if busy else 0.0
    kinds: dict[str, int] = {}
    for each in on_device:
        if each["cat"] == "gpu_memcpy":
            kinds[str(each["name"])] = kinds.get(str(each["name"]), 0) + 1
    return {
        "lines": {str(number): found[number] for number in sorted(found)},
        "onDevice": {
            "spanMs": round(span / 1e3, 4),
            "busyMs": round(length(busy) / 1e3, 4),
            "kernelMs": round(length(kernels) / 1e3, 4),
            "copyMs": round(length(copies) / 1e3, 4),
            "copyBesideKernelMs": round(shared(copies, kernels) / 1e3, 4),
            "kernels": sum(each["cat"] == "kernel" for each in on_device),
            "copies": kinds,
            "waits": len(waits),
        },
    }


def profiler() -> profile:
    on_cuda = torch.cuda.is_available()
    return profile(activities=[ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * on_cuda)


def synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def warm_up() -> None:
    """The profiler is started once: its first start takes a second or more."""
    with profiler():
        synchronize()


def measured(code: CodeType, filename: str, names: dict[str, object]) -> dict[str, object]:
    lines = Lines(filename)
    clock = []
    with profiler() as recording:
        for _ in range(50):
            before = now_us()
            with record_function(CLOCK):
                inside = now_us()
            clock.append((before, inside, now_us()))
        sys.settrace(lines.trace)
        try:
            exec(code, names)
        finally:
            sys.settrace(None)
        synchronize()
    return figures(lines, events_of(recording, clock))
