"""A loop of worth-it: a product of two small matrices in the host's memory, needed there, by the CPU or by the GPU.

python3 worth_it_loop.py [folder for the traces]
"""

import torch
from profiling import check, record

N = 128
STEPS = 16

device = torch.device("cuda")
torch.manual_seed(1)
a, b, c = torch.randn(N, N), torch.randn(N, N), torch.zeros(N, N)
pinned_a, pinned_b, pinned_c = a.pin_memory(), b.pin_memory(), c.pin_memory()
results: list[torch.Tensor] = []


def by_gpu(_: int) -> None:
    c = a.to(device) @ b.to(device)
    results.append(c.cpu())


def by_gpu_pinned(_: int) -> None:
    c = pinned_a.to(device, non_blocking=True) @ pinned_b.to(device, non_blocking=True)
    pinned_c.copy_(c, non_blocking=True)
    torch.cuda.synchronize()
    results.append(pinned_c.clone())


def by_cpu(_: int) -> None:
    c = a @ b
    results.append(c)


for name, step in {"gpu": by_gpu, "gpu-pinned": by_gpu_pinned, "cpu": by_cpu}.items():
    results.clear()
    record(f"torch-worth-it-{name}", STEPS, step)
    check(f"worth_it_loop, {name}", torch.stack(results), (a.double() @ b.double()).expand(len(results), N, N))
