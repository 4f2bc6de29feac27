import time

import torch

device = torch.device("cuda")


def on_the_cpu(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, uses: int) -> torch.Tensor:
    for _ in range(uses):
        c = a @ b
    return c


def there_and_back(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, uses: int) -> torch.Tensor:
    a, b = a.to(device), b.to(device)  # the way there
    for _ in range(uses):
        c = a @ b  # launches a kernel and returns
    return c.cpu()  # waits for it, then the way back


def pinned_there_and_back(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, uses: int) -> torch.Tensor:
    a, b = a.to(device, non_blocking=True), b.to(device, non_blocking=True)
    for _ in range(uses):
        product = a @ b
    c.copy_(product, non_blocking=True)  # into pinned memory
    torch.cuda.synchronize()  # now it is there
    return c


def milliseconds(work, n: int, uses: int, pinned: bool = False, repeats: int = 20) -> float:
    a, b, c = torch.randn(n, n), torch.randn(n, n), torch.empty(n, n)
    if pinned:
        a, b, c = a.pin_memory(), b.pin_memory(), c.pin_memory()
    work(a, b, c, uses)  # warm-up
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work(a, b, c, uses)
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[repeats // 2]


print(f"{torch.get_num_threads()} threads on the CPU; milliseconds")
for uses in (1, 16):
    for n in (32, 64, 128, 256, 512, 1024, 2048):
        cpu = milliseconds(on_the_cpu, n, uses)
        pageable = milliseconds(there_and_back, n, uses)
        pinned = milliseconds(pinned_there_and_back, n, uses, pinned=True)
        print(f"uses {uses:>2}, n {n:>4}: CPU {cpu:8.3f}, there and back {pageable:8.3f}, pinned {pinned:8.3f}")
