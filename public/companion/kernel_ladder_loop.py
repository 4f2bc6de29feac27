"""A loop of kernel-ladder: the same product a step, by broadcasting and adding up, by matmul, or by matmul of bfloat16.

python3 kernel_ladder_loop.py [folder for the traces]
"""

import torch
from profiling import check, record

N = 1024  # all products of two numbers, 4 GiB of float32
STEPS = 8

device = torch.device("cuda")
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
half_a, half_b = a.bfloat16(), b.bfloat16()
c = torch.zeros(N, N, device=device)


def broadcast(_: int) -> None:
    c.copy_((a[:, :, None] * b).sum(1))


def matmul(_: int) -> None:
    c.copy_(a @ b)


def bfloat16(_: int) -> None:
    c.copy_(half_a @ half_b)


row = a[:1].double().cpu() @ b.double().cpu()
for name, step in {"broadcast": broadcast, "matmul": matmul, "bfloat16": bfloat16}.items():
    c.zero_()
    record(f"torch-kernel-ladder-{name}", STEPS, step)
    check(f"kernel_ladder_loop, {name}", c[:1], row, 2**-7 if name == "bfloat16" else 1e-4)
