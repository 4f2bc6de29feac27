"""cudaMalloc in every step: PyTorch's caching allocator used as it is meant, emptied each step, and with batches that outgrow it.

A step makes a batch of new memory and multiplies ROWS rows of it twice, with new memory for both results. All of it is freed at its end.

  plain       every step asks for the same sizes: the cache has them
  emptyCache  the same, and torch.cuda.empty_cache() at the end of each step
  growing     each batch has GROWTH rows more than all before, so that no freed block is large enough; the products are those of plain

`<way>.stepMs` is a step by the host's clock, over STEPS steps after WARM_UP others: the median of windows that take turns, low and high hold
the true median with 90 % or are the lowest and the highest of few. `<way>.mallocsPerStep` counts the segments that the allocator asked the
driver for (memory_stats). The last product of each window is checked against float64.

python3 allocator.py [--out torch-allocator.json]
"""

import argparse
from time import perf_counter

import torch
from measuring import check, interval, keep_busy, rounds, write

ROWS, N = 1024, 4096  # 16 MiB a tensor; two products take an H200 1.4 ms
GROWTH = 512  # 8 MiB: a block of 2 MiB more would be given out again, cut
STEPS, WARM_UP = 20, 4
REPEATS = 5, 15  # at least, at most
SECONDS = 6.0

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-allocator.json")
arguments = parser.parse_args()
device = torch.device("cuda")
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32
first = torch.randn(ROWS, N, device=device)
weights = torch.randn(N, N, device=device) / N**0.5
mallocs: dict[str, list[float]] = {}


def segments() -> int:
    return torch.cuda.memory_stats().get("segment.all.allocated", 0)


def window(way: str) -> float:
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    for step in range(WARM_UP + STEPS):
        if step == WARM_UP:
            torch.cuda.synchronize()
            before, begun = segments(), perf_counter()
        rows = ROWS + (GROWTH * step if way == "growing" else 0)
        batch = torch.empty(rows, N, device=device)
        x = batch[:ROWS].copy_(first)
        # The results grow with the batch, and the products write into their first rows.
        hidden, result = (torch.empty(rows, N, device=device)[:ROWS] for _ in range(2))
        torch.mm(x, weights, out=hidden)
        torch.mm(hidden, weights, out=result)
        if step < WARM_UP + STEPS - 1:
            del batch, x, hidden, result
        if way == "emptyCache":
            torch.cuda.empty_cache()
    torch.cuda.synchronize()
    took = perf_counter() - begun
    mallocs.setdefault(way, []).append((segments() - before) / STEPS)
    check(way, result, hidden, weights)
    return took * 1e3 / STEPS


keep_busy(device, 0.5)
times = rounds({way: lambda way=way: window(way) for way in ("plain", "emptyCache", "growing")}, *REPEATS, SECONDS)
found = {
    way: {"stepMs": interval(values), "mallocsPerStep": interval(mallocs[way][1:])} for way, values in times.items()
}
for way, of_it in found.items():
    print(f"{way}: {of_it['stepMs']['median']:.3f} ms a step, {of_it['mallocsPerStep']['median']:.2f} segments")
write(arguments.out, device, {"rows": ROWS, "n": N, "growth": GROWTH, "steps": STEPS} | found)
