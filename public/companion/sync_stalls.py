"""The PyTorch twin of the experiment sync-stalls: the same steps, with .item() after each, without, and with all of them read at the end.

Under the profiler a launch takes the host 50 to 100 µs. Products that are shorter than that would leave the device idle without any .item().

python3 sync_stalls.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 2048  # 0.34 ms a product on an H200 (51 TFLOP/s): longer than a launch under the profiler
STEPS = 16

device = torch.device("cuda")
torch.manual_seed(1)
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
c = torch.zeros(N, N, device=device)
losses: list[torch.Tensor] = []
row = a[:1].double().cpu() @ b.double().cpu()


def stalled(_: int) -> None:
    c.addmm_(a, b)  # c += a @ b: launches a kernel and returns
    c[0, 0].item()  # 4 bytes, and the host goes no further until they are here


def mended(_: int) -> None:
    c.addmm_(a, b)


def late(_: int) -> None:
    c.addmm_(a, b)
    losses.append(c[0, 0].clone())  # stays on the device: the host waits for none of them


for name, step in (("stalled", stalled), ("late", late), ("mended", mended)):
    c.zero_()
    record(f"torch-sync-stalls-{name}", STEPS, step)
    check(f"sync_stalls, {name}", c[:1], (WARM_UP_STEPS + STEPS) * row)
check("sync_stalls, the losses", torch.stack(losses), row[0, 0] * torch.arange(1, len(losses) + 1))
