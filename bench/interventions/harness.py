"""Measures pairs of training loops, as found and with one change, and profiles the loop as found.

Each loop runs in a process of its own. There the pair is measured first, interleaved and without a profiler; only then is it
profiled. Everything lands in --out: truth.json, profiles/ (as found) and profiles-b/ (changed), and both folders as .tar.

python3 harness.py --out out [--loops FOLDER] [--only a,b] [--limit-s 360] [--list]
"""

import argparse
import gc
import gzip
import importlib
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import traceback
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile, schedule

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

DEVICE = "cuda"
ROUND_S = 0.08  # a round of one variant takes at least this long; a loop can ask for more with ROUND_S
STEPS_AT_LEAST = 5
ROUNDS = 7, 15  # at least, at most
MEASURE_S = 2.0  # more rounds than the fewest are made within this time
WARM_UP_S = 0.25
PROFILED_STEPS = 4
PROFILER_WARM_UP = 3
LARGEST_FILE = 300_000
LOOP_LIMIT_S = 60

Step = Callable[[], object]

parser = argparse.ArgumentParser()
parser.add_argument("--out", type=Path, default=Path("out"))
parser.add_argument("--loops", default="loops", help="the folder that they are in, here")
parser.add_argument("--only", default="", help="ids, separated by commas")
parser.add_argument("--limit-s", type=float, default=360, help="no loop starts after this many seconds")
parser.add_argument("--list", action="store_true")


def load_loops(folder: str, only: str) -> list[ModuleType]:
    wanted = {name for name in only.split(",") if name}
    files = sorted((HERE / folder).glob("*.py"))
    if not files:
        raise SystemExit(f"no loops in {HERE / folder}")
    loops = [importlib.import_module(f"{folder}.{file.stem}") for file in files]
    unknown = wanted - {loop.ID for loop in loops}
    if unknown:
        raise SystemExit(f"no such loop: {', '.join(sorted(unknown))}")
    return [loop for loop in loops if not wanted or loop.ID in wanted]


# In the process of a loop


class Ranks:
    """The processes that run one loop together. With one rank, nothing here communicates."""

    def __init__(self, rank: int, count: int, store: str) -> None:
        self.rank, self.count = rank, count
        if count > 1:
            os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
            dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=count)

    def meet(self) -> None:
        if self.count > 1:
            dist.barrier()

    def agree(self, value: int) -> int:
        """Rank 0's value: all ranks must run the same number of steps."""
        if self.count == 1:
            return value
        shared = torch.tensor([value])
        dist.broadcast(shared, 0)
        return int(shared.item())


def keep_gpu_busy(device: torch.device, seconds: float) -> None:
    """Raises the clocks of an idle GPU."""
    matrix = torch.randn(2048, 2048, device=device)
    end = perf_counter() + seconds
    while perf_counter() < end:
        for _ in range(10):
            matrix @ matrix
        torch.cuda.synchronize()


def step_s(step: Step, count: int, ranks: Ranks) -> float:
    """Seconds per step over `count` steps. The host waits for the device before the first and after the last."""
    ranks.meet()
    torch.cuda.synchronize()
    start = perf_counter()
    for _ in range(count):
        step()
    torch.cuda.synchronize()
    return (perf_counter() - start) / count


def tensors_of(model: nn.Module | list[Tensor]) -> list[Tensor]:
    return [tensor.detach() for tensor in (model.parameters() if isinstance(model, nn.Module) else model)]


def check_same(found: Step, changed: Step, models: tuple[nn.Module | list[Tensor], nn.Module | list[Tensor]]) -> None:
    """Raises unless three steps of each variant move both models alike."""
    ours, theirs = tensors_of(models[0]), tensors_of(models[1])
    before = [tensor.clone() for tensor in ours]
    for _ in range(3):
        found()
        changed()
    torch.cuda.synchronize()
    ours, theirs = tensors_of(models[0]), tensors_of(models[1])
    moved = sum((a.double() - b.double()).abs().sum().item() for a, b in zip(ours, before, strict=True))
    apart = sum((a.double() - b.double()).abs().sum().item() for a, b in zip(ours, theirs, strict=True))
    if not moved > 0 or not apart <= 0.1 * moved:
        raise AssertionError(f"results differ by {apart:.3g}, where three steps move them by {moved:.3g}")


