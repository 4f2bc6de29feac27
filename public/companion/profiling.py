"""What the twins with profiles share: torch.profiler around some steps, and the trace written where a viewer can open it.

A trace is Trace Event JSON, gzipped, as torch.profiler (Kineto) writes it: host calls, streams, copies and synchronisations,
joined by correlation ids. chrome://tracing, Perfetto and the lab's own page read it.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule

WARM_UP_STEPS = 3  # libraries are loaded, kernels chosen, the profiler's buffers allocated


def record(name: str, steps: int, step: Callable[[int], None]) -> None:
    """Runs WARM_UP_STEPS and then `steps` of `step(index)`, and writes the trace of the latter to <folder>/<name>.json.gz."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json.gz"
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
        schedule=schedule(wait=0, warmup=WARM_UP_STEPS, active=steps, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(str(file)),
    ) as profiler:
        profiler.add_metadata("pytorch_version", torch.__version__)  # the file says the rest: device, CUDA, time
        for index in range(WARM_UP_STEPS + steps):
            with record_function("step"):
                step(index)
            if index in (WARM_UP_STEPS - 1, WARM_UP_STEPS + steps - 1):
                torch.cuda.synchronize()  # nothing of the warm-up reaches into what is recorded, and all that was queued does
            profiler.step()
    print(f"{file.name}: {file.stat().st_size / 1024:.0f} KiB")


def record_on_rank_0(rank: int, name: str, steps: int, step: Callable[[int], None]) -> None:
    """As record() on rank 0. Other ranks run the same steps without a profiler."""
    if rank == 0:
        record(name, steps, step)
    else:
        for index in range(WARM_UP_STEPS + steps):
            step(index)
        torch.cuda.synchronize()
    torch.distributed.barrier()


def check(what: str, got: torch.Tensor, expected: torch.Tensor, tolerance: float = 1e-4) -> None:
    """Against float64, relative to the largest expected entry: a step that was skipped or read too early shows."""
    error = ((got.double().cpu() - expected).abs().max() / expected.abs().max()).item()
    assert error < tolerance, f"{what}: off by {error:.1e}"
    print(f"{what}: right, largest error {error:.1e}")
