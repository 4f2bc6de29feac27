import time

import torch

device = torch.device("cuda")
count = 16 * 2**20  # float32: 64 MiB
batches = [torch.randn(count) for _ in range(4)]  # pageable
there = torch.empty(count, device=device)
cudart = torch.cuda.cudart()


def use() -> None:
    there.sum()  # a kernel that reads the batch


def timed(name: str, work) -> None:
    work()  # warm-up
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(4):
        work()
    torch.cuda.synchronize()
    print(f"{name:>20}: {(time.perf_counter() - start) / 16 * 1e3:6.2f} ms a batch")


def pageable() -> None:  # write-buffer: the driver does the staging
    for batch in batches:
        there.copy_(batch)
        use()


def pinned_anew() -> None:  # mapped-at-creation: new memory is pinned for each batch
    for batch in batches:
        staging = torch.empty(count)
        torch.cuda.check_error(cudart.cudaHostRegister(staging.data_ptr(), 4 * count, 0))  # pins it
        staging.copy_(batch)
        there.copy_(staging, non_blocking=True)
        use()
        torch.cuda.synchronize()  # it may be unpinned only when the copy has ended
        torch.cuda.check_error(cudart.cudaHostUnregister(staging.data_ptr()))


def pin_memory_in_the_loop() -> None:  # PyTorch keeps pinned memory: after the warm-up this is a copy
    for batch in batches:
        there.copy_(batch.pin_memory(), non_blocking=True)
        use()


def in_turn(depth: int):  # 1: reused, 2: ring-2. Pinned once, filled again and again
    ring = [torch.empty(count, pin_memory=True) for _ in range(depth)]
    free = [torch.cuda.Event() for _ in ring]

    def work() -> None:
        for step, batch in enumerate(batches):
            slot = step % depth
            free[slot].synchronize()  # until the copy out of it has ended
            ring[slot].copy_(batch)
            there.copy_(ring[slot], non_blocking=True)
            free[slot].record()
            use()

    return work


timed("pageable", pageable)
timed("pinned anew", pinned_anew)
timed("pin_memory(), kept", pin_memory_in_the_loop)
timed("one buffer", in_turn(1))
timed("ring of two", in_turn(2))

# Holes: one block of the caching allocator is cut into eight, and every second piece is freed.
torch.cuda.empty_cache()
whole = torch.empty(2**29, dtype=torch.uint8, device=device)
del whole  # the allocator keeps it
pieces = [torch.empty(2**26, dtype=torch.uint8, device=device) for _ in range(8)]
del pieces[::2]
holes = torch.cuda.memory_stats()["inactive_split_bytes.all.current"]
for name, size in (
    ("reserved", torch.cuda.memory_reserved()),
    ("allocated", torch.cuda.memory_allocated()),
    ("in holes", holes),
):
    print(f"{name:>20}: {size >> 20} MiB")
