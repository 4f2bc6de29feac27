"""The PyTorch twin of the experiment sync-stalls: the same steps, with .item() after each, and without.

The product is as long as its stall: N is `half` of torch-sync-stalls-curve.json in the folder (sync_stalls_curve.py), or 704 without it.

python3 sync_stalls.py [folder for the traces]
"""

import json
import sys
from pathlib import Path

import torch
from profiling import WARM_UP_STEPS, check, record

curve = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "torch-sync-stalls-curve.json"
N = json.loads(curve.read_text())["half"] if curve.exists() else 704
STEPS = 64

device = torch.device("cuda")
torch.manual_seed(1)
a = torch.randn(N, N, device=device)
b = torch.randn(N, N, device=device)
c = torch.zeros(N, N, device=device)
row = a[:1].double().cpu() @ b.double().cpu()


def stalled(_: int) -> None:
    c.addmm_(a, b)  # c += a @ b: launches a kernel and returns
    c[0, 0].item()  # 4 bytes, and the host goes no further until they are here


def mended(_: int) -> None:
    c.addmm_(a, b)


for name, step in (("stalled", stalled), ("mended", mended)):
    c.zero_()
    record(f"torch-sync-stalls-{name}", STEPS, step)
    check(f"sync_stalls, {name}", c[:1], (WARM_UP_STEPS + STEPS) * row)
