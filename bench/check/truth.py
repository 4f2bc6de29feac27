"""Which lines of loops.py make the host wait, on a real GPU: by PyTorch's own warnings, and by the calls in a profile.

    python bench/check/truth.py truth.json

Every loop runs once to warm up, once with torch.cuda.set_sync_debug_mode("warn"), once under torch.profiler with each line as a range.
"""

import json
import os
import sys
import tempfile
import traceback
import warnings
from collections import Counter

import torch
from torch.profiler import ProfilerActivity, profile, record_function

import loops

FILE = os.path.abspath(loops.__file__)
TEXT = open(FILE).read().split("\n")
WAITS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize")
has_gpu = torch.cuda.is_available()


def line_of_loops():
    """The innermost line of loops.py on the stack: PyTorch's own Python may stand between."""
    for frame in reversed(traceback.extract_stack()):
        if os.path.abspath(frame.filename) == FILE:
            return frame.lineno
    return None


def warned(run):
    counts = Counter()

    def hear(message, category, filename, lineno, file=None, line=None):
        if "synchroniz" in str(message):
            counts[line_of_loops()] += 1

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hear
        if has_gpu:
            torch.cuda.set_sync_debug_mode("warn")
        try:
            run()
        finally:
            if has_gpu:
                torch.cuda.set_sync_debug_mode("default")
    return counts


class LineRanges:
    """sys.settrace: one range of the profiler for each line of loops.py that runs."""

    def __init__(self):
        self.open = []

    def close(self):
        if self.open:
            self.open.pop().__exit__(None, None, None)

    def __call__(self, frame, event, _):
        return self.local if os.path.abspath(frame.f_code.co_filename) == FILE else None

    def local(self, frame, event, _):
        self.close()
        if event == "line":
            range_ = record_function(f"L{frame.f_lineno}")
            range_.__enter__()
            self.open.append(range_)
        return self.local


def profiled(run):
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if has_gpu else [])
    ranges = LineRanges()
    with profile(activities=activities) as prof:
        sys.settrace(ranges)
        try:
            run()
        finally:
            sys.settrace(None)
            ranges.close()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        prof.export_chrome_trace(path)
        events = json.load(open(path))["traceEvents"]
    spans = [event for event in events if event.get("ph") == "X"]
    lines = [
        (event["ts"], event["ts"] + event["dur"], int(event["name"][1:]))
        for event in spans
        if event.get("cat") == "user_annotation" and event["name"][:1] == "L" and event["name"][1:].isdigit()
    ]
    copies = {
        event["args"].get("correlation"): event["name"] for event in spans if event.get("cat") == "gpu_memcpy"
    }
    found = Counter()
    for event in spans:
        if event.get("cat") != "cuda_runtime":
            continue
        name = event["name"]
        if name.startswith("cudaMemcpy"):
            copy = copies.get(event.get("args", {}).get("correlation"), "")
            # The driver's own copies between buffers of the GPU wait for nobody.
            name = f"{name} {copy}" if "ageable" in copy else ""
        elif name not in WAITS and name not in ("cudaMalloc", "cudaFree"):
            name = ""
        inside = [line for begin, end, line in lines if begin <= event["ts"] < end]
        if name and inside:
            found[(inside[-1], name)] += 1
    return found


def main(out):
    result = {"torch": torch.__version__, "device": torch.cuda.get_device_name() if has_gpu else "cpu", "loops": []}
    for run in loops.LOOPS:
        entry = {"loop": run.__name__, "lines": []}
        try:
            torch.manual_seed(0)
            run()
            warns = warned(run)
            calls = profiled(run)
            for line in sorted({*(line for line in warns if line), *(line for line, _ in calls)}):
                entry["lines"].append(
                    {
                        "line": line,
                        "text": TEXT[line - 1].strip(),
                        "warned": warns[line],
                        "calls": {name: count for (at, name), count in sorted(calls.items()) if at == line},
                    }
                )
        except Exception:
            entry["error"] = traceback.format_exc()
        result["loops"].append(entry)
        print(run.__name__, "error" if "error" in entry else len(entry["lines"]), flush=True)
        if "error" in entry:
            print(entry["error"])
    with open(out, "w") as file:
        json.dump(result, file, indent=1)


main(sys.argv[1] if len(sys.argv) > 1 else "truth.json")
