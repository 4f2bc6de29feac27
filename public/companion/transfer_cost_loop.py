"""A loop of transfer-cost: a batch of 4 MiB a step, sent from pinned memory in pieces that are awaited, in pieces, or whole.

python3 transfer_cost_loop.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 1024  # 4 MiB a batch
PIECES = 64  # 64 KiB each
STEPS = 3

device = torch.device("cuda")
torch.manual_seed(1)
weights = torch.randn(N, N, device=device)
total = torch.zeros(N, N, device=device)
batch = torch.randn(N, N).pin_memory()
x = torch.empty(N, N, device=device)


def awaited_pieces(_: int) -> None:
    for there, piece in zip(x.chunk(PIECES), batch.chunk(PIECES)):
        there.copy_(piece, non_blocking=True)
        torch.cuda.synchronize()
    total.addmm_(weights, x)


def pieces(_: int) -> None:
    for there, piece in zip(x.chunk(PIECES), batch.chunk(PIECES)):
        there.copy_(piece, non_blocking=True)
    total.addmm_(weights, x)


def whole(_: int) -> None:
    x.copy_(batch, non_blocking=True)
    total.addmm_(weights, x)


row = weights[:1].double().cpu() @ batch.double()
for name, step in {"awaited-pieces": awaited_pieces, "pieces": pieces, "whole": whole}.items():
    total.zero_()
    x.zero_()
    record(f"torch-transfer-cost-{name}", STEPS, step)
    check(f"transfer_cost_loop, {name}", total[:1], (WARM_UP_STEPS + STEPS) * row)
