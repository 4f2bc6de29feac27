"""One product on one rank and on two, its rows shared out: on one GPU and on two. The PyTorch side of the lesson ranks.

  ways   for each way, ms until rank 0 has all rows, from a barrier on, by rank 0's clock:
         oneMs      one rank, one GPU
         sharedMs   two ranks on one GPU, gathered by Gloo through the CPU: NCCL refuses two ranks on one GPU
         gpusMs     two ranks, a GPU each, gathered by NCCL (left out with fewer than two GPUs)
  hang   two ranks that both send first, over Gloo with a limit of `limitS`: afterS until the first of them raised an error, and its message
  skip   two ranks that sum their losses in each of `sums` steps, by NCCL where each has a GPU, and read the sum. Rank 1 leaves out the
         second: how many of the sums rank 0 got until nothing came for `limitS` (got, gotRatio), and how many of these were right

Medians with intervals. The gathered product is checked against float64. The script fails where a program that must hang does not.

python3 ranks_shards.py [--out torch-ranks.json] [--device cuda]    # starts its ranks itself; --device cpu tries it without a GPU
"""

import argparse
import os
import socket
from collections.abc import Callable
from datetime import timedelta
from time import perf_counter, sleep

import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from measuring import check, interval, keep_busy, synchronize, write

N = {"cuda": 8192, "cpu": 512}
REPEATS = 15
LIMIT_S = 5.0
SUMS, SKIPPED = 8, 1


def device_of(kind: str, gpu: int) -> torch.device:
    if kind == "cpu":
        return torch.device("cpu")
    torch.cuda.set_device(gpu)
    return torch.device("cuda", gpu)


def join(rank: int, size: int, port: int, backend: str, limit_s: float = 300.0) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    dist.init_process_group(backend, rank=rank, world_size=size, timeout=timedelta(seconds=limit_s))


def shards(rank: int, size: int, port: int, kind: str, backend: str, results: "processes.SimpleQueue") -> None:
    device = device_of(kind, rank if backend == "nccl" else 0)
    join(rank, size, port, backend)
    torch.set_float32_matmul_precision("highest")  # float32, no TF32
    torch.manual_seed(1)  # the same a and b on all ranks
    n = N[kind]
    a, b = (torch.rand(n, n).mul_(2).sub_(1).to(device) for _ in range(2))
    mine = a.chunk(size)[rank].contiguous()
    through_cpu = backend == "gloo" and kind == "cuda"
    parts = [torch.empty(n // size, n, device="cpu" if through_cpu else device) for _ in range(size)]
    rows = torch.empty(n // size, n, device=device)
    keep_busy(device, 0.5)
    times: list[float] = []
    for _ in range(REPEATS + 1):
        synchronize(device)
        dist.barrier()
        begun = perf_counter()
        torch.mm(mine, b, out=rows)
        if size > 1:
            dist.gather(rows.cpu() if through_cpu else rows, parts if rank == 0 else None)
        synchronize(device)
        times.append((perf_counter() - begun) * 1e3)
    if rank == 0:
        product = torch.cat([part.to(device) for part in parts]) if size > 1 else rows
        check(f"{size} ranks over {backend}", product, a, b)
        results.put(times[1:])  # the first warms up
    dist.barrier()
    dist.destroy_process_group()


def both_send(rank: int, size: int, port: int, results: "processes.SimpleQueue") -> None:
    join(rank, size, port, "gloo", LIMIT_S)
    other = 1 - rank
    mine, theirs = torch.ones(1 << 22), torch.empty(1 << 22)  # 16 MiB
    dist.barrier()
    begun = perf_counter()
    try:
        dist.send(mine, other)
        dist.recv(theirs, other)
        results.put({"hung": False})
    except RuntimeError as error:
        results.put({"hung": True, "afterS": perf_counter() - begun, "message": str(error).splitlines()[0][:200]})
    os._exit(0)  # what is left of the group waits for the other rank


def skips_one(rank: int, size: int, port: int, kind: str, backend: str, results: "processes.SimpleQueue") -> None:
    device = device_of(kind, rank if backend == "nccl" else 0)
    join(rank, size, port, backend)
    for step in range(SUMS):
        loss = torch.tensor(float(step + rank), device=device)
        if (rank, step) == (1, SKIPPED):
            continue
        dist.all_reduce(loss)
        total = loss.item()
        if rank == 0:
            results.put(total == 2 * step + 1)
    sleep(10 * LIMIT_S)  # rank 1 goes on with something else


def watched(size: int, work: Callable[..., None], *arguments: object) -> list[bool]:
    """What the ranks put into the queue until nothing came for LIMIT_S; they are ended then, as nobody else would."""
    context = processes.get_context("spawn")
    results = context.SimpleQueue()
    port = free_port()
    ranks = [context.Process(target=work, args=(rank, size, port, *arguments, results)) for rank in range(size)]
    for rank in ranks:
        rank.start()
    found: list[bool] = []
    until = perf_counter() + 60  # processes start, and NCCL
    while perf_counter() < until:
        if results.empty():
            sleep(0.05)
        else:
            found.append(results.get())
            until = perf_counter() + LIMIT_S
    for rank in ranks:
        rank.kill()
        rank.join()
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(size: int, work: Callable[..., None], *arguments: object) -> object:
    """What rank 0 of the ranks, or the first of them, has put into the queue."""
    context = processes.get_context("spawn")
    results = context.SimpleQueue()
    ranks = [
        context.Process(target=work, args=(rank, size, port, *arguments, results))
        for port in [free_port()]
        for rank in range(size)
    ]
    for rank in ranks:
        rank.start()
    for rank in ranks:
        rank.join()
    assert all(rank.exitcode == 0 for rank in ranks), "a rank failed"
    return results.get()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="torch-ranks.json")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    options = parser.parse_args()
    kind = options.device
    two_gpus = kind == "cuda" and torch.cuda.device_count() >= 2
    ways = {
        "oneMs": interval(started(1, shards, kind, "gloo")),
        "sharedMs": interval(started(2, shards, kind, "gloo")),
    } | ({"gpusMs": interval(started(2, shards, kind, "nccl"))} if two_gpus else {})
    for way, found in ways.items():
        print(f"{way}: {found['median']:.3f}")
    hang = started(2, both_send)
    assert hang["hung"], "both sent first, and went on"
    print(f"hang: an error after {hang['afterS']:.1f} s: {hang['message']}")
    backend = "nccl" if two_gpus else "gloo"
    got = watched(2, skips_one, kind, backend)
    assert 0 < len(got) < SUMS, "rank 0 got all sums, or none"
    print(f"skip, by {backend}: rank 0 got {len(got)} of {SUMS} sums, {sum(got)} of them right")
    skip = {"backend": backend, "sums": SUMS, "limitS": LIMIT_S, "got": len(got), "right": sum(got), "gotRatio": len(got) / SUMS}
    device = torch.device("cuda", 0) if kind == "cuda" else torch.device("cpu")
    write(options.out, device, {"n": N[kind], "ways": ways, "hang": {"limitS": LIMIT_S, **hang}, "skip": skip})
