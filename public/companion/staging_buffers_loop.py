"""A loop of staging-buffers: a batch of 64 MiB a step from ordinary memory, through the driver's buffers, through pinned memory that is made
for each batch, or through two pinned buffers in turn.

python3 staging_buffers_loop.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 4096  # 64 MiB
PRODUCTS = 4  # 2.7 ms each on an H200: more than the copies take
STEPS = 8

device = torch.device("cuda")
torch.manual_seed(1)
batches = [torch.randn(N, N) for _ in range(2)]
weights = torch.randn(N, N, device=device)
total = torch.zeros(N, N, device=device)
ring = [torch.empty(N, N, pin_memory=True) for _ in range(2)]
free = [torch.cuda.Event() for _ in range(2)]


def pageable(step: int) -> None:
    batch = batches[step % 2]
    x = batch.to(device)
    for _ in range(PRODUCTS):
        total.addmm_(weights, x)


def pinned_anew(step: int) -> None:
    batch = batches[step % 2]
    x = batch.pin_memory().to(device, non_blocking=True)
    for _ in range(PRODUCTS):
        total.addmm_(weights, x)


def by_ring(step: int) -> None:
    batch = batches[step % 2]
    free[step % 2].synchronize()
    ring[step % 2].copy_(batch)
    x = ring[step % 2].to(device, non_blocking=True)
    free[step % 2].record()
    for _ in range(PRODUCTS):
        total.addmm_(weights, x)


row = weights[:1].double().cpu()
uses = [sum(index % 2 == slot for index in range(WARM_UP_STEPS + STEPS)) for slot in range(2)]
expected = PRODUCTS * sum(count * (row @ batch.double()) for count, batch in zip(uses, batches))
for name, step in {"pageable": pageable, "pinned-anew": pinned_anew, "ring": by_ring}.items():
    total.zero_()
    record(f"torch-staging-buffers-{name}", STEPS, step)
    check(f"staging_buffers_loop, {name}", total[:1], expected)
