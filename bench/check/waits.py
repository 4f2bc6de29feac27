"""Where the host waited for the GPU, by line: from PyTorch's own warnings, and from the calls in a profile."""

import json
import os
import sys
import sysconfig
import tempfile
import traceback
import warnings
from dataclasses import dataclass

import torch
from torch.profiler import ProfilerActivity, profile, record_function

HAS_GPU = torch.cuda.is_available()
WAITS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize", "cudaMalloc", "cudaFree")
# A rehearsal without a GPU takes the operator that reads a number for a wait.
READ = "aten::_local_scalar_dense"
OURS = (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(torch.__file__), sysconfig.get_path("stdlib"))


@dataclass(frozen=True)
class Wait:
    file: str
    line: int
    call: str
    step: int
    # The innermost line of the file that is asked about, where the wait is in a function it calls.
    above: int | None = None


class Steps:
    """Counts steps of training; a loop that steps no optimizer stays at 0."""

    def __init__(self):
        self.now = 0

    def count(self):
        self.now += 1
        with record_function(f"S{self.now}"):
            pass


def is_library(file):
    """PyTorch's Python, the standard library and these tools: a wait belongs to the line that calls them."""
    if file.startswith("<"):
        return True
    file = os.path.abspath(file)
    return file.startswith(OURS) and "site-packages" not in file[len(OURS[2]) :] or file.startswith(OURS[1])


def warned(run, steps, skip=is_library, shown=None):
    found = []

    def hear(message, category, filename, lineno, file=None, line=None):
        if "called a synchronizing CUDA operation" not in str(message):
            return
        frames = [frame for frame in reversed(traceback.extract_stack()) if not skip(frame.filename)]
        if frames:
            file, line = os.path.abspath(frames[0].filename), frames[0].lineno
            above = next((frame.lineno for frame in frames if os.path.abspath(frame.filename) == shown), None)
            found.append(Wait(file, line, "warned", steps.now, above))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hear
        # Programs that silence warnings would silence these.
        kept = warnings.filterwarnings, warnings.simplefilter
        warnings.filterwarnings = warnings.simplefilter = lambda *args, **named: None
        if HAS_GPU:
            torch.cuda.set_sync_debug_mode("warn")
        try:
            run()
        finally:
            warnings.filterwarnings, warnings.simplefilter = kept
            if HAS_GPU:
                torch.cuda.set_sync_debug_mode("default")
    return found


class LineRanges:
    """sys.settrace: a range of the profiler for each line that runs, inside the range of the line that called."""

    def __init__(self, steps, skip):
        self.steps = steps
        self.skip = skip
        self.skipped = {}
        self.files = []
        self.open = {}
        self.ran = {}

    def __call__(self, frame, event, _):
        file = frame.f_code.co_filename
        if file not in self.skipped:
            self.skipped[file] = self.skip(file)
        return None if self.skipped[file] else self.local

    def local(self, frame, event, _):
        if event not in ("line", "return"):
            return self.local
        before = self.open.pop(id(frame), None)
        if before:
            before.__exit__(None, None, None)
        if event == "line":
            file = os.path.abspath(frame.f_code.co_filename)
            if file not in self.files:
                self.files.append(file)
            self.ran.setdefault((file, frame.f_lineno), set()).add(self.steps.now)
            range_ = record_function(f"L{self.files.index(file)}:{frame.f_lineno}")
            range_.__enter__()
            self.open[id(frame)] = range_
        return self.local


def profiled(run, steps, skip=is_library, shown=None):
    """The waits, and in which steps each line ran."""
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if HAS_GPU else [])
    ranges = LineRanges(steps, skip)
    with profile(activities=activities) as prof:
        sys.settrace(ranges)
        try:
            run()
        finally:
            sys.settrace(None)
            for range_ in ranges.open.values():
                range_.__exit__(None, None, None)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        prof.export_chrome_trace(path)
        events = json.load(open(path))["traceEvents"]
    spans = sorted((each for each in events if each.get("ph") == "X"), key=lambda each: (each["ts"], -each["dur"]))
    copies = {each["args"].get("correlation"): each["name"] for each in spans if each.get("cat") == "gpu_memcpy"}
    found, inside, step = [], [], 0
    for each in spans:
        begin, name = each["ts"], each["name"]
        if each.get("cat") == "user_annotation" and name[:1] == "S" and name[1:].isdigit():
            step = int(name[1:])
        if each.get("cat") == "user_annotation" and name[:1] == "L" and name[1:].replace(":", "").isdigit():
            inside.append((begin + each["dur"], name[1:]))
        inside = [line for line in inside if line[0] > begin]
        call = call_of(each, copies)
        if call and inside:
            places = [(ranges.files[int(file)], int(line)) for _, place in inside for file, line in [place.split(":")]]
            above = next((line for file, line in reversed(places) if file == shown), None)
            found.append(Wait(*places[-1], call, step, above))
    return found, ranges.ran


def call_of(event, copies):
    """The name of a call that waits; a copy's own name where it is from or to pageable memory."""
    name, category = event["name"], event.get("cat")
    if not HAS_GPU and category == "cpu_op" and name == READ:
        return name
    if category not in ("cuda_runtime", "cuda_driver"):
        return None
    if name.startswith("cudaMemcpy"):
        # The driver's own copies between buffers of the GPU wait for nobody.
        copy = copies.get(event.get("args", {}).get("correlation"), "")
        return f"{name} {copy}" if "ageable" in copy else None
    return name if name in WAITS else None