def measure(found: Step, changed: Step, ranks: Ranks, round_s: float) -> tuple[list[float], list[float]]:
    """Seconds per step of each round, interleaved."""
    counts = []
    for step in (found, changed):
        step_s(step, STEPS_AT_LEAST, ranks)
        pace = step_s(step, STEPS_AT_LEAST, ranks)
        pace = step_s(step, ranks.agree(max(STEPS_AT_LEAST, math.ceil(WARM_UP_S / pace))), ranks)
        counts.append((ranks.agree(max(STEPS_AT_LEAST, math.ceil(round_s / pace))), pace))
    both_s = sum(count * pace for count, pace in counts)
    rounds = ranks.agree(min(ROUNDS[1], max(ROUNDS[0], math.floor(MEASURE_S / both_s))))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for step, (count, _), seconds in zip((found, changed), counts, times, strict=True):
            seconds.append(step_s(step, count, ranks))
    return times


def record(file: Path, loop: ModuleType, step: Step, steps: int, plain_s: float) -> float:
    """Writes the profile of `steps` steps; returns the median µs of a step under the profiler.

    This is how people profile: no wait per step, and none after the last one.
    """
    warm_up = getattr(loop, "PROFILER_WARM_UP", PROFILER_WARM_UP)
    file.parent.mkdir(parents=True, exist_ok=True)
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
        schedule=schedule(wait=0, warmup=warm_up, active=steps, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(str(file)),
        with_stack=loop.STACK,
    ) as profiler:
        for index in range(warm_up + steps):
            if index == warm_up:
                profiler.add_metadata_json("step_ms_without_profiler", f"{plain_s * 1e3:.4f}")
            step()
            profiler.step()
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        trace = json.load(opened)
    if loop.STACK:
        keep_own_functions(trace, f"{loop.__name__.rpartition('.')[2]}.py")
    with gzip.open(file, "wt", compresslevel=9, encoding="utf-8") as opened:
        json.dump(trace, opened, separators=(",", ":"))
    periods = [
        event["dur"]
        for event in trace["traceEvents"]
        if str(event.get("name", "")).startswith("ProfilerStep#") and event.get("cat") in ("user_annotation", "cpu_op")
    ]
    return statistics.median(periods) if periods else math.nan


def keep_own_functions(trace: dict[str, Any], script: str) -> None:
    """Drops all Python functions except those of `script` and the ones that they call directly."""
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


def summary(seconds: list[float]) -> dict[str, Any]:
    us = [round(value * 1e6, 1) for value in seconds]
    return {"median": round(statistics.median(us), 1), "min": min(us), "max": max(us), "rounds": us}


