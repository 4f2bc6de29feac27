"""The PyTorch twin of the experiment starved-by-the-loader: a DataLoader whose batches take longer to make than to compute on.

A batch of ROWS x COLUMNS float32 is decoded from bytes and augmented by one thread. Products on it take the GPU about COMPUTE_MS, and the
making takes MAKING times as long. The loop queues two steps at most, as one does that reads its loss. Medians with intervals, ms:

  points[workers]   by num_workers, prefetch_factor=2
    pageableMs      a step by the host's clock, over STEPS steps after a warm-up: no start of a worker is in it
    pinnedMs        the same with pin_memory=True and a copy that is non_blocking
    computing       of that time, the share for which the GPU computes, pinned (CUDA's events; null without CUDA)
    waitMs          how long the loop waited for each of the first batches after the warm-up, pinned, in the last repeat: the bursts
    firstMs         from iter(loader) to the first batch of the first epoch, pinned: the workers start
    againMs         the same of the second epoch: they start again
    persistentMs    the same of the second epoch with persistent_workers=True
  uneven[ahead]     by prefetch_factor, one worker, pinned: every SLOW_EVERY-th batch takes SLOW times as long as its products and the others
                    FAST times, less than the products in the mean. How far ahead the worker may be decides whether that is hidden
    stepMs
  headStart         one worker, MAKING times as long, prefetch_factor=AHEAD_MOST, and a loop that begins once all of these are made
    waitMs          of each step: none while they last. What is made ahead delays the starving and does not end it

Every batch is checked: the first numbers of each, kept on the device step by step, are those of its own index.

python3 starved_by_the_loader.py [--out torch-starved-by-the-loader.json] [--device cuda]
"""

import argparse
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter, sleep

import torch
from measuring import device_ms, host_ms, interval, keep_busy, rounds, synchronize, write
from torch.utils.data import DataLoader, Dataset

ROWS, COLUMNS = 512, 2048  # 4 MiB: seven images of 224 x 224 pixels, and 128 MiB of shared memory for 16 workers, two batches each
STRIDE = 1021
COMPUTE_MS = 4.0
MAKING = 4.0
WORKERS = 0, 1, 2, 4, 8, 16
AHEAD = 2
IN_FLIGHT = 2
STEPS = 32
WARM_UP = 8
SLOW_EVERY, SLOW, FAST = 16, 8.0, 0.4  # in the mean (8 + 15 * 0.4) / 16 = 0.875 of the products
UNEVEN_STEPS = 3 * SLOW_EVERY
AHEADS = 1, 2, 4, 8
AHEAD_MOST = AHEADS[-1]
KEPT = 8  # numbers of each batch
REPEATS = 5, 9  # at least, at most
SECONDS = 40.0
EPOCHS = 5

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-starved-by-the-loader.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))


class Batches(Dataset[torch.Tensor]):
    """Whole batches: each starts elsewhere in one pool of bytes and is augmented as often as `times` says of its index, in turn."""

    def __init__(self, count: int, times: tuple[int, ...]) -> None:
        generator = torch.Generator().manual_seed(1)
        self.count = count
        self.times = times
        self.samples = torch.randint(0, 256, (ROWS * COLUMNS + count * STRIDE,), dtype=torch.uint8, generator=generator)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> torch.Tensor:
        first = index * STRIDE
        batch = self.samples[first : first + ROWS * COLUMNS].float().sub_(127.5).div_(127.5)
        for _ in range(self.times[index % len(self.times)]):
            batch.mul_(1.25).add_(0.001 * (index % 5)).sin_()
        return batch.view(ROWS, COLUMNS)


def loader(batches: Batches, workers: int, pinned: bool, ahead: int = AHEAD, persistent: bool = False) -> DataLoader[torch.Tensor]:
    options = {"prefetch_factor": ahead, "persistent_workers": persistent} if workers > 0 else {}
    return DataLoader(batches, batch_size=None, num_workers=workers, pin_memory=pinned, **options)  # an item is a batch


