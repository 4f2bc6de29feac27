"""A loop of collectives: eight gradients a step, averaged over all ranks each as soon as it is there, all at the end, or beside the next products.

torchrun --nproc-per-node 2 collectives_loop.py [folder for the traces]
"""

import os

import torch
import torch.distributed as dist
from profiling import check, record_on_rank_0

N = 2048  # 16 MiB a gradient, 0.34 ms a product on an H200
GRADIENTS = 8
STEPS = 6

rank = int(os.environ["RANK"])
torch.cuda.set_device(rank)
device = torch.device("cuda")
dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
weights = torch.randn(N, N, device=device)
inputs = [torch.randn(N, N, device=device) * (rank + 1) for _ in range(GRADIENTS)]
everything = torch.zeros(GRADIENTS, N, N, device=device)
gradients = list(everything)
sums: list[dist.Work] = []


def one_by_one(_: int) -> None:
    for gradient, x in zip(gradients, inputs):
        torch.mm(x, weights, out=gradient)
        dist.all_reduce(gradient, dist.ReduceOp.AVG)


def at_the_end(_: int) -> None:
    for gradient, x in zip(gradients, inputs):
        torch.mm(x, weights, out=gradient)
    dist.all_reduce(everything, dist.ReduceOp.AVG)


def beside(_: int) -> None:
    for gradient, x in zip(gradients, inputs):
        torch.mm(x, weights, out=gradient)
        sums.append(dist.all_reduce(gradient, dist.ReduceOp.AVG, async_op=True))
    while sums:
        sums.pop().wait()


world = dist.get_world_size()
rows = sum(inputs[-1][:1].double().cpu() / (rank + 1) * (each + 1) for each in range(world)) / world
for name, step in {"one-by-one": one_by_one, "at-the-end": at_the_end, "beside": beside}.items():
    everything.zero_()
    record_on_rank_0(rank, f"torch-collectives-{name}", STEPS, step)
    check(f"collectives_loop, {name}", gradients[-1][:1], rows @ weights.double().cpu())
dist.destroy_process_group()
