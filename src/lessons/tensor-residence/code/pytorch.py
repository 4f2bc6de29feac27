import time

import torch

n, steps = 4_000_000, 20
device = torch.device("cuda")


def upload() -> torch.Tensor:
    return torch.randn(n).to(device)  # made on the CPU, then 16 MB go to the GPU


def on_device() -> torch.Tensor:
    return torch.randn(n, device=device)  # launches a kernel and returns


def shape() -> torch.Tensor:
    x = torch.randn(n, device=device)
    str(x.shape)  # the host knows it
    return x


def data() -> torch.Tensor:
    x = torch.randn(n, device=device)
    x[0].item()  # waits for the kernel
    return x


for make in (on_device, upload, shape, data):
    make().sum()  # warm-up
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(steps):
        make().sum()  # a kernel that reads it
    torch.cuda.synchronize()
    print(f"{make.__name__:>9}: {(time.perf_counter() - start) * 1e3 / steps:.3f} ms a tensor")
