"""A training step in a pipeline: each rank has a stage, a batch goes through in micro-batches. GPipe and 1F1B, by NCCL or by Gloo.

Every rank has layers of one model. A batch of the same size is cut into m micro-batches, and each goes forward through all ranks and
back. While the first is under way to the last rank, that one has nothing to do; while the last comes back, the first has not: the bubble.

  gpipe  all micro-batches forward, then all back: a rank keeps the activations of m
  1f1b   one forward, one back, as soon as the first comes back: rank r keeps those of p - r at most

Even stages have LAYERS each; of uneven ones the first rank has half as many more, and the last so many fewer.

  stepMs       from a barrier to the last rank's end, by the host's clock
  bubbleRatio  1 - busy / step, the mean over ranks; busy: forward and backward, by CUDA events (Gloo: by the host's clock)
  modelRatio   the same where messages cost nothing and a stage's time is its layers: (p - 1) / (m + p - 1) for even stages, either way
  held         micro-batches that a rank had gone forward with and not yet back, at most
  peakBytes    what was allocated at most beyond weights and gradients (NCCL only)

Gradients of each run are checked against float64, of the whole model in one process.

torchrun --nproc-per-node 4 pipeline_bubble.py --out torch-pipeline-bubble.json    # measuring.py must lie beside it
torchrun --nproc-per-node 4 pipeline_bubble.py --device cpu
"""

import argparse
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import torch
import torch.distributed as dist
from measuring import interval, keep_busy, synchronize, write
from torch import Tensor, nn

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-pipeline-bubble.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument("--repeats", type=int, default=7)
options = parser.parse_args()
on_cuda = options.device == "cuda"
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_cuda else torch.device("cpu")
if on_cuda:
    torch.cuda.set_device(device)
dist.init_process_group("nccl" if on_cuda else "gloo")
rank, size = dist.get_rank(), dist.get_world_size()
assert size > 1, "a pipeline has two ranks at least"
if not on_cuda:
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // size))

