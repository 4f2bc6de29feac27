"""Which calls on a CUDA tensor wait for the work that was queued before, without saying so: the PyTorch side of tensor-residence.

The host's time of each call behind a kernel of queuedMs that has begun: a call that waits takes as long, one that does not takes µs.
x has 2**20 float32, an index 1,000 entries, a list 1,000 numbers. Medians with intervals.

  shapeUs        x.shape                    whereUs       torch.where(mask, x, 0.0)
  gpuIndexUs     x[index on the GPU]        cpuIndexUs    x[index on the CPU]         listIndexUs   x[[0, 2]]
  maskUs         x[mask]                    nonzeroUs     mask.nonzero()
  torchTensorUs  torch.tensor(list, device="cuda")
  itemUs         x[0].item()                moveUs        pinned.to("cuda", non_blocking=True)

Results are checked against those of the CPU.

python3 hidden_waits.py [--out torch-hidden-waits.json]
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import device_ms, interval, keep_busy, rounds, synchronize, write

COUNT, ENTRIES = 2**20, 1000
QUEUED_MS = 5.0
REPEATS = 9, 21  # at least, at most
SECONDS = 5.0

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-hidden-waits.json")
arguments = parser.parse_args()
device = torch.device("cuda")
torch.manual_seed(1)

host_x = torch.randn(COUNT)
x = host_x.to(device)
mask = x > 0
host_index = torch.randint(COUNT, (ENTRIES,))
index = host_index.to(device)
numbers = host_x[:ENTRIES].tolist()
pinned = host_x[:ENTRIES].pin_memory()

keep_busy(device, 0.5)
TRIAL_CYCLES = 10_000_000
per_ms = TRIAL_CYCLES / device_ms(lambda: torch.cuda._sleep(TRIAL_CYCLES), 5, device)
cycles = int(QUEUED_MS * per_ms)

ways: dict[str, Callable[[], object]] = {
    "shapeUs": lambda: x.shape,
    "whereUs": lambda: torch.where(mask, x, 0.0),
    "gpuIndexUs": lambda: x[index],
    "cpuIndexUs": lambda: x[host_index],
    "listIndexUs": lambda: x[[0, 2]],
    "maskUs": lambda: x[mask],
    "nonzeroUs": lambda: mask.nonzero(),
    "torchTensorUs": lambda: torch.tensor(numbers, device=device),
    "itemUs": lambda: x[0].item(),
    "moveUs": lambda: pinned.to(device, non_blocking=True),
}
right = {
    "gpuIndexUs": host_x[host_index],
    "cpuIndexUs": host_x[host_index],
    "listIndexUs": host_x[[0, 2]],
    "maskUs": host_x[host_x > 0],
    "nonzeroUs": (host_x > 0).nonzero(),
    "torchTensorUs": host_x[:ENTRIES],
    "moveUs": host_x[:ENTRIES],
    "whereUs": torch.where(host_x > 0, host_x, 0.0),
}
for way, expected in right.items():
    assert torch.equal(ways[way]().cpu(), expected), f"{way}: other numbers"


def behind_work(call: Callable[[], object]) -> float:
    synchronize(device)
    torch.cuda._sleep(cycles)
    start = perf_counter()
    call()
    us = (perf_counter() - start) * 1e6
    synchronize(device)
    return us


times = rounds({way: lambda call=call: behind_work(call) for way, call in ways.items()}, *REPEATS, SECONDS)
queued = [device_ms(lambda: torch.cuda._sleep(cycles), 1, device) for _ in range(REPEATS[0])]
figures = {"queuedMs": interval(queued)} | {way: interval(values) for way, values in times.items()}
for way, value in figures.items():
    print(f"{way:>14}: {value['median']:.3f}")
write(arguments.out, device, figures)
