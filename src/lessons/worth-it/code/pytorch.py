import time

import torch

device = torch.device("cuda")


def on_the_processor(a: torch.Tensor, b: torch.Tensor, uses: int) -> torch.Tensor:
    for _ in range(uses):
        c = a @ b
    return c


def there_and_back(a: torch.Tensor, b: torch.Tensor, uses: int) -> torch.Tensor:
    a, b = a.to(device), b.to(device)  # the way there
    for _ in range(uses):
        c = a @ b  # launches a kernel and returns
    return c.cpu()  # waits for it, then the way back


def milliseconds(work, n: int, uses: int, repeats: int = 20) -> float:
    a, b = torch.randn(n, n), torch.randn(n, n)
    work(a, b, uses)  # warm-up
    torch.cuda.synchronize()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work(a, b, uses)
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[repeats // 2]


print(f"{torch.get_num_threads()} threads on the processor")
for uses in (1, 16):
    for n in (32, 64, 128, 256, 512, 1024, 2048):
        cpu = milliseconds(on_the_processor, n, uses)
        gpu = milliseconds(there_and_back, n, uses)
        print(f"uses {uses:>2}, n {n:>4}: processor {cpu:8.3f} ms, there and back {gpu:8.3f} ms")