LAYERS = 4
ROWS, WIDTH = (8192, 4096) if on_cuda else (512, 512)
MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64) if on_cuda else (1, 2, 4, 8, 16, 32)
TOLERANCE = 1e-4  # of the largest gradient; sums of 8192 products of float32, sixteen layers deep, were off by 2e-5 on H200s
EVEN = (LAYERS,) * size
STAGES = {"even": EVEN, "uneven": (LAYERS + LAYERS // 2, *EVEN[2:], LAYERS - LAYERS // 2)}
FIRST, LAST = rank == 0, rank == size - 1


def random(seed: int, *shape: int) -> Tensor:
    """Of the same numbers on every rank."""
    return torch.randn(*shape, generator=torch.Generator(device).manual_seed(seed), device=device)


def layers(first: int, count: int) -> nn.Sequential:
    made = nn.Sequential()
    for index in range(first, first + count):
        linear = nn.Linear(WIDTH, WIDTH, bias=False, device=device)
        linear.weight.data.copy_(random(index, WIDTH, WIDTH) * (5 / 3) / WIDTH**0.5)  # what goes through keeps its size
        # Smooth, unlike ReLU: of 3e8 activations some lie so near 0 that float32 and float64 see them on two sides of its corner.
        made.extend([linear, nn.Tanh()])
    return made


def loss_of(y: Tensor, target: Tensor) -> Tensor:
    """A part of the batch's: those of all micro-batches add up to it."""
    return ((y - target) ** 2).sum() / ROWS


batch, targets = random(1000, ROWS, WIDTH), random(1001, ROWS, WIDTH)


class Stage:
    """One rank's part of a step. `kept`: input and output of each micro-batch that has gone forward and not yet back, the oldest first."""

    def __init__(self, model: nn.Sequential, micro_batches: int) -> None:
        self.model = model
        self.rows = ROWS // micro_batches
        self.inputs, self.targets = iter(batch.chunk(micro_batches)), iter(targets.chunk(micro_batches))
        self.kept: deque[tuple[Tensor, Tensor]] = deque()
        self.held = 0
        self.spans: list[tuple[float, float] | tuple[torch.cuda.Event, torch.cuda.Event]] = []
        self.sent: list[tuple[list[dist.Work], Tensor]] = []

    @contextmanager
    def busy(self) -> Iterator[None]:
        if on_cuda:
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()  # behind the wait for what was received
            yield
            end.record()
            self.spans.append((start, end))
        else:
            begun = perf_counter()
            yield
            self.spans.append((begun, perf_counter()))

    def busy_ms(self) -> float:
        """Call it once all has ended."""
        return sum(start.elapsed_time(end) if on_cuda else (end - start) * 1e3 for start, end in self.spans)

    def forward(self, x: Tensor) -> Tensor:
        with self.busy():
            y = self.model(x)
            if LAST:
                y = loss_of(y, next(self.targets))
        self.kept.append((x, y))
        self.held = max(self.held, len(self.kept))
        return y.detach()

    def backward(self, dy: Tensor | None) -> Tensor | None:
        x, y = self.kept.popleft()
        with self.busy():
            y.backward(dy)
        return x.grad

    def exchange(self, peer: int, data: Tensor | None, receives: bool) -> Tensor | None:
        """Sends `data`, and receives. Both at once: two ranks that send first each wait for the other's recv, and hang."""
        arriving = torch.empty(self.rows, WIDTH, device=device) if receives else None
        work = [dist.P2POp(dist.isend, data, peer)] if data is not None else []
        work += [dist.P2POp(dist.irecv, arriving, peer)] if arriving is not None else []
        works = dist.batch_isend_irecv(work)
        if arriving is None:
            self.sent.append((works, data))  # nobody waits for it before the end
        else:
            for each in works:
                each.wait()  # with NCCL the stream waits and the host goes on
        return arriving

    def with_previous(self, dx: Tensor | None = None, receives: bool = False) -> Tensor | None:
        """Sends a gradient, receives an activation. The first rank has the batch."""
        if FIRST:
            return next(self.inputs) if receives else None
        arrived = self.exchange(rank - 1, dx, receives)
        return arrived.requires_grad_() if arrived is not None else None

    def with_next(self, y: Tensor | None = None, receives: bool = False) -> Tensor | None:
        """Sends an activation, receives a gradient. The last rank has the loss."""
        return None if LAST else self.exchange(rank + 1, y, receives)

    def end(self) -> None:
        for works, _ in self.sent:
            for each in works:
                each.wait()


def gpipe(stage: Stage, micro_batches: int) -> None:
    for _ in range(micro_batches):
        stage.with_next(stage.forward(stage.with_previous(receives=True)))
    for _ in range(micro_batches):
        stage.with_previous(stage.backward(stage.with_next(receives=True)))


def one_f_one_b(stage: Stage, micro_batches: int) -> None:
    ahead = min(micro_batches, size - 1 - rank)
    for _ in range(ahead):
        stage.with_next(stage.forward(stage.with_previous(receives=True)))
    steady = micro_batches - ahead
    x = stage.with_previous(receives=True) if steady > 0 else None
    for index in range(steady):
        dy = stage.with_next(stage.forward(x), receives=True)
        x = stage.with_previous(stage.backward(dy), receives=index < steady - 1)
    for _ in range(ahead):
        stage.with_previous(stage.backward(stage.with_next(receives=True)))


SCHEDULES = {"gpipe": gpipe, "1f1b": one_f_one_b}


def model_ratio(schedule: str, stages: tuple[int, ...], micro_batches: int) -> float:
    """Each pass begins when its rank is free and what it needs has arrived; backward takes twice as long as forward."""
    orders = []
    for r in range(size):
        ahead = micro_batches if schedule == "gpipe" else min(micro_batches, size - 1 - r)
        forwards, backs = ([(step, index) for index in range(micro_batches)] for step in (1, -1))
        pairs = [each for pair in zip(forwards[ahead:], backs) for each in pair]
        orders.append(deque(forwards[:ahead] + pairs + backs[micro_batches - ahead :]))
    now, ended = [0] * size, {}
    while any(orders):
        for r, order in enumerate(orders):
            while order:
                step, index = order[0]
                needed = (r - step, step, index)  # forward from the rank before, backward from the one after
                if 0 <= r - step < size and needed not in ended:
                    break
                order.popleft()
                now[r] = max(now[r], ended.get(needed, 0)) + (1 if step > 0 else 2) * stages[r]
                ended[r, step, index] = now[r]
    return 1 - 3 * micro_batches * sum(stages) / (size * max(now))


def of_all(*values: float) -> Tensor:
    """[value][rank]."""
    own = torch.tensor(values, dtype=torch.float64, device=device)
    gathered = [torch.empty_like(own) for _ in range(size)]
    dist.all_gather(gathered, own)
    return torch.stack(gathered, dim=1).cpu()


def run(name: str, model: nn.Sequential, micro_batches: int) -> Tensor:
    """By rank: ms of the step, ms busy, micro-batches held, bytes at most."""
    for parameter in model.parameters():
        parameter.grad.zero_()
    stage = Stage(model, micro_batches)
    dist.barrier()
    synchronize(device)
    allocated = torch.cuda.memory_allocated() if on_cuda else 0
    if on_cuda:
        torch.cuda.reset_peak_memory_stats()
    begun = perf_counter()
    SCHEDULES[name](stage, micro_batches)
    stage.end()
    synchronize(device)
    ms = (perf_counter() - begun) * 1e3
    peak = torch.cuda.max_memory_allocated() - allocated if on_cuda else 0
    return of_all(ms, stage.busy_ms(), stage.held, peak)


def expected_gradients(stages: tuple[int, ...]) -> list[Tensor]:
    """Of this rank's layers, by the whole model in float64; by parts of the batch, since all of it need not fit."""
    whole = layers(0, sum(stages)).double()
    for x, target in zip(batch.split(512), targets.split(512)):
        loss_of(whole(x.double()), target.double()).backward()
    before = sum(stages[:rank])
    return [parameter.grad for parameter in whole.parameters()][before : before + stages[rank]]


def error_of(model: nn.Sequential, expected: list[Tensor]) -> float:
    pairs = zip(model.parameters(), expected, strict=True)
    return max(((got.grad - grad).abs().max() / grad.abs().max()).item() for got, grad in pairs)


def measure(stages: tuple[int, ...]) -> list[dict[str, object]]:
    model = layers(sum(stages[:rank]), stages[rank])
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    expected = expected_gradients(stages)
    runs: dict[tuple[str, int], list[Tensor]] = {(name, m): [] for m in MICRO_BATCHES for name in SCHEDULES}
    errors = {}
    for name, m in runs:  # unmeasured
        run(name, model, m)
        errors[name, m] = of_all(error_of(model, expected)).max().item()
        assert errors[name, m] < TOLERANCE, f"{name}, {m} micro-batches: gradients are off by {errors[name, m]:.1e}"
    del expected
    for _ in range(options.repeats):
        for (name, m), of_it in runs.items():
            of_it.append(run(name, model, m))
    points = []
    for (name, m), of_it in runs.items():
        step = [ms.max().item() for ms, _, _, _ in of_it]
        held = torch.stack([held for _, _, held, _ in of_it]).amax(0).int().tolist()
        limits = [m if name == "gpipe" else min(m, size - r) for r in range(size)]
        assert held == limits, f"{name}, {m} micro-batches: ranks held {held}, not {limits}"
        point: dict[str, object] = {
            "schedule": name,
            "stages": stages,
            "microBatches": m,
            "stepMs": interval(step),
            "bubbleRatio": interval([1 - (busy / ms.max()).mean().item() for ms, busy, _, _ in of_it]),
            "modelRatio": model_ratio(name, stages, m),
            "busyMs": torch.stack([busy for _, busy, _, _ in of_it]).median(0).values.tolist(),
            "held": held,
            "relativeError": errors[name, m],
        }
        if on_cuda:
            point["peakBytes"] = torch.stack([peak for _, _, _, peak in of_it]).amax(0).long().tolist()
        points.append(point)
    return points


def row(point: dict[str, object]) -> str:
    peaks = [f"{peak / 2**20:.0f}" for peak in point.get("peakBytes", [])]
    held = " ".join(map(str, point["held"]))
    share = f"{point['bubbleRatio']['median']:7.1%} {point['modelRatio']:7.1%}"
    return f"{point['schedule']:>5} {point['microBatches']:3} {point['stepMs']['median']:9.2f} {share}  {held:12} {' '.join(peaks)}"


def main() -> None:
    keep_busy(device, 0.5 if on_cuda else 0.0)
    points = []
    for name, stages in STAGES.items():
        of_it = measure(stages)
        points += of_it
        if rank == 0:
            print(f"{name} stages: {' '.join(map(str, stages))} layers")
            print("           m   step ms  bubble   model  held by rank" + (" peak MiB" if on_cuda else ""))
            print("\n".join(map(row, of_it)), flush=True)
    if rank == 0:
        nccl = ".".join(map(str, torch.cuda.nccl.version())) if on_cuda else None
        figures = {"backend": dist.get_backend(), "nccl": nccl, "ranks": size, "cores": os.cpu_count()}
        write(options.out, device, {**figures, "rows": ROWS, "width": WIDTH, "points": points})
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
