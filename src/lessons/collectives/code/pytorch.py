# torchrun --nproc-per-node 4 collectives.py
import os
import time

import torch
import torch.distributed as dist

backend = "nccl" if torch.cuda.device_count() >= int(os.environ["WORLD_SIZE"]) else "gloo"
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if backend == "nccl" else torch.device("cpu")
if backend == "nccl":
    torch.cuda.set_device(device)
dist.init_process_group(backend)
rank, size = dist.get_rank(), dist.get_world_size()
behind, ahead = (rank - 1) % size, (rank + 1) % size


def ring(data: torch.Tensor) -> None:
    """An all-reduce of messages to the next rank: sums go round once, then whole sums do."""
    blocks = data.chunk(size)  # their number has to divide the data
    got = torch.empty_like(blocks[0])
    for step in range(2 * (size - 1)):
        is_reducing = step < size - 1  # reduce-scatter, then all-gather
        mine, theirs = blocks[(rank - step - 1) % size], blocks[(rank - step - 2) % size]
        into = got if is_reducing else theirs
        calls = [dist.P2POp(dist.isend, mine, ahead), dist.P2POp(dist.irecv, into, behind)]
        for work in dist.batch_isend_irecv(calls):
            work.wait()
        if is_reducing:
            theirs += got


def milliseconds(all_reduce, kib: int) -> float:
    data = torch.full((kib * 256,), 2.0**rank, device=device)  # 256 floats are 1 KiB
    all_reduce(data)  # the first call sets up
    assert (data == 2**size - 1).all(), "a sum is wrong"
    dist.barrier()
    start = time.perf_counter()
    all_reduce(data)
    if backend == "nccl":
        torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


for kib in (1, 64, 4096):
    library, own = milliseconds(dist.all_reduce, kib), milliseconds(ring, kib)
    if rank == 0:
        print(f"{kib:>6} KiB: dist.all_reduce {library:.3f} ms, the ring of messages {own:.3f} ms")
dist.destroy_process_group()
