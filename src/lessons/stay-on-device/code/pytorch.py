import time

import torch

n, layers = 2048, 8
device = torch.device("cuda")
weights = torch.randn(n, n, device=device) / n**0.5  # results stay as large as their input
first = torch.randn(n, n)


def resident(x: torch.Tensor) -> torch.Tensor:
    for _ in range(layers):
        x = x @ weights  # launches a kernel and returns
    return x


def scalar_back(x: torch.Tensor) -> torch.Tensor:
    for _ in range(layers):
        x = x @ weights
        x.mean().item()  # 4 bytes; the host waits for them
    return x


def round_trips(x: torch.Tensor) -> torch.Tensor:
    for _ in range(layers):
        x = (x.to(device) @ weights).cpu()  # 16 MiB up, 16 MiB back; the host waits for every byte
    return x


for chain, x in ((resident, first.to(device)), (scalar_back, first.to(device)), (round_trips, first)):
    chain(x)  # warm-up
    torch.cuda.synchronize()
    start = time.perf_counter()
    chain(x)
    torch.cuda.synchronize()
    print(f"{chain.__name__:>11}: {(time.perf_counter() - start) * 1e3:.2f} ms")
