"""A loop of tensor-residence: a tensor of random numbers a step, made by the CPU and sent, made in pinned memory and sent, or made by the GPU.

python3 tensor_residence_loop.py [folder for the traces]
"""

import torch
from profiling import check, record

N = 2048  # 4 Mi numbers; 0.34 ms a product on an H200
STEPS = 8

device = torch.device("cuda")
torch.manual_seed(1)
torch.cuda.manual_seed(1)
weights = torch.randn(N, N, device=device)
y = torch.zeros(N, N, device=device)
pinned = torch.empty(N, N, pin_memory=True)
copied = torch.cuda.Event()
last: dict[str, torch.Tensor] = {}


def from_cpu(_: int) -> None:
    x = torch.randn(N, N).to(device)
    torch.mm(x, weights, out=y)
    last["x"] = x


def from_pinned(_: int) -> None:
    copied.synchronize()
    torch.randn(N, N, out=pinned)
    x = pinned.to(device, non_blocking=True)
    copied.record()
    torch.mm(x, weights, out=y)
    last["x"] = x


def on_device(_: int) -> None:
    x = torch.randn(N, N, device=device)
    torch.mm(x, weights, out=y)
    last["x"] = x


for name, step in {"from-cpu": from_cpu, "from-pinned": from_pinned, "on-device": on_device}.items():
    y.zero_()
    record(f"torch-tensor-residence-{name}", STEPS, step)
    x = last["x"].double().cpu()
    check(f"tensor_residence_loop, {name}", y[:1], x[:1] @ weights.double().cpu())
    # Mean 0 and variance 1, each within six standard errors.
    assert abs(x.mean().item()) < 6 / N and abs(x.var().item() - 1) < 6 * 2**0.5 / N, f"{name}: other numbers"
