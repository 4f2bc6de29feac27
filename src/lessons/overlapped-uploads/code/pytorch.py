import time
from collections.abc import Callable

import torch

torch.set_num_threads(1)  # one thread fills, as in a page
device = torch.device("cuda")
weights = torch.randn(4096, 4096, device=device)
result = torch.zeros(4096, 4096, device=device)
source = torch.randn(4096, 4096)  # a batch, as a data loader returns it
batch = [torch.empty(4096, 4096, device=device) for _ in range(2)]


def run(steps: int, depth: int, wait_each: bool, products: int) -> float:
    host = [torch.empty(4096, 4096, pin_memory=True) for _ in range(depth)]
    used = [torch.cuda.Event() for _ in range(depth)]
    torch.cuda.synchronize()

    start = time.perf_counter()
    for step in range(steps):
        slot = step % depth
        used[slot].synchronize()  # host waits until the step that used this buffer is done
        host[slot].copy_(source)  # host fills it, while the device works on earlier steps
        batch[step % 2].copy_(host[slot], non_blocking=True)  # from pinned memory
        for _ in range(products):
            result.addmm_(batch[step % 2], weights)  # result += batch @ weights
        used[slot].record()  # one stream: the copy and the products before it are done by then
        if wait_each:
            torch.cuda.synchronize()  # serial
    torch.cuda.synchronize()  # all of it is done
    return (time.perf_counter() - start) * 1e3 / steps


def awaited_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(6):
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times[1:])[2]  # the first is the warm-up


pinned = torch.empty(4096, 4096, pin_memory=True)
upload_ms = awaited_ms(lambda: batch[0].copy_(pinned.copy_(source), non_blocking=True))
product_ms = awaited_ms(lambda: result.addmm_(batch[0], weights))
products = max(1, round(1.5 * upload_ms / product_ms))  # computing takes longer than uploading
print(f"upload {upload_ms:.2f} ms, {products} products of {product_ms:.2f} ms")

print(f"serial: {run(12, 1, wait_each=True, products=products):.2f} ms a step")
for depth in (1, 2, 3):
    print(f"ring of {depth}: {run(12, depth, wait_each=False, products=products):.2f} ms a step")
