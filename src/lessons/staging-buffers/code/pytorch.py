import time

import torch

device = torch.device("cuda")
count = 16 * 2**20  # float32: 64 MiB
batches = [torch.randn(count) for _ in range(4)]  # pageable
there = torch.empty(count, device=device)


def timed(name: str, work) -> None:
    work()  # warm-up
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(4):
        work()
    torch.cuda.synchronize()
    print(f"{name:>12}: {(time.perf_counter() - start) / 16 * 1e3:6.2f} ms a batch")


def pageable() -> None:  # write-buffer: the driver does the staging
    for batch in batches:
        there.copy_(batch)


def pinned_anew() -> None:  # mapped-at-creation: pinned memory for each batch
    for batch in batches:
        there.copy_(batch.pin_memory(), non_blocking=True)


ring = [torch.empty(count, pin_memory=True) for _ in range(2)]
free = [torch.cuda.Event() for _ in ring]


def ring_of_two() -> None:  # ring-2: pinned once, filled again and again
    for step, batch in enumerate(batches):
        slot = step % 2
        free[slot].synchronize()  # until the copy out of it has ended
        ring[slot].copy_(batch)
        there.copy_(ring[slot], non_blocking=True)
        free[slot].record()


for name, work in (("pageable", pageable), ("pinned anew", pinned_anew), ("ring of two", ring_of_two)):
    timed(name, work)

# The caching allocator: what it holds, and what tensors use of it.
blocks = [torch.empty(2**24, device=device) for _ in range(8)]
del blocks[::2]  # holes
print(f"reserved {torch.cuda.memory_reserved() >> 20} MiB, allocated {torch.cuda.memory_allocated() >> 20} MiB")
