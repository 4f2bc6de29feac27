"""An all-reduce by messages, through rank 0 or round a ring, and by the library's own call: from which size on is the ring faster?

  naiveMs       all ranks send to rank 0, which adds up and sends the sums to all
  ringMs        blocks go round a ring: 2 (n - 1) messages in a row, of a block each
  libraryMs     dist.all_reduce()
  crossoverKib  KiB: from this size on the ring is faster, by the line between two neighbouring sizes in the logarithm; null: at none, or at all

Messages are `dist.batch_isend_irecv`, with NCCL from GPU to GPU. A time is that of one call and the wait for its end, the slowest
rank's. Integers are summed, and every rank compares every word.

torchrun --nproc-per-node 4 collectives_ways.py --out torch-collectives-ways.json
torchrun --nproc-per-node 4 collectives_ways.py --device cpu
"""

import argparse
import os
from collections.abc import Callable
from math import exp, log
from time import perf_counter

import torch
import torch.distributed as dist
from measuring import interval, keep_busy, rounds, synchronize, write
from torch import Tensor

KIB = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)
REPEATS, SECONDS = (7, 15), 0.6  # at least, at most; for each size
VALUES = 251  # sums of so small integers are exact in float32

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-collectives-ways.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
options = parser.parse_args()
on_cuda = options.device == "cuda"
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_cuda else torch.device("cpu")
if on_cuda:
    torch.cuda.set_device(device)
dist.init_process_group("nccl" if on_cuda else "gloo")
rank, size = dist.get_rank(), dist.get_world_size()
behind, ahead = (rank - 1) % size, (rank + 1) % size
others = range(1, size)


def send(data: Tensor, to: int) -> dist.P2POp:
    return dist.P2POp(dist.isend, data, to)


def receive(data: Tensor, of: int) -> dist.P2POp:
    return dist.P2POp(dist.irecv, data, of)


def exchange(*calls: dist.P2POp) -> None:
    for work in dist.batch_isend_irecv(list(calls)):
        work.wait()


def naive(data: Tensor, got: Tensor) -> None:
    if rank > 0:
        exchange(send(data, 0))
        exchange(receive(data, 0))
        return
    arriving = got.view(size - 1, -1)
    exchange(*(receive(arriving[of - 1], of) for of in others))
    for each in arriving:
        data += each
    exchange(*(send(data, to) for to in others))


def ring(data: Tensor, got: Tensor) -> None:
    blocks = data.chunk(size)
    arriving = got[: blocks[0].numel()]
    for step in range(2 * (size - 1)):
        reduces = step < size - 1  # the reduce-scatter, then the all-gather
        mine, theirs = blocks[(rank - step - 1) % size], blocks[(rank - step - 2) % size]
        exchange(send(mine, ahead), receive(arriving if reduces else theirs, behind))
        if reduces:
            theirs += arriving


def library(data: Tensor, _: Tensor) -> None:
    dist.all_reduce(data)


WAYS: dict[str, Callable[[Tensor, Tensor], None]] = {"naive": naive, "ring": ring, "library": library}


def of_rank(of: int, words: int) -> Tensor:
    return ((torch.arange(words, device=device) * 31 + 17 * of) % VALUES).float()


def slowest(values: list[float]) -> list[float]:
    of_all = torch.tensor(values, dtype=torch.float64, device=device)
    dist.all_reduce(of_all, dist.ReduceOp.MAX)
    return of_all.tolist()


def measure(kib: int) -> dict[str, object]:
    words = kib * 256
    given, expected = of_rank(rank, words), sum(of_rank(of, words) for of in range(size))
    got = torch.empty((size - 1) * words, device=device)

    def one_ms(way: Callable[[Tensor, Tensor], None]) -> float:
        data = given.clone()
        dist.barrier()
        synchronize(device)
        begun = perf_counter()
        way(data, got)
        synchronize(device)
        took = (perf_counter() - begun) * 1e3
        assert torch.equal(data, expected), f"{kib} KiB: wrong on rank {rank}"
        return took

    # As many on every rank: so none leaves the others alone.
    count = REPEATS[1] if kib < 16384 else REPEATS[0]
    works = {name: (lambda way=way: one_ms(way)) for name, way in WAYS.items()}
    times = rounds(works, count, count, SECONDS)
    return {"kib": kib} | {f"{name}Ms": interval(slowest(of_it)) for name, of_it in times.items()}


def crossover(points: list[dict]) -> float | None:
    lead = [(p["kib"], log(p["naiveMs"]["median"] / p["ringMs"]["median"])) for p in points]
    if lead[0][1] >= 0 or lead[-1][1] <= 0:
        return None
    for (kib, before), (next_kib, after) in zip(lead[-2::-1], lead[:0:-1]):  # the last crossing
        if before < 0 <= after:
            return exp(log(kib) + (log(next_kib) - log(kib)) * -before / (after - before))
    return None


keep_busy(device, 0.5 if on_cuda else 0.0)
points = [measure(kib) for kib in KIB]
if rank == 0:
    for point in points:
        print(point["kib"], "KiB:", ", ".join(f"{name} {point[name + 'Ms']['median']:.4f} ms" for name in WAYS), flush=True)
    write(
        options.out,
        device,
        {
            "backend": dist.get_backend(),
            "nccl": ".".join(map(str, torch.cuda.nccl.version())) if on_cuda else None,
            "ranks": size,
            "cores": os.cpu_count(),
            "crossoverKib": crossover(points),
            "points": points,
        },
    )
dist.barrier()
dist.destroy_process_group()
