"""A loop of ranks: a product a step, summed over two ranks, of which rank 1 first copies its own to the host, reads a number of it, or neither.

torchrun --nproc-per-node 2 ranks_loop.py [folder for the traces]
"""

import os

import torch
import torch.distributed as dist
from profiling import check, record_on_rank_0

N = 2048  # 0.34 ms a product on an H200
STEPS = 10

rank = int(os.environ["RANK"])
torch.cuda.set_device(rank)
device = torch.device("cuda")
dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
weights = torch.randn(N, N, device=device)
x = torch.randn(N, N, device=device) * (rank + 1)
y = torch.zeros(N, N, device=device)
log: list[object] = []


def whole(_: int) -> None:
    torch.mm(x, weights, out=y)
    if rank == 1:
        log.append(y.cpu())
    dist.all_reduce(y)


def number(_: int) -> None:
    torch.mm(x, weights, out=y)
    if rank == 1:
        log.append(y.mean().item())
    dist.all_reduce(y)


def neither(_: int) -> None:
    torch.mm(x, weights, out=y)
    if rank == 1:
        log.append(y.mean())
    dist.all_reduce(y)


row = sum(x[:1].double().cpu() / (rank + 1) * (each + 1) for each in range(dist.get_world_size()))
for name, step in {"whole": whole, "number": number, "neither": neither}.items():
    y.zero_()
    log.clear()
    record_on_rank_0(rank, f"torch-ranks-{name}", STEPS, step)
    check(f"ranks_loop, {name}", y[:1], row @ weights.double().cpu())
dist.destroy_process_group()
