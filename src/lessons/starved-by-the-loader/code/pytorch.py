import time

import torch
from torch.utils.data import DataLoader, Dataset

STEPS, WARM_UP = 32, 8


class Batches(Dataset[torch.Tensor]):
    def __init__(self, times: int) -> None:
        self.samples = torch.randint(0, 256, (512, 2048), dtype=torch.uint8)
        self.times = times

    def __len__(self) -> int:
        return WARM_UP + STEPS

    def __getitem__(self, index: int) -> torch.Tensor:
        batch = self.samples.float().sub_(127.5).div_(127.5)  # decodes
        for _ in range(self.times):
            batch.mul_(1.25).add_(0.001 * index).sin_()  # augments
        return batch


def compute(batch: torch.Tensor, products: int) -> None:
    for _ in range(products):
        total.addmm_(batch, weights)


def step_ms(batches: Batches, products: int, workers: int) -> float:
    # An item is a batch. With 0 workers the loop makes it in the next line, else so many processes do, each two ahead.
    loader = DataLoader(batches, batch_size=None, num_workers=workers, pin_memory=True)
    ended = [torch.cuda.Event() for _ in range(2)]
    start = 0.0
    for step, batch in enumerate(loader):  # waits until this batch has been made
        if step == WARM_UP:
            torch.cuda.synchronize()
            start = time.perf_counter()
        ended[step % 2].synchronize()  # two steps are queued at most
        compute(batch.to("cuda", non_blocking=True), products)  # from pinned memory
        ended[step % 2].record()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3 / STEPS


def compute_ms(products: int) -> float:
    batch = torch.randn(512, 2048, device="cuda")
    torch.cuda.synchronize()
    start = time.perf_counter()
    compute(batch, products)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


def make_ms(times: int) -> float:
    batches = Batches(times)
    found = []
    for _ in range(5):
        start = time.perf_counter()
        batches[0]
        found.append((time.perf_counter() - start) * 1e3)
    return sorted(found)[2]


if __name__ == "__main__":  # a worker that is spawned imports this file
    torch.set_num_threads(1)  # the loop is one thread, as each worker is
    weights = torch.randn(2048, 2048, device="cuda") / 2048
    total = torch.zeros(512, 2048, device="cuda")
    compute_ms(200)  # warm-up
    products = max(1, round(4 * 200 / compute_ms(200)))  # 4 ms of computing
    decode = make_ms(0)
    times = max(1, round((2 * compute_ms(products) - decode) / ((make_ms(8) - decode) / 8)))  # twice as long to make
    print(f"computing on a batch {compute_ms(products):.2f} ms, making it {make_ms(times):.2f} ms")
    for workers in (0, 1, 2, 4):
        print(f"{workers} workers: {step_ms(Batches(times), products, workers):.2f} ms a step")