@dataclass
class Run:
    step_ms: float
    computing: float | None
    wait_ms: list[float]


class Loop:
    """Takes batches, copies each to the device and multiplies; IN_FLIGHT steps are queued at most."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.weights = torch.randn(COLUMNS, COLUMNS, device=device) / COLUMNS
        self.total = torch.zeros(ROWS, COLUMNS, device=device)
        batch = torch.randn(ROWS, COLUMNS, device=device)
        product = interval([device_ms(lambda: self.total.addmm_(batch, self.weights), 20, device) for _ in range(9)][2:])
        self.products = max(1, round(COMPUTE_MS / product["median"]))
        self.compute_ms = self.products * product["median"]

    def event(self) -> torch.cuda.Event | None:
        """One that is recorded on the stream: it has passed once all that was queued before it has."""
        if self.device.type != "cuda":
            return None
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def step(self, batch: torch.Tensor) -> tuple[torch.Tensor, torch.cuda.Event | None, torch.cuda.Event | None]:
        on_device = batch.to(self.device, non_blocking=True)
        begin = self.event()  # behind the copy
        for _ in range(self.products):
            self.total.addmm_(on_device, self.weights)
        return on_device, begin, self.event()

    def run(self, source: Iterator[torch.Tensor], batches: Batches, warm_up: int) -> Run:
        kept = torch.zeros(len(batches), KEPT, device=self.device)
        computed, waits = [], []
        start = 0.0
        for index in range(len(batches)):
            if index == warm_up:
                synchronize(self.device)
                start = perf_counter()
            begun = perf_counter()
            batch = next(source)
            waits.append((perf_counter() - begun) * 1e3)
            on_device, *events = self.step(batch)
            kept[index].copy_(on_device.view(-1)[:KEPT])
            computed.append(events)
            if index >= IN_FLIGHT and (ended := computed[index - IN_FLIGHT][1]):
                ended.synchronize()
        synchronize(self.device)
        took_ms = (perf_counter() - start) * 1e3
        for index in (0, 1, warm_up, len(batches) - 1):
            assert torch.equal(kept[index].cpu(), batches[index].view(-1)[:KEPT]), f"not batch {index}"
        # Neighbours begin STRIDE bytes apart: one that came twice, or was overtaken, shows.
        firsts = batches.samples[: len(batches) * STRIDE].view(-1, STRIDE)[:, :KEPT]
        same = (firsts[1:] == firsts[:-1]).all(1)
        assert torch.equal((kept[1:] == kept[:-1]).all(1).cpu(), same), "a batch came twice"
        measured = computed[warm_up:]
        busy_ms = sum(begin.elapsed_time(end) for begin, end in measured if begin and end)
        return Run(
            took_ms / len(measured), busy_ms / took_ms if self.device.type == "cuda" else None, waits[warm_up:]
        )


def augmenting(device: torch.device) -> tuple[float, float]:
    """ms of a batch that is only decoded, and of one augmentation, in this thread."""

    def make_ms(times: int) -> float:
        batches = Batches(1, (times,))
        return interval([host_ms(lambda: batches[0], device) for _ in range(9)][2:])["median"]

    decode_ms = make_ms(0)
    return decode_ms, (make_ms(8) - decode_ms) / 8


def first_batches(batches: Batches, workers: int) -> dict[str, float]:
    """ms from iter() to the first batch, of the first epoch and of the second; the latter with workers that persist, too."""
    found: dict[str, list[float]] = {"firstMs": [], "againMs": [], "persistentMs": []}
    pinned = torch.cuda.is_available()

    def epoch_ms(batches_of: DataLoader[torch.Tensor]) -> float:
        begun = perf_counter()
        source = iter(batches_of)
        next(source)
        took_ms = (perf_counter() - begun) * 1e3
        for _ in source:
            pass
        return took_ms

    for _ in range(EPOCHS):
        anew = loader(batches, workers, pinned)
        found["firstMs"].append(epoch_ms(anew))
        found["againMs"].append(epoch_ms(anew))
        if workers > 0:
            persistent = loader(batches, workers, pinned, persistent=True)
            epoch_ms(persistent)
            found["persistentMs"].append(epoch_ms(persistent))
    return {name: interval(values) for name, values in found.items() if values}


def measure(loop: Loop) -> dict[str, object]:
    on_cuda = loop.device.type == "cuda"
    decode_ms, augment_ms = augmenting(loop.device)

    def times(ratio: float) -> int:
        return max(0, round((ratio * loop.compute_ms - decode_ms) / augment_ms))

    even = (times(MAKING),)
    uneven = (times(FAST),) * (SLOW_EVERY - 1) + (times(SLOW),)
    runs: dict[tuple[str, int], list[Run]] = {}

    def measured(name: str, setting: int, batches: Batches, warm_up: int, **options: int | bool):
        def work() -> float:
            run = loop.run(iter(loader(batches, **options)), batches, warm_up)
            runs.setdefault((name, setting), []).append(run)
            return run.step_ms

        return work

    works = {}
    for workers in WORKERS:
        warm_up = max(WARM_UP, workers * AHEAD)
        batches = Batches(warm_up + STEPS, even)
        for name, pinned in (("pageableMs", False), ("pinnedMs", True)):
            if on_cuda or not pinned:
                works[name, workers] = measured(name, workers, batches, warm_up, workers=workers, pinned=pinned)
    slow_ones = Batches(SLOW_EVERY + UNEVEN_STEPS, uneven)
    for ahead in AHEADS:
        works["stepMs", ahead] = measured(
            "stepMs", ahead, slow_ones, SLOW_EVERY, workers=1, pinned=on_cuda, ahead=ahead
        )
    step_ms = rounds(works, *REPEATS, SECONDS)
    make = Batches(1, even)
    make_ms = interval([host_ms(lambda: make[0], loop.device) for _ in range(9)][2:])

    points = []
    for workers in WORKERS:
        point: dict[str, object] = {"workers": workers}
        for name in ("pageableMs", "pinnedMs"):
            if (name, workers) in step_ms:
                point[name] = interval(step_ms[name, workers])
        last = runs["pinnedMs" if on_cuda else "pageableMs", workers]
        point["computing"] = interval([run.computing for run in last[1:]]) if on_cuda else None
        point["waitMs"] = [round(wait, 3) for wait in last[-1].wait_ms]
        points.append(point | first_batches(Batches(max(2, AHEAD * workers), even), workers))
    print(f"making {make_ms['median']:.2f} ms, computing {loop.compute_ms:.2f} ms")
    for point in points:
        print({name: round(value["median"], 3) for name, value in point.items() if isinstance(value, dict)}, point["workers"])

    starving = Batches(AHEAD_MOST + STEPS, even)
    source = iter(loader(starving, 1, on_cuda, ahead=AHEAD_MOST))
    sleep(2 * AHEAD_MOST * make_ms["median"] / 1e3)
    waits = loop.run(source, starving, 0).wait_ms
    found = {ahead: interval(step_ms["stepMs", ahead]) for ahead in AHEADS}
    print("uneven, by how many are made ahead:", {ahead: round(value["median"], 3) for ahead, value in found.items()})
    print("after a head start, waits:", [round(wait, 1) for wait in waits])
    return {
        "startMethod": multiprocessing.get_start_method(),
        "steps": STEPS,
        "products": loop.products,
        "computeMs": loop.compute_ms,
        "makeMs": make_ms,
        "making": make_ms["median"] / loop.compute_ms,
        "points": points,
        "uneven": [{"ahead": ahead, "stepMs": value} for ahead, value in found.items()],
        "headStart": {"ahead": AHEAD_MOST, "waitMs": [round(wait, 3) for wait in waits]},
    }


def main() -> None:
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    torch.manual_seed(1)
    torch.set_num_threads(1)  # the loop is one thread, as each worker is
    keep_busy(device, 0.5)
    loop = Loop(device)
    write(arguments.out, device, measure(loop))


if __name__ == "__main__":
    main()
