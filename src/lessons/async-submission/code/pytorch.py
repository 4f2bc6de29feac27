import time

import torch

device = torch.device("cuda")
a = torch.randn(4096, 4096, device=device)
b = torch.randn(4096, 4096, device=device)
c = torch.zeros(4096, 4096, device=device)


def run(steps: int, wait_each: bool) -> tuple[float, float]:
    start = time.perf_counter()
    for _ in range(steps):
        c.addmm_(a, b)  # c += a @ b: launches a kernel and returns
        if wait_each:
            torch.cuda.synchronize()  # blocks this thread until the device is done
    launched = time.perf_counter()
    torch.cuda.synchronize()
    done = time.perf_counter()
    return (launched - start) * 1e3, (done - start) * 1e3


run(3, wait_each=False)  # warm-up: loads the library, picks a kernel
for wait_each in (False, True):
    launched, done = run(48, wait_each)
    print(f"wait_each={wait_each}: last launch after {launched:.2f} ms, done after {done:.2f} ms")
