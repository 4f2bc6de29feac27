"""Lesson 1's loop: a step launches eight products, and then the host works for 1.5 ms. With .item() in between,
with the numbers read after the loop, and without.

Under the profiler a launch takes the host 50 to 100 µs. The products are longer, so the launches set no pace there.

python3 sync_stalls_loop.py [folder for the traces]
"""

from time import perf_counter

import torch
from profiling import WARM_UP_STEPS, check, record

N = 2048  # 0.34 ms a product on an H200 (51 TFLOP/s)
PRODUCTS = 8  # 2.8 ms
HOST_MS = 1.5
STEPS = 10

torch.set_num_threads(1)
device = torch.device("cuda")
torch.manual_seed(1)
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
c = torch.zeros(N, N, device=device)
losses: list[torch.Tensor] = []
batch = torch.ones(2**16)  # on the CPU: some 0.1 ms a call
row = a[:1].double().cpu() @ b.double().cpu()


def forward_backward() -> None:
    for _ in range(PRODUCTS):
        c.addmm_(a, b)  # c += a @ b: launches a kernel and returns


def host_work() -> None:
    """The next batch: the thread computes, and waits for nothing."""
    until = perf_counter() + HOST_MS / 1e3
    while perf_counter() < until:
        batch.sin_()


def item(_: int) -> None:
    forward_backward()
    c[0, 0].item()  # 4 bytes, and the host goes no further until they are here
    host_work()


def kept(_: int) -> None:
    forward_backward()
    losses.append(c[0, 0].clone())  # stays on the device: the host waits for none of them
    host_work()


def nothing(_: int) -> None:
    forward_backward()
    host_work()


for name, step in (("item", item), ("kept", kept), ("nothing", nothing)):
    c.zero_()
    record(f"torch-sync-stalls-{name}", STEPS, step)
    check(f"sync_stalls_loop, {name}", c[:1], (WARM_UP_STEPS + STEPS) * PRODUCTS * row)
check("sync_stalls_loop, the losses", torch.stack(losses), row[0, 0] * PRODUCTS * torch.arange(1, len(losses) + 1))
