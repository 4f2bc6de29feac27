"""Who makes the batches, and a copy to the CPU that is read too early: the DataLoader's side of overlapped-uploads.

A batch of N x N float32 is decoded from bytes and augmented, by one thread, for about as long as the products on it take. Milliseconds of a
step by the host's clock, over STEPS batches after WARM_UP others, so that no start of a worker is in them. Medians with intervals:

  atHandMs          pinned batches that are there already
  inlineMs          DataLoader(num_workers=0): the loop makes its batches
  inlinePinnedMs    the same with pin_memory=True: non_blocking, and the loop still makes its batches
  inlineThreadsMs   as inlineMs, with all of the process's threads in place of one
  workerMs          num_workers=1, prefetch_factor=2
  workerPinnedMs    the same with pin_memory=True
  workersMs         num_workers=4, prefetch_factor=2
  workersPinnedMs   the same with pin_memory=True
  aheadOneMs        num_workers=1, prefetch_factor=1, pin_memory=True: the variant worker-1
  aheadEightMs      num_workers=1, prefetch_factor=8, pin_memory=True: the variant worker-8

What keeps one worker from making batches as fast as the loop does: workerMs once more, with one thing taken away or added each:

  threadsMs         worker_init_fn gives the worker `threads` threads
  keptMs            the worker's allocator keeps what was freed (mallopt), so that making a batch meets no page for the first time
  unsentMs          the worker makes each batch and sends a number: nothing goes through shared memory, nothing is uploaded
  sharedMs          the worker writes into two times two batches of shared memory that were there before it started, and sends a number
  sharedPinnedMs    the same, and that memory is pinned by the loop (cudaHostRegister), so the upload is non_blocking

`making` has the worker's own time for a batch in these ways, in its own clock, beside makeMs and makeThreadsMs of the loop's thread.
`pinsOn` has the thread that pins a batch: the loop's own with num_workers=0, another with workers.

The race: a tensor of RACE_ELEMENTS equal numbers, another number each time, is copied with .to("cpu", non_blocking=True) and compared on the
CPU. 'early' counts the wrong elements that were seen at once, 'after' those after an event behind the copy was waited for:

  race.alone        nothing else is queued
  race.behindWork   behind products that are queued first, as in a training step

The script fails where the early read saw nothing wrong behind work, or a read after the event did.

python3 overlapped_uploads_loader.py [--out torch-overlapped-uploads-loader.json] [--device cuda]
"""

import argparse
import ctypes
import threading
from collections.abc import Callable, Iterator
from time import perf_counter

import torch
from measuring import device_ms, host_ms, interval, keep_busy, rounds, synchronize, write
from torch.utils.data import DataLoader, Dataset

N = 2048
STRIDE = 1021
STEPS = 24
WARM_UP = 8  # as many as are made ahead: by four workers two each, by worker-8 eight
AUGMENTATIONS = 8
REPEATS = 5, 9  # at least, at most
SECONDS = 45.0
THREADS = 4
SHARED = 4  # places: two batches may lie ready while the loop uses one and the worker writes one
RACE_ELEMENTS = 2**24
RACE_REPEATS = 9
RACE_PRODUCTS = 20

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-overlapped-uploads-loader.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))


class Batches(Dataset[tuple[torch.Tensor, float]]):
    """Whole batches: each starts elsewhere in one pool of bytes, and is scaled and shifted anew by each augmentation.

    An item is the batch and the ms that it took; or its index, with the batch left in `shared`, or thrown away.
    """

    def __init__(self, count: int, sends: bool = True, shared: list[torch.Tensor] | None = None) -> None:
        generator = torch.Generator().manual_seed(1)
        self.count = count
        self.samples = torch.randint(0, 256, (N * N + count * STRIDE,), dtype=torch.uint8, generator=generator)
        self.sends = sends
        self.shared = shared or []

    def __len__(self) -> int:
        return self.count

    def make(self, index: int, out: torch.Tensor | None = None) -> torch.Tensor:
        first = index * STRIDE
        samples = self.samples[first : first + N * N]
        batch = samples.float() if out is None else out.view(-1).copy_(samples)
        batch.sub_(127.5).div_(127.5)
        for augmentation in range(AUGMENTATIONS):
            batch.mul_(1 + 0.001 * ((index + augmentation) % 7)).add_(0.001 * (index % 5))
        return batch.view(N, N)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, float]:
        begun = perf_counter()
        batch = self.make(index, self.shared[index % len(self.shared)] if self.shared else None)
        took_ms = (perf_counter() - begun) * 1e3
        return batch if self.sends else torch.tensor(index), took_ms


