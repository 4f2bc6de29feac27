"""A loop of command-queue: 64 small products a step, each awaited, each launched by itself, or all launched as one CUDA graph.

python3 command_queue_loop.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 64
KERNELS = 64
STEPS = 3

device = torch.device("cuda")
torch.manual_seed(1)
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
c = torch.zeros(N, N, device=device)


def awaited(_: int) -> None:
    for _ in range(KERNELS):
        c.addmm_(a, b)
        torch.cuda.synchronize()


def launched(_: int) -> None:
    for _ in range(KERNELS):
        c.addmm_(a, b)


launched(0)  # the library picks a kernel
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    launched(0)


def replayed(_: int) -> None:
    graph.replay()


row = a[:1].double().cpu() @ b.double().cpu()
for name, step in {"awaited": awaited, "launched": launched, "graph": replayed}.items():
    c.zero_()
    record(f"torch-command-queue-{name}", STEPS, step)
    check(f"command_queue_loop, {name}", c[:1], KERNELS * (WARM_UP_STEPS + STEPS) * row)
