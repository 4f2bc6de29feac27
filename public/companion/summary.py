"""One line for each profile of torch.profiler: how long a step takes and how much of its time the device was at work.

A step is that of the device: the host may run ahead of it. Without a device it is the host's.

All shares are of the time from the device's first begin to its last end. `busy`: kernels, copies and memsets. `collectives`: NCCL's
kernels, which also wait there for other ranks. `copies alone`: copies and memsets while no kernel runs.

python3 summary.py traces/*.json.gz
"""

import gzip
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

Event = dict[str, Any]


def covered_us(events: Iterable[Event]) -> float:
    """Length of the union."""
    total, until = 0.0, float("-inf")
    for start, end in sorted((event["ts"], event["ts"] + event["dur"]) for event in events):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def line(file: Path) -> str:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        trace = json.load(opened)
    spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    of = {category: [span for span in spans if span.get("cat") == category] for category in ("kernel", "gpu_memcpy", "gpu_memset")}
    # A GPU has the steps once more, as gpu_user_annotation.
    steps = [
        span["dur"] / 1e3 for span in spans if span.get("cat") == "user_annotation" and span["name"].startswith("ProfilerStep#")
    ]
    collectives = [span for span in of["kernel"] if span["name"].startswith("nccl")]
    kernels = [span for span in of["kernel"] if not span["name"].startswith("nccl")]
    copies = of["gpu_memcpy"] + of["gpu_memset"]
    work = kernels + collectives + copies
    extent = max((span["ts"] + span["dur"] for span in work), default=0) - min((span["ts"] for span in work), default=0)
    said = [f"{file.name}: {file.stat().st_size / 1024:.0f} KiB"]
    if steps:
        said.append(f"{len(steps)} steps of {extent / 1e3 / len(steps) if work else median(steps):.2f} ms")
    if plain := trace.get("step_ms_without_profiler"):
        said.append(f"{plain:.2f} ms without the profiler")
    if extent == 0:
        return "; ".join([*said, "no work of a device"])
    shares = {
        "busy": covered_us(work),
        "kernels": covered_us(kernels),
        "collectives": covered_us(collectives),
        "copies alone": covered_us(work) - covered_us(kernels + collectives),
    }
    said += [f"{what} {time / extent:.1%}" for what, time in shares.items()]
    if kernels:
        said.append(f"{len(kernels) / max(1, len(steps)):.0f} kernels a step, median {median(span['dur'] for span in kernels):.1f} µs")
    return "; ".join(said)


for name in sys.argv[1:]:
    print(line(Path(name)))
