"""Collectives by size: all-reduce, broadcast, all-gather and reduce-scatter of float32, by NCCL on GPUs or by Gloo on CPUs.

For each operation and size:

  deviceMs  one of COUNT calls queued one after the other, by CUDA events (NCCL only)
  hostMs    one call and the wait for its end, from a barrier to the last rank's end, by the host's clock
  busGBs    the bus bandwidth of deviceMs (Gloo: of hostMs), 10^9 bytes a second, as nccl-tests defines it
            (https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md): bytes / time, times 2(n-1)/n for all-reduce, (n-1)/n for
            all-gather and reduce-scatter, 1 for broadcast

`bytes` is the size that nccl-tests means: of the whole, which every rank has at the end (all-reduce, broadcast, all-gather) or at the
beginning (reduce-scatter). Times are the slowest rank's. Integers are summed, and every rank compares every word.

torchrun --nproc-per-node 2 collectives.py --out torch-nccl-collectives.json
torchrun --nproc-per-node 8 collectives.py --device cpu --out torch-gloo-collectives-8.json
"""

import argparse
import os
from collections.abc import Callable
from time import perf_counter

import torch
import torch.distributed as dist
from measuring import device_ms, interval, keep_busy, synchronize, write
from torch import Tensor

KIB = 2**10
ON_GPU_KIB = tuple(4**power for power in range(11))  # 1 KiB to 1 GiB
ON_CPU_KIB = tuple(4**power for power in range(9))  # 1 KiB to 64 MiB, as in the lab
REPEATS = 5, 15  # at least, at most
SECONDS = 0.6  # for each operation and size
COUNT = 10
# Sums of integers below 2^24 are exact in float32: at most 251 from each rank.
VALUES = 251

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-collectives.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
arguments = parser.parse_args()
on_cuda = arguments.device == "cuda"
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_cuda else torch.device("cpu")
if on_cuda:
    torch.cuda.set_device(device)
dist.init_process_group("nccl" if on_cuda else "gloo")
rank, size = dist.get_rank(), dist.get_world_size()


def data(of: int, words: int) -> Tensor:
    """What rank `of` contributes: every rank can make it, to know what is to come out."""
    return ((torch.arange(words, device=device) * 31 + 17 * of) % VALUES).float()


def all_reduce(words: int) -> tuple[Callable[[], object], Tensor, Tensor]:
    whole = data(rank, words)
    return lambda: dist.all_reduce(whole), whole, sum(data(of, words) for of in range(size))


def broadcast(words: int) -> tuple[Callable[[], object], Tensor, Tensor]:
    whole = data(rank, words)
    return lambda: dist.broadcast(whole, 0), whole, data(0, words)


def all_gather(words: int) -> tuple[Callable[[], object], Tensor, Tensor]:
    part, whole = data(rank, words // size), torch.zeros(words // size * size, device=device)
    work = (
        (lambda: dist.all_gather_into_tensor(whole, part))
        if on_cuda
        else (lambda: dist.all_gather(list(whole.chunk(size)), part))
    )
    return work, whole, torch.cat([data(of, words // size) for of in range(size)])


def reduce_scatter(words: int) -> tuple[Callable[[], object], Tensor, Tensor]:
    whole, part = data(rank, words // size * size), torch.zeros(words // size, device=device)
    expected = sum(data(of, words // size * size) for of in range(size)).chunk(size)[rank]
    return lambda: dist.reduce_scatter_tensor(part, whole), part, expected


OPERATIONS = {"all_reduce": all_reduce, "broadcast": broadcast, "all_gather": all_gather, "reduce_scatter": reduce_scatter}
FACTORS = {
    "all_reduce": 2 * (size - 1) / size,
    "broadcast": 1.0,
    "all_gather": (size - 1) / size,
    "reduce_scatter": (size - 1) / size,
}


def slowest(value: float) -> float:
    of_all = torch.tensor([value], dtype=torch.float64, device=device)
    dist.all_reduce(of_all, dist.ReduceOp.MAX)
    return float(of_all.item())


def one_ms(work: Callable[[], object]) -> float:
    dist.barrier()
    synchronize(device)
    begun = perf_counter()
    work()
    synchronize(device)
    return (perf_counter() - begun) * 1e3


def measure(operation: str, kib: int) -> dict[str, object]:
    work, got, expected = OPERATIONS[operation](kib * KIB // 4)
    work()
    assert torch.equal(got, expected), f"{operation} of {kib} KiB: wrong on rank {rank}"
    del expected
    for _ in range(3):
        work()
    host, queued = [], []
    begun = perf_counter()
    while len(host) < REPEATS[0] or (len(host) < REPEATS[1] and slowest(perf_counter() - begun) < SECONDS):
        host.append(slowest(one_ms(work)))
        if on_cuda:
            dist.barrier()
            queued.append(slowest(device_ms(work, COUNT, device)))
    host_ms, queued_ms = interval(host), interval(queued) if on_cuda else None
    bytes_ = kib * KIB // 4 // size * size * 4 if operation in ("all_gather", "reduce_scatter") else kib * KIB
    busy = bytes_ * FACTORS[operation] / ((queued_ms or host_ms)["median"] * 1e6)
    point = {"operation": operation, "bytes": bytes_, "hostMs": host_ms, "busGBs": busy}
    return point | ({"deviceMs": queued_ms} if queued_ms else {})


def main() -> None:
    keep_busy(device, 0.5 if on_cuda else 0.0)
    points, left_out = [], {}
    for operation in OPERATIONS:
        for kib in ON_GPU_KIB if on_cuda else ON_CPU_KIB:
            try:
                points.append(measure(operation, kib))
            except (RuntimeError, ValueError) as error:  # Gloo lacks some on CPUs: all ranks are refused alike
                left_out[operation] = str(error).splitlines()[0]
                break
            if rank == 0:
                point = points[-1]
                ms = (point.get("deviceMs") or point["hostMs"])["median"]
                print(f"{operation} {kib} KiB: {ms:.4f} ms, {point['busGBs']:.2f} GB/s", flush=True)
    if rank == 0:
        nccl = ".".join(map(str, torch.cuda.nccl.version())) if on_cuda else None
        backend = dist.get_backend()
        write(
            arguments.out,
            device,
            {"backend": backend, "nccl": nccl, "ranks": size, "cores": os.cpu_count(), "points": points, "leftOut": left_out},
        )
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
