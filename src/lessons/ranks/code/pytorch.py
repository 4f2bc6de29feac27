# torchrun --nproc-per-node 2 train.py
import os

import torch
import torch.distributed as dist

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # without it all ranks take GPU 0, and NCCL stops
dist.init_process_group("nccl")
rank, size = dist.get_rank(), dist.get_world_size()
other = 1 - rank
torch.manual_seed(1)  # the same a and b on all ranks
a, b = (torch.randn(4096, 4096, device="cuda") for _ in range(2))

rows = a.chunk(size)[rank] @ b
parts = [torch.empty_like(rows) for _ in range(size)] if rank == 0 else None
dist.gather(rows, parts)  # called by all, in the same order

# Both send first, and neither receives:  dist.send(rows, other); dist.recv(theirs, other)
theirs = torch.empty_like(rows)
exchange = [dist.P2POp(dist.isend, rows, other), dist.P2POp(dist.irecv, theirs, other)]
for work in dist.batch_isend_irecv(exchange):
    work.wait()

# Agree first, then branch alike.
loss = rows.square().mean()
is_finite = torch.isfinite(loss).float()
dist.all_reduce(is_finite, op=dist.ReduceOp.MIN)
if is_finite.item() == 1:
    dist.all_reduce(loss)
print(f"rank {rank}: sum of the losses {loss.item():.0f}")
dist.destroy_process_group()
