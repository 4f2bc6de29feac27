"""The PyTorch twin of the experiment async-submission: launches queued, each awaited, and two in the queue at most.

python3 async_submission.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 4096  # 2.7 ms a product on an H200
STEPS = 12

device = torch.device("cuda")
torch.manual_seed(1)
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
c = torch.zeros(N, N, device=device)
ended = [torch.cuda.Event() for _ in range(2)]
row = a[:1].double().cpu() @ b.double().cpu()


def awaited(step: int) -> None:
    c.addmm_(a, b)
    torch.cuda.synchronize()  # blocks this thread until the device is done


def bounded(step: int) -> None:
    ended[step % 2].synchronize()  # until the product before the last one is done
    c.addmm_(a, b)
    ended[step % 2].record()


def queued(step: int) -> None:
    c.addmm_(a, b)  # launches a kernel and returns


for name, step in (("awaited", awaited), ("bounded", bounded), ("queued", queued)):
    c.zero_()
    record(f"torch-async-submission-{name}", STEPS, step)
    check(f"async_submission, {name}", c[:1], (WARM_UP_STEPS + STEPS) * row)