class Pinning:
    """A batch that notes on which thread it is pinned: DataLoader calls pin_memory() of a batch that has one."""

    def __init__(self) -> None:
        self.batch = torch.ones(1)
        self.thread = ""

    def pin_memory(self) -> "Pinning":
        self.thread = threading.current_thread().name
        self.batch = self.batch.pin_memory()
        return self


class Noted(Dataset[Pinning]):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> Pinning:
        return Pinning()


def more_threads(_: int) -> None:
    torch.set_num_threads(THREADS)


def keep_memory(_: int) -> None:
    """Nothing that is freed goes back to the system: M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of glibc, 1 GiB."""
    for option in (-3, -1):
        assert ctypes.CDLL(None).mallopt(option, 2**30) == 1


def loader(batches: Dataset, workers: int, pinned: bool, ahead: int = 2, start: Callable[[int], None] | None = None) -> DataLoader:
    options = {"prefetch_factor": ahead, "worker_init_fn": start} if workers > 0 else {}
    return DataLoader(batches, batch_size=None, num_workers=workers, pin_memory=pinned, **options)  # an item is a batch


def pinned_on(workers: int) -> str:
    threads = {each.thread for each in loader(Noted(), workers, True)}
    assert len(threads) == 1, threads
    return threads.pop()


def measure(device: torch.device, all_threads: int) -> dict[str, object]:
    on_cuda = device.type == "cuda"
    count = WARM_UP + STEPS
    batches = Batches(count)
    shared, shared_pinned = ([torch.zeros(N, N).share_memory_() for _ in range(SHARED)] for _ in range(2))
    if on_cuda:
        for each in shared_pinned:
            error = torch.cuda.cudart().cudaHostRegister(each.data_ptr(), 4 * each.numel(), 0)
            assert int(error) == 0 and each.is_pinned(), "the shared memory was not pinned"
    weights = torch.randn(N, N, device=device)
    total = torch.zeros(N, N, device=device)
    on_device = batches.make(0).to(device)

    def with_threads(threads: int, work: Callable[[], float]) -> float:
        torch.set_num_threads(threads)
        took = work()
        torch.set_num_threads(1)
        return took

    def make_ms() -> float:
        return host_ms(lambda: batches.make(1), device)

    own_ms = interval([make_ms() for _ in range(9)][2:])
    product_ms = interval([device_ms(lambda: total.addmm_(weights, on_device), 10, device) for _ in range(9)][2:])
    products = max(1, round(own_ms["median"] / product_ms["median"]))
    ready = [batches.make(index).pin_memory() if on_cuda else batches.make(index) for index in range(2)]
    worker_ms: dict[str, list[float]] = {}

    def at_hand() -> Iterator[tuple[torch.Tensor, float]]:
        for step in range(count):
            yield ready[step % 2], 0.0

    def steps(source: Iterator[tuple[torch.Tensor, float]], made: list[float], places: list[torch.Tensor], expected: torch.Tensor) -> float:
        """`places`: where batches are of which only the number arrives."""
        start = 0.0
        last = on_device
        copied = [torch.cuda.Event() if on_cuda else None for _ in places]
        for step, (batch, took_ms) in enumerate(source):
            if step == WARM_UP:
                synchronize(device)
                start = perf_counter()
            made.append(took_ms)
            if batch.numel() > 1 or places:
                last = (places[step % len(places)] if places else batch).to(device, non_blocking=True)
            if places and (event := copied[step % len(places)]):
                event.record()
                # The worker is at most two batches ahead of this one: the place that it may write next was sent two steps ago.
                copied[(step - 1) % len(places)].synchronize()
            for _ in range(products):
                total.addmm_(weights, last)
        synchronize(device)
        took_ms = (perf_counter() - start) * 1e3
        assert torch.equal(last.cpu(), expected), "another batch arrived"
        total.zero_()
        return took_ms / STEPS

    last_made = batches.make(count - 1)

    def way(name: str, workers: int, pinned: bool, ahead: int = 2, sends: bool = True, start=None, threads: int = 1) -> Callable[[], float]:
        places = {"sharedMs": shared, "sharedPinnedMs": shared_pinned}.get(name, [])
        source = Batches(count, sends, places)
        made = worker_ms.setdefault(name, [])
        expected = last_made if sends or places else on_device.cpu()
        return lambda: with_threads(
            threads, lambda: steps(iter(loader(source, workers, pinned, ahead, start)), made, places, expected)
        )

    ways = {
        "inlineMs": way("inlineMs", 0, False),
        "inlinePinnedMs": way("inlinePinnedMs", 0, True),
        "workerMs": way("workerMs", 1, False),
        "workerPinnedMs": way("workerPinnedMs", 1, True),
        "workersMs": way("workersMs", 4, False),
        "workersPinnedMs": way("workersPinnedMs", 4, True),
        "aheadOneMs": way("aheadOneMs", 1, True, ahead=1),
        "aheadEightMs": way("aheadEightMs", 1, True, ahead=8),
        "threadsMs": way("threadsMs", 1, False, start=more_threads),
        "keptMs": way("keptMs", 1, False, start=keep_memory),
        "unsentMs": way("unsentMs", 1, False, sends=False),
        "sharedMs": way("sharedMs", 1, False, sends=False),
        "sharedPinnedMs": way("sharedPinnedMs", 1, False, sends=False),
    }
    works = {"atHandMs": lambda: steps(at_hand(), [], [], ready[(count - 1) % 2])} | ways
    try:
        works["sharedPinnedMs"]()
    except RuntimeError as error:  # where a driver takes pinned pages from a process that is forked, the worker dies
        print(f"no sharedPinnedMs: {error}")
        del works["sharedPinnedMs"]
    times = rounds(works, *REPEATS, SECONDS)
    if on_cuda:
        for each in shared_pinned:  # or memory that is pinned next could be given an address that still counts as pinned
            torch.cuda.cudart().cudaHostUnregister(each.data_ptr())
    pins = {"inline": pinned_on(0), "workers": pinned_on(4)}
    # These come last: a process whose OpenMP threads have run can't be forked for a worker with threads of its own.
    threaded = {
        "makeThreadsMs": lambda: with_threads(all_threads, make_ms),
        "inlineThreadsMs": way("inlineThreadsMs", 0, False, threads=all_threads),
    }
    times |= rounds(threaded, REPEATS[0], REPEATS[0], 0)
    in_worker = {name: interval(values[count:]) for name, values in worker_ms.items() if name in times}
    return {
        "n": N,
        "steps": STEPS,
        "augmentations": AUGMENTATIONS,
        "products": products,
        "threadsOfAll": all_threads,
        "threadsOfWorker": THREADS,
        "productMs": product_ms,
        "makeMs": own_ms,
        "making": in_worker,
        "pinsOn": pins,
    } | {name: interval(values) for name, values in times.items()}


