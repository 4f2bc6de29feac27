"""`.item()` in a training step as people write it: forward, loss, backward, AdamW, and host work for the logger and the next batch.

BLOCKS residual blocks of an MLP, `launches` kernels a step. After each step the host is busy for HOST_MS. Five ways to the loss:

  item    loss.item() after each step
  tenth   loss.item() after every tenth step
  late    a copy of the loss into pinned memory behind each step, read one step later by its event
  none    nothing is read
  graph, graphItem   the whole step as one CUDA graph: without a read, and with .item() after each step

`<way>.stepMs` is a step between CUDA events behind the steps, over STEPS steps after WARM_UP others; `<way>.busyRatio` is deviceMs / stepMs, or
graphDeviceMs / stepMs. These are one step whose launches are queued behind other work, launchMs and graphLaunchMs the host's time for them. Medians of windows that take turns; low
and high hold the true median with 90 %, or are the lowest and the highest of few. The first loss is checked against float64 on the CPU, and
the losses of all ways against each other.

python3 training_step.py [--out torch-training-step.json]
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import Interval, interval, keep_busy, rounds, write
from torch import nn
from torch.profiler import ProfilerActivity, profile

BLOCKS, WIDTH, ROWS = 16, 512, 1024
HOST_MS = 4.0
STEPS, WARM_UP = 20, 5
REPEATS = 5, 9  # at least, at most
SECONDS = 20.0
AHEAD_N = 4096  # 2.7 ms a product on an H200

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-training-step.json")
arguments = parser.parse_args()
device = torch.device("cuda")
torch.set_float32_matmul_precision("highest")  # float32, no TF32


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(x)


torch.manual_seed(1)
model = nn.Sequential(*(Block() for _ in range(BLOCKS)), nn.Linear(WIDTH, 1)).to(device)
start = [p.detach().clone() for p in model.parameters()]
x, target = torch.randn(ROWS, WIDTH, device=device), torch.randn(ROWS, 1, device=device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, capturable=True)  # the same kernels in a graph and without


def train() -> torch.Tensor:
    loss = nn.functional.mse_loss(model(x), target)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)  # a graph needs gradients that stay where they are
    return loss


def reset() -> None:
    with torch.no_grad():
        for p, first in zip(model.parameters(), start):
            p.copy_(first)
        for state in optimizer.state.values():
            for value in state.values():
                value.zero_()
    torch.cuda.synchronize()


def spin(ms: float) -> None:
    begun = perf_counter()
    while (perf_counter() - begun) * 1e3 < ms:
        pass


def event() -> torch.cuda.Event:
    made = torch.cuda.Event(enable_timing=True)
    made.record()
    return made


first_loss = train().item()
double = nn.Sequential(*(Block() for _ in range(BLOCKS)), nn.Linear(WIDTH, 1)).double()
with torch.no_grad():
    for p, first in zip(double.parameters(), start):
        p.copy_(first)
    expected = nn.functional.mse_loss(double(x.double().cpu()), target.double().cpu()).item()
assert abs(first_loss / expected - 1) < 1e-4, f"the first loss is {first_loss}, not {expected}"

side = torch.cuda.Stream()  # what is captured has to have run on a side stream before
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        train()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    captured = train()
last: dict[str, float] = {}


def replay() -> torch.Tensor:
    graph.replay()
    return captured


def window(way: str) -> float:
    reset()
    step = replay if way.startswith("graph") else train
    ends, seen, kept = [], [], []
    loss = captured
    for index in range(WARM_UP + STEPS):
        loss = step()
        if way in ("item", "graphItem") or (way == "tenth" and index % 10 == 9):
            seen.append(loss.item())
        if way == "late":
            kept.append((torch.empty((), pin_memory=True).copy_(loss.detach(), non_blocking=True), event()))
            if len(kept) > 1:
                number, copied = kept.pop(0)
                copied.synchronize()
                seen.append(number.item())  # on the CPU: waits for nothing
        ends.append(event())
        spin(HOST_MS)
    torch.cuda.synchronize()
    last[way] = loss.item()
    return ends[WARM_UP - 1].elapsed_time(ends[-1]) / STEPS


def device_ms(step: Callable[[], object]) -> float:
    """Behind as many products as outlast the launches of a step."""
    for products in (8, 16, 32, 64):
        torch.cuda.synchronize()
        for _ in range(products):
            torch.mm(ahead, ahead, out=product)
        begin = event()
        step()
        end = event()
        was_queued = not begin.query()
        torch.cuda.synchronize()
        if was_queued:
            return begin.elapsed_time(end)
    raise RuntimeError("the device was faster than the launches: nothing was queued")


def launch_ms(step: Callable[[], object]) -> float:
    torch.cuda.synchronize()
    begun = perf_counter()
    step()
    took = perf_counter() - begun
    torch.cuda.synchronize()
    return took * 1e3


ahead = torch.ones(AHEAD_N, AHEAD_N, device=device)
product = torch.empty_like(ahead)
keep_busy(device, 0.5)
ways = ("item", "tenth", "late", "none", "graph", "graphItem")
works = {way: lambda way=way: window(way) for way in ways} | {
    "deviceMs": lambda: device_ms(train),
    "graphDeviceMs": lambda: device_ms(replay),
    "launchMs": lambda: launch_ms(train),
    "graphLaunchMs": lambda: launch_ms(replay),
}
times = {name: interval(values) for name, values in rounds(works, *REPEATS, SECONDS).items()}
assert all(abs(loss / last["none"] - 1) < 1e-2 for loss in last.values()), f"the ways end with other losses: {last}"
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
    train()
    torch.cuda.synchronize()
launches = sum(1 for each in profiler.events() if each.device_type == torch.autograd.DeviceType.CUDA)


def busy(way: str) -> Interval:
    device_ms = times["graphDeviceMs" if way.startswith("graph") else "deviceMs"]["median"]
    step = times[way]
    return {"median": device_ms / step["median"], "low": device_ms / step["high"], "high": device_ms / step["low"]}


found = {way: {"stepMs": times[way], "busyRatio": busy(way)} for way in ways}
alone = {name: times[name] for name in ("deviceMs", "launchMs", "graphDeviceMs", "graphLaunchMs")}
for name, value in (found | alone).items():
    print(name, value)
write(arguments.out, device, {"blocks": BLOCKS, "width": WIDTH, "rows": ROWS, "hostMs": HOST_MS, "launches": launches, **alone, **found})
