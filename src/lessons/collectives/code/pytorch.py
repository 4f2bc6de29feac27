import os
import time

import torch
import torch.distributed as dist

# torchrun --nproc-per-node 4 collectives.py
backend = "nccl" if torch.cuda.device_count() >= int(os.environ["WORLD_SIZE"]) else "gloo"
dist.init_process_group(backend)
rank, size = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", rank) if backend == "nccl" else torch.device("cpu")
if backend == "nccl":
    torch.cuda.set_device(device)


def ring_all_reduce(data: torch.Tensor) -> None:
    """What dist.all_reduce(data) does, written with messages."""
    blocks = list(data.chunk(size))
    behind, ahead = (rank - 1) % size, (rank + 1) % size
    got = torch.empty_like(blocks[0])
    for step in range(2 * (size - 1)):
        # Reduce-scatter: sums grow on their way round. All-gather: whole sums go round.
        reducing = step < size - 1
        mine, theirs = blocks[(rank - step - 1) % size], blocks[(rank - step - 2) % size]
        into = got[: len(theirs)] if reducing else theirs
        ops = [dist.P2POp(dist.isend, mine, ahead), dist.P2POp(dist.irecv, into, behind)]
        for work in dist.batch_isend_irecv(ops):
            work.wait()
        if reducing:
            theirs += into


for kib in (1, 64, 4096):
    data = torch.full((kib * 256,), float(2**rank), device=device)  # 256 floats are 1 KiB
    ring_all_reduce(data)  # warm-up
    dist.barrier()
    start = time.perf_counter()
    dist.all_reduce(data)
    if backend == "nccl":
        torch.cuda.synchronize(device)
    if rank == 0:
        print(f"{kib:>6} KiB: {(time.perf_counter() - start) * 1e3:.3f} ms")

dist.destroy_process_group()