def run_loop(loop: ModuleType, rank: int, count: int, folder: Path, out: Path) -> dict[str, Any]:
    ranks = Ranks(rank, count, str(folder / "store"))
    device = torch.device(DEVICE)
    torch.manual_seed(1)
    keep_gpu_busy(device, 0.3)
    found, changed, *models = loop.build(device)
    if models:
        check_same(found, changed, models[0])
    times = measure(found, changed, ranks, getattr(loop, "ROUND_S", ROUND_S))
    plain_s = [statistics.median(seconds) for seconds in times]

    name = loop.ID + (f"-rank{rank}" if count > 1 else "") + ".json.gz"
    steps = getattr(loop, "PROFILED_STEPS", PROFILED_STEPS)
    while True:
        ranks.meet()
        profiled_us = record(out / "profiles" / name, loop, found, steps, plain_s[0])
        size = (out / "profiles" / name).stat().st_size
        if steps <= 2 or ranks.agree(int(size <= LARGEST_FILE)):
            break
        steps = max(2, steps // 2)
    ranks.meet()
    record(out / "profiles-b" / name, loop, changed, steps, plain_s[1])
    ranks.meet()
    return {
        "profile": name,
        "bytes": size,
        "steps": steps,
        "stack": loop.STACK,
        "found": summary(times[0]),
        "changed": summary(times[1]),
        "profiled_step_us": round(profiled_us, 1),
        "gain": round(plain_s[0] / plain_s[1], 4),
        "device": torch.cuda.get_device_name(),
    }


def child(loop: ModuleType, rank: int, count: int, folder: Path, out: Path) -> None:
    try:
        result = run_loop(loop, rank, count, folder, out)
    except BaseException as error:
        lines = "".join(traceback.format_exception(error)).strip().splitlines()
        result = {"error": "\n".join(lines[-12:])}
    (folder / f"{rank}.json").write_text(json.dumps(result))
    sys.stdout.flush()
    os._exit(0)  # workers of a DataLoader and threads of a process group need not end in order


# In the process that starts the others. It never touches the GPU, so that it can fork.


def run_apart(loop: ModuleType, out: Path) -> dict[str, Any]:
    count = getattr(loop, "RANKS", 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fork = multiprocessing.get_context("fork")
        started = [fork.Process(target=child, args=(loop, rank, count, folder, out)) for rank in range(count)]
        for process in started:
            process.start()
        deadline = perf_counter() + LOOP_LIMIT_S
        for process in started:
            process.join(max(0.1, deadline - perf_counter()))
        late = [process for process in started if process.is_alive()]
        for process in late:
            process.kill()
            process.join()
        results = []
        for rank, process in enumerate(started):
            file = folder / f"{rank}.json"
            if file.exists():
                results.append(json.loads(file.read_text()))
            elif process in late:
                results.append({"error": f"took longer than {LOOP_LIMIT_S} s"})
            else:
                results.append({"error": f"the process ended with {process.exitcode}"})
    for result in results:
        if "error" in result:
            return result
    if count > 1:
        results[0]["profiles"] = [result["profile"] for result in results]
    return results[0]


def driver() -> str | None:
    try:
        asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=20).stdout.split()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def pack(folder: Path) -> None:
    if folder.is_dir():
        with tarfile.open(folder.with_suffix(".tar"), "w") as packed:
            for file in sorted(folder.iterdir()):
                packed.add(file, file.name)


def main() -> None:
    options = parser.parse_args()
    loops = load_loops(options.loops, options.only)
    if options.list:
        for loop in loops:
            print(f"{loop.ID:32} {loop.CAUSE:24} {loop.QUESTION} {loop.CHANGE}")
        return
    begun = perf_counter()
    options.out.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {
        "schema": "interventions@1",
        "device": None,
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "driver": driver(),
        "date": datetime.now(timezone.utc).date().isoformat(),
        "loops": [],
    }
    gc.freeze()  # the modules that are loaded here are no garbage of the loops
    for loop in loops:
        started = perf_counter()
        entry = {
            "id": loop.ID,
            "question": loop.QUESTION,
            "change": loop.CHANGE,
            "cause": loop.CAUSE,
            "first": loop.FIRST,
            **({"partial": True} if getattr(loop, "PARTIAL", False) else {}),
        }
        if started - begun > options.limit_s:
            entry["error"] = "not run: the time was over"
        else:
            entry |= run_apart(loop, options.out)
        truth["device"] = entry.pop("device", None) or truth["device"]
        truth["loops"].append(entry)
        (options.out / "truth.json").write_text(json.dumps(truth, indent=2) + "\n")
        took = f"{perf_counter() - started:4.1f} s"
        if "error" in entry:
            print(f"{loop.ID:30} {took}  ERROR {entry['error'][-600:]}", flush=True)
        else:
            print(
                f"{loop.ID:30} {took}  {entry['found']['median']:9.1f} -> {entry['changed']['median']:9.1f} us"
                f"  gain {entry['gain']:.3f}  profiled {entry['profiled_step_us']:9.1f}"
                f"  {entry['steps']} steps {entry['bytes'] / 1e3:.0f} kB  {entry['cause']}, first {entry['first']}",
                flush=True,
            )
    for name in ("profiles", "profiles-b"):
        pack(options.out / name)
    failed = [entry["id"] for entry in truth["loops"] if "error" in entry]
    print(f"{len(loops) - len(failed)} of {len(loops)} loops in {perf_counter() - begun:.0f} s", *failed)


if __name__ == "__main__":
    main()
