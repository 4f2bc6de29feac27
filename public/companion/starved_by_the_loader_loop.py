"""A loop of starved-by-the-loader: products of 4 ms a step on a batch that takes 12 ms to make, by this thread, by one worker or by four.

python3 starved_by_the_loader_loop.py [folder for the traces]
"""

from time import perf_counter

import torch
from profiling import WARM_UP_STEPS, check, record
from torch.utils.data import DataLoader, Dataset

ROWS, COLUMNS = 512, 4096  # 8 MiB
COMPUTE_MS = 4.0
MAKING = 3.0
STEPS = 12


class Batches(Dataset[torch.Tensor]):
    """Whole batches, decoded from bytes and augmented so many times."""

    def __init__(self, augmentations: int) -> None:
        self.samples = torch.randint(0, 256, (ROWS * COLUMNS + len(self),), dtype=torch.uint8)
        self.augmentations = augmentations

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        batch = self.samples[index : index + ROWS * COLUMNS].float().sub_(127.5).div_(127.5)
        for _ in range(self.augmentations):
            batch.mul_(1.25).add_(0.001 * index).sin_()
        return batch.view(ROWS, COLUMNS)


def made_ms(batches: Batches) -> float:
    times = []
    for index in range(9):
        begun = perf_counter()
        batches[index]
        times.append((perf_counter() - begun) * 1e3)
    return sorted(times)[4]


def product_ms() -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    batch = torch.randn(ROWS, COLUMNS, device=device)
    for _ in range(50):
        total.addmm_(batch, weights)
    begin.record()
    for _ in range(50):
        total.addmm_(batch, weights)
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / 50


def by_none(step: int) -> None:
    batch = next(loaders[0])
    x = batch.to(device, non_blocking=True)
    for _ in range(products):
        total.addmm_(x, weights)
    ended[step % 2].synchronize()
    ended[step % 2].record()


def by_one(step: int) -> None:
    batch = next(loaders[1])
    x = batch.to(device, non_blocking=True)
    for _ in range(products):
        total.addmm_(x, weights)
    ended[step % 2].synchronize()
    ended[step % 2].record()


def by_four(step: int) -> None:
    batch = next(loaders[4])
    x = batch.to(device, non_blocking=True)
    for _ in range(products):
        total.addmm_(x, weights)
    ended[step % 2].synchronize()
    ended[step % 2].record()


if __name__ == "__main__":
    device = torch.device("cuda")
    torch.manual_seed(1)
    torch.set_num_threads(1)  # the loop is one thread, as each worker is
    weights = torch.randn(COLUMNS, COLUMNS, device=device) / COLUMNS**0.5
    total = torch.zeros(ROWS, COLUMNS, device=device)
    products = round(COMPUTE_MS / product_ms())
    decode_ms, augmented_ms = made_ms(Batches(0)), made_ms(Batches(8))
    batches = Batches(round((MAKING * COMPUTE_MS - decode_ms) / (augmented_ms - decode_ms) * 8))
    print(f"a batch takes {made_ms(batches):.2f} ms to make, {products} products {products * product_ms():.2f} ms")
    ended = [torch.cuda.Event() for _ in range(2)]  # two steps are queued at most
    expected = sum(
        batches[index][:1].double() @ weights.double().cpu() * products for index in range(WARM_UP_STEPS + STEPS)
    )
    loaders = {}
    for workers, (name, step) in zip((0, 1, 4), {"none": by_none, "one": by_one, "four": by_four}.items()):
        loader = DataLoader(batches, batch_size=None, num_workers=workers, pin_memory=True)
        loaders[workers] = iter(loader)
        total.zero_()
        record(f"torch-starved-by-the-loader-{name}", STEPS, step)
        check(f"starved_by_the_loader_loop, {name}", total[:1], expected)
        loaders.clear()  # its workers end
