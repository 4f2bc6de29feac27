# torchrun --nproc-per-node 4 train.py
import os
import time

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe

backend = "nccl" if torch.cuda.device_count() >= int(os.environ["WORLD_SIZE"]) else "gloo"
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if backend == "nccl" else torch.device("cpu")
if backend == "nccl":
    torch.cuda.set_device(device)
else:
    torch.set_num_threads(1)  # a core for each rank
dist.init_process_group(backend)
rank, size = dist.get_rank(), dist.get_world_size()
rows, width = (8192, 4096) if backend == "nccl" else (512, 512)

torch.manual_seed(rank)
layers = torch.nn.Sequential(*(torch.nn.Linear(width, width) for _ in range(4))).to(device)  # this rank's stage
batch = torch.randn(rows, width, device=device)


def step(schedule) -> float:
    """In ms."""
    layers.zero_grad()
    dist.barrier()
    start = time.perf_counter()
    if rank == 0:
        schedule.step(batch)  # the only rank that is given the batch
    elif rank == size - 1:
        schedule.step(target=batch)  # the only one with a loss
    else:
        schedule.step()
    dist.barrier()
    if backend == "nccl":
        torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


for kind in (ScheduleGPipe, Schedule1F1B):
    for count in (4, 8, 16, 32):
        stage = PipelineStage(layers, rank, size, device)
        schedule = kind(stage, n_microbatches=count, loss_fn=torch.nn.functional.mse_loss)
        step(schedule)  # the first one tells shapes to the next rank
        took = sorted(step(schedule) for _ in range(5))[2]
        if rank == 0:
            bubble = (size - 1) / (count + size - 1)
            print(f"{kind.__name__}, {count} micro-batches: {took:.2f} ms, by the formula {bubble:.0%} of it idle")
dist.destroy_process_group()
