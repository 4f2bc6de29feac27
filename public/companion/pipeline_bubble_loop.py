"""A loop of pipeline-bubble: a batch a step through two stages and back, on two GPUs, in one part, in four or in sixteen (GPipe).

torchrun --nproc-per-node 2 pipeline_bubble_loop.py [folder for the traces]
"""

import os

import torch
import torch.distributed as dist
from profiling import WARM_UP_STEPS, check, record_on_rank_0

ROWS, N = 16384, 4096  # 11 ms a product of the whole batch on an H200
STEPS = 4

rank = int(os.environ["RANK"])
torch.cuda.set_device(rank)
device = torch.device("cuda")
dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
batch = torch.randn(ROWS, N, device=device)
stages = [torch.randn(N, N, device=device) / N**0.5 for _ in range(2)]
weights = stages[rank]
gradient = torch.zeros(N, N, device=device)
kept: list[tuple[torch.Tensor, torch.Tensor]] = []  # of the forward passes whose backward passes are to come
sent: list[dist.Work] = []


def forward(part: torch.Tensor) -> None:
    if rank == 1:
        part = torch.empty_like(part)
        dist.recv(part, 0)
    result = part @ weights
    if rank == 0:
        sent.append(dist.isend(result, 1))
    kept.append((part, result))


def backward() -> None:
    part, result = kept.pop(0)
    above = result  # the gradient of half the sum of squares
    if rank == 0:
        above = torch.empty_like(result)
        dist.recv(above, 1)
    below = above @ weights.T  # rank 0 has nobody to send it to; with it the stages are even, three products a part each
    if rank == 1:
        sent.append(dist.isend(below, 0))
    gradient.addmm_(part.T, above)


def whole(_: int) -> None:
    parts = batch.chunk(1)
    for part in parts:
        forward(part)
    for part in parts:
        backward()
    while sent:
        sent.pop().wait()


def four(_: int) -> None:
    parts = batch.chunk(4)
    for part in parts:
        forward(part)
    for part in parts:
        backward()
    while sent:
        sent.pop().wait()


def sixteen(_: int) -> None:
    parts = batch.chunk(16)
    for part in parts:
        forward(part)
    for part in parts:
        backward()
    while sent:
        sent.pop().wait()


between = batch.double() @ stages[0].double()
last = between @ stages[1].double()
expected = (
    batch[:, :1].double().T @ (last @ stages[1].double().T) if rank == 0 else between[:, :1].T @ last
).cpu()
del between, last
for name, step in {"whole": whole, "four": four, "sixteen": sixteen}.items():
    gradient.zero_()
    record_on_rank_0(rank, f"torch-pipeline-bubble-{name}", STEPS, step)
    check(f"pipeline_bubble_loop, {name}", gradient[:1], (WARM_UP_STEPS + STEPS) * expected)
dist.destroy_process_group()