def wrong_elements(device: torch.device, products: int) -> tuple[list[int], list[int]]:
    """Of each of RACE_REPEATS copies: wrong elements seen at once, and after an event behind the copy."""
    a = torch.ones(N, N, device=device)
    source = torch.zeros(RACE_ELEMENTS, device=device)
    early, after = [], []
    for repeat in range(RACE_REPEATS):
        value = float(repeat + 1)
        synchronize(device)
        for _ in range(products):
            torch.mm(a, a)
        source.fill_(value)
        copy = source.to("cpu", non_blocking=True)  # returns at once, with memory that is still to be written
        copied = torch.cuda.Event()
        copied.record()
        early.append(int((copy != value).sum()))  # on the CPU: waits for nothing
        copied.synchronize()
        after.append(int((copy != value).sum()))
    return early, after


def race(device: torch.device) -> dict[str, object]:
    wrong_elements(device, 1)  # the pinned memory that the copies get is allocated once
    found = {}
    for name, products in (("alone", 0), ("behindWork", RACE_PRODUCTS)):
        early, after = wrong_elements(device, products)
        assert sum(after) == 0, f"{name}: {after} wrong elements after the event"
        found[name] = {"early": early, "after": after}
        print(f"{name}: wrong at once {early}, after the event {after}")
    assert max(found["behindWork"]["early"]) > 0, "no early read saw a copy that had not ended: the race did not show"
    return {"elements": RACE_ELEMENTS, "products": RACE_PRODUCTS, **found}


def main() -> None:
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    torch.manual_seed(1)
    all_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the loop is one thread, as each worker is
    keep_busy(device, 0.5)
    # Memory that measure() pins itself can leave an error behind. Without CUDA there is no copy to be early for.
    raced = {"race": race(device)} if device.type == "cuda" else {}
    figures = measure(device, all_threads) | raced
    for way, value in figures.items():
        print(way, f"{value['median']:.3f}" if isinstance(value, dict) and "median" in value else value)
    write(arguments.out, device, figures)


if __name__ == "__main__":
    main()
