"""What read_a_profile.py and ranks.py share: torch.profiler with Python stacks around some steps, in a file of moderate size.

With with_stack=True torch.profiler writes every call of a Python function, thousands in a step, and nearly all of them inside
PyTorch. A file written here holds those of the script and what they call directly; its key `python_functions` says so. Nothing
else is left out.
"""

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile, schedule

WARM_UP_STEPS = 4
PLAIN_STEPS = 20


def record(
    file: Path, device: torch.device, steps: int, step: Callable[[], object], meet: Callable[[], object] = lambda: None
) -> None:
    """Times PLAIN_STEPS of `step()` without the profiler, then writes the profile of `steps` of them.

    `meet` is called when the recording has begun and the device is idle: ranks wait for each other there, since their profilers
    do not start at the same time.
    """
    synchronize = torch.get_device_module(device).synchronize
    for _ in range(WARM_UP_STEPS):
        step()
    synchronize()
    start = perf_counter()
    for _ in range(PLAIN_STEPS):
        step()
    synchronize()
    plain_ms = (perf_counter() - start) * 1e3 / PLAIN_STEPS

    file.parent.mkdir(parents=True, exist_ok=True)
    script = Path(sys.argv[0]).name
    on_cuda = [ProfilerActivity.CUDA] if device.type == "cuda" else []
    with profile(
        activities=[ProfilerActivity.CPU, *on_cuda],
        schedule=schedule(wait=0, warmup=WARM_UP_STEPS, active=steps, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(str(file)),
        with_stack=True,
    ) as profiler:
        profiler.add_metadata("pytorch_version", torch.__version__)
        profiler.add_metadata("command", " ".join([script, *sys.argv[1:]]).split(" --out ")[0])
        profiler.add_metadata_json("step_ms_without_profiler", f"{plain_ms:.3f}")
        for index in range(WARM_UP_STEPS + steps):
            if index == WARM_UP_STEPS:
                meet()
            step()
            if index in (WARM_UP_STEPS - 1, WARM_UP_STEPS + steps - 1):
                synchronize()  # nothing of the warm-up reaches into what is recorded, and all that was queued does
            profiler.step()
    keep_own_functions(file, script)
    print(f"{file.name}: {file.stat().st_size / 1024:.0f} KiB; {plain_ms:.2f} ms a step without the profiler")


def keep_own_functions(file: Path, script: str) -> None:
    """Leaves out of `file` all Python functions but those of `script` and the ones that they call directly."""
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        trace = json.load(opened)
    events: list[dict[str, Any]] = trace["traceEvents"]
    functions = [event for event in events if event.get("cat") == "python_function"]
    own = {
        event["args"].get("Python id")
        for event in functions
        if event["name"].startswith(f"{script}(") or f"/{script}(" in event["name"]
    }
    trace["traceEvents"] = [
        event
        for event in events
        if event.get("cat") != "python_function"
        or event["args"].get("Python id") in own
        or event["args"].get("Python parent id") in own
    ]
    kept = len(functions) - len(events) + len(trace["traceEvents"])
    trace["python_functions"] = (
        f"{kept} of {len(functions)} are kept: those of {script} and what they call directly; nothing else is left out"
    )
    with gzip.open(file, "wt", compresslevel=9, encoding="utf-8") as opened:
        json.dump(trace, opened, separators=(",", ":"))
