"""The time of a step of every choice of the lessons' loops, without a profiler.

Each script runs as it stands, but its record() times the steps: WARM_UP_STEPS that are not measured, then
STEPS of them between two waits for the GPU, by the host's clock. One round runs all scripts, and the first
round is not measured, so the choices take turns and meet the same machine. Each script checks its results
against float64 in every round.

  <lesson>.<choice>.stepMs   median of `repeats` rounds; low and high hold the true median with 90 %, or are
                             the lowest and the highest where so few repeats can't (measuring.py)

ranks_loop, collectives_loop and pipeline_bubble_loop need two GPUs. They are timed on rank 0, and --add-to
names the file that holds the others:

python3 steps.py [--out torch-steps.json] [script...]
torchrun --nproc-per-node 2 steps.py --out torch-steps.json --add-to FILE
"""

import argparse
import gc
import io
import json
import os
from contextlib import redirect_stdout
from pathlib import Path
from time import perf_counter

import profiling
import torch
import torch.distributed as dist
from measuring import interval, keep_busy, write
from profiling import WARM_UP_STEPS

ONE_GPU = """async_submission sync_stalls_loop overlapped_uploads command_queue_loop kernel_ladder_loop
staging_buffers_loop starved_by_the_loader_loop stay_on_device_loop streams_and_events_loop
tensor_residence_loop transfer_cost_loop worth_it_loop""".split()
TWO_GPUS = "collectives_loop pipeline_bubble_loop ranks_loop".split()
LEAST, MOST = 6, 26  # rounds, with the one that is not measured

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-steps.json")
parser.add_argument("--add-to", type=Path)
parser.add_argument("--seconds", type=float, default=80.0)
parser.add_argument("scripts", nargs="*")
options = parser.parse_args()
rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
device = torch.device("cuda")
threads = torch.get_num_threads()
taken: dict[str, tuple[int, list[float]]] = {}


def timed(name: str, steps: int, step) -> None:
    """Takes the place of profiling.record()."""
    keep_busy(device, 0.05)  # what a script prepares on the CPU lets the GPU lower its clocks
    for index in range(WARM_UP_STEPS):
        step(index)
    torch.cuda.synchronize()
    begun = perf_counter()
    for index in range(WARM_UP_STEPS, WARM_UP_STEPS + steps):
        step(index)
    torch.cuda.synchronize()
    taken.setdefault(name, (steps, []))[1].append((perf_counter() - begun) * 1e3 / steps)


def timed_on_ranks(rank: int, name: str, steps: int, step) -> None:
    dist.barrier()
    timed(name, steps, step)
    dist.barrier()


def run(script: str) -> None:
    torch.set_num_threads(threads)  # some scripts lower it
    file = Path(__file__).parent / f"{script}.py"
    with redirect_stdout(io.StringIO()):
        exec(compile(file.read_text(), str(file), "exec"), {"__name__": "__main__"})
    gc.collect()


def go_on(rounds: int, begun: float) -> bool:
    """All ranks stop after the same round."""
    more = rounds < LEAST or (rounds < MOST and perf_counter() - begun < options.seconds)
    if world == 1:
        return more
    answer = torch.tensor(int(more), device=device)
    dist.broadcast(answer, 0)
    return bool(answer.item())


profiling.record, profiling.record_on_rank_0 = timed, timed_on_ranks
if world > 1:
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    # One group serves all rounds: the scripts' own calls do nothing.
    end = dist.destroy_process_group
    dist.init_process_group = dist.destroy_process_group = lambda *_, **__: None
scripts = options.scripts or (ONE_GPU if world == 1 else TWO_GPUS)
rounds, begun = 0, perf_counter()
while go_on(rounds, begun):
    for script in scripts:
        run(script)
    rounds += 1
figures: dict[str, dict[str, object]] = {}
for script in scripts:
    lesson = script.removesuffix("_loop").replace("_", "-")
    start = f"torch-{lesson}-"
    of_it = {name.removeprefix(start): each for name, each in taken.items() if name.startswith(start)}
    figures[lesson] = {
        choice: {"stepMs": interval(times[1:]), "steps": steps, "repeats": len(times) - 1}
        for choice, (steps, times) in of_it.items()
    }
    for choice, found in figures[lesson].items() if rank == 0 else ():
        print(f"{lesson}.{choice}: " + ", ".join(f"{key} {ms:.4f}" for key, ms in found["stepMs"].items()))
if rank == 0:
    others = json.loads(options.add_to.read_text()) if options.add_to else {}
    kept = {key: value for key, value in others.items() if isinstance(value, dict) or key == "threads"}
    write(options.out, device, kept | figures)
if world > 1:
    end()
