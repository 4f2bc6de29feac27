"""Who makes the batches, and a copy to the CPU that is read too early: the DataLoader's side of overlapped-uploads.

A batch of N x N float32 is decoded from bytes and augmented, by one thread, for about as long as the products on it take. Milliseconds of a
step by the host's clock, over STEPS batches after WARM_UP others, so that no start of a worker is in them. Medians with intervals:

  atHandMs          pinned batches that are there already
  inlineMs          DataLoader(num_workers=0): the loop makes its batches
  inlinePinnedMs    the same with pin_memory=True: non_blocking, and the loop still makes its batches
  workerMs          num_workers=1, prefetch_factor=2
  workerPinnedMs    the same with pin_memory=True
  workersPinnedMs   num_workers=4, prefetch_factor=2, pin_memory=True
  aheadOneMs        num_workers=1, prefetch_factor=1, pin_memory=True: the variant worker-1
  aheadEightMs      num_workers=1, prefetch_factor=8, pin_memory=True: the variant worker-8

The race: a tensor of RACE_ELEMENTS equal numbers, another number each time, is copied with .to("cpu", non_blocking=True) and compared on the
CPU. 'early' counts the wrong elements that were seen at once, 'after' those after an event behind the copy was waited for:

  race.alone        nothing else is queued
  race.behindWork   behind products that are queued first, as in a training step

The script fails where the early read saw nothing wrong behind work, or a read after the event did.

python3 overlapped_uploads_loader.py [--out torch-overlapped-uploads-loader.json] [--device cuda]
"""

import argparse
from collections.abc import Iterator
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
SECONDS = 40.0
RACE_ELEMENTS = 2**24
RACE_REPEATS = 9
RACE_PRODUCTS = 20

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-overlapped-uploads-loader.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))


class Batches(Dataset[torch.Tensor]):
    """Whole batches: each starts elsewhere in one pool of bytes, and is scaled and shifted anew by each augmentation."""

    def __init__(self, count: int) -> None:
        generator = torch.Generator().manual_seed(1)
        self.count = count
        self.samples = torch.randint(0, 256, (N * N + count * STRIDE,), dtype=torch.uint8, generator=generator)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> torch.Tensor:
        first = index * STRIDE
        batch = self.samples[first : first + N * N].float().sub_(127.5).div_(127.5)
        for augmentation in range(AUGMENTATIONS):
            batch.mul_(1 + 0.001 * ((index + augmentation) % 7)).add_(0.001 * (index % 5))
        return batch.view(N, N)


def loader(batches: Batches, workers: int, pinned: bool, ahead: int) -> DataLoader[torch.Tensor]:
    return DataLoader(
        batches,
        batch_size=None,  # an item is a batch
        num_workers=workers,
        pin_memory=pinned,
        **({"prefetch_factor": ahead} if workers > 0 else {}),
    )


def measure(device: torch.device) -> dict[str, object]:
    on_cuda = device.type == "cuda"
    batches = Batches(WARM_UP + STEPS)
    weights = torch.randn(N, N, device=device)
    total = torch.zeros(N, N, device=device)
    on_device = batches[0].to(device)
    make_ms = interval([host_ms(lambda: batches[1], device) for _ in range(9)][2:])
    product_ms = interval([device_ms(lambda: total.addmm_(weights, on_device), 10, device) for _ in range(9)][2:])
    products = max(1, round(make_ms["median"] / product_ms["median"]))
    ready = [batches[index].pin_memory() if on_cuda else batches[index] for index in range(2)]

    def at_hand() -> Iterator[torch.Tensor]:
        for step in range(WARM_UP + STEPS):
            yield ready[step % 2]

    def steps(source: Iterator[torch.Tensor], expected: torch.Tensor) -> float:
        start = 0.0
        last = on_device
        for step, batch in enumerate(source):
            if step == WARM_UP:
                synchronize(device)
                start = perf_counter()
            last = batch.to(device, non_blocking=True)
            for _ in range(products):
                total.addmm_(weights, last)
        synchronize(device)
        took_ms = (perf_counter() - start) * 1e3
        assert torch.equal(last.cpu(), expected), "another batch arrived"
        total.zero_()
        return took_ms / STEPS

    last_made = batches[WARM_UP + STEPS - 1]
    ways = {
        "inlineMs": (0, False, 0),
        "inlinePinnedMs": (0, True, 0),
        "workerMs": (1, False, 2),
        "workerPinnedMs": (1, True, 2),
        "workersPinnedMs": (4, True, 2),
        "aheadOneMs": (1, True, 1),
        "aheadEightMs": (1, True, 8),
    }
    works = {"atHandMs": lambda: steps(at_hand(), ready[(WARM_UP + STEPS - 1) % 2])} | {
        way: lambda how=how: steps(iter(loader(batches, *how)), last_made)
        for way, how in ways.items()
        if on_cuda or not how[1]
    }
    times = rounds(works, *REPEATS, SECONDS)
    return {
        "n": N,
        "steps": STEPS,
        "augmentations": AUGMENTATIONS,
        "products": products,
        "makeMs": make_ms,
        "productMs": product_ms,
    } | {way: interval(values) for way, values in times.items()}


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
    torch.set_num_threads(1)  # the loop is one thread, as each worker is
    keep_busy(device, 0.5)
    figures = measure(device)
    for way, value in figures.items():
        print(way, f"{value['median']:.3f}" if isinstance(value, dict) else value)
    # Without CUDA there is no copy to be early for.
    write(arguments.out, device, figures | ({"race": race(device)} if device.type == "cuda" else {}))


if __name__ == "__main__":
    main()
