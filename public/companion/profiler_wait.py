"""The wait at the end of a profile that no program asked for: torch.profiler waits for the GPU when it stops.

A loop queues PRODUCTS products under torch.profiler and waits for nothing. In the profile of each of REPEATS runs:

  calls     cudaDeviceSynchronize that the loop called: none
  found     those that the profile has
  syncMs    the longest of them
  queuedMs  the time from its begin to the end of the last kernel: what was still to run
  loopMs    the host in the loop, by its own clock

Medians; low and high are the lowest and the highest run. The last product is checked against float64.

python3 profiler_wait.py [--out torch-profiler-wait.json]
"""

import argparse
import json
import tempfile
from pathlib import Path
from time import perf_counter

import torch
from measuring import check, interval, keep_busy, write
from torch.profiler import ProfilerActivity, profile

N, PRODUCTS = 4096, 75  # 200 ms on an H200
REPEATS = 5

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-profiler-wait.json")
arguments = parser.parse_args()


def waits_in(trace: dict) -> dict[str, float]:
    spans = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    waits = [event for event in spans if event["name"] == "cudaDeviceSynchronize"]
    kernels = [event["ts"] + event["dur"] for event in spans if event.get("cat") == "kernel"]
    longest = max(waits, key=lambda event: event["dur"])
    return {"found": len(waits), "syncMs": longest["dur"] / 1e3, "queuedMs": (max(kernels) - longest["ts"]) / 1e3}


def run(folder: str) -> dict[str, float]:
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        begun = perf_counter()
        for _ in range(PRODUCTS):
            torch.mm(a, b, out=c)
        loop_ms = (perf_counter() - begun) * 1e3
    file = Path(folder) / "trace.json"
    profiler.export_chrome_trace(str(file))
    return {"loopMs": loop_ms} | waits_in(json.loads(file.read_text()))


if __name__ == "__main__":
    device = torch.device("cuda")
    torch.manual_seed(1)
    a, b = (torch.randn(N, N, device=device) for _ in range(2))
    c = torch.empty_like(a)
    keep_busy(device, 0.5)
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(folder) for _ in range(REPEATS + 1)][1:]
    check("the last product", c, a, b)
    figures = {name: interval([each[name] for each in runs]) for name in runs[0]}
    print(figures)
    write(arguments.out, device, {"products": PRODUCTS, "calls": 0} | figures)
