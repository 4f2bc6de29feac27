import time

import torch

torch.set_num_threads(1)  # one thread fills, as in a page
device = torch.device("cuda")
weights = torch.randn(4096, 4096, device=device)
result = torch.zeros(4096, 4096, device=device)
source = torch.randn(4096, 4096)  # stands for what a data loader returns
batch = [torch.empty(4096, 4096, device=device) for _ in range(2)]
products = 4  # of one batch: more compute than upload


def run(steps: int, depth: int, wait_each: bool) -> float:
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
            result.addmm_(weights, batch[step % 2])
        used[slot].record()  # one stream: the copy and the products before it are done by then
        if wait_each:
            torch.cuda.synchronize()  # serial
    torch.cuda.synchronize()  # all of it is done
    return (time.perf_counter() - start) * 1e3 / steps


run(3, depth=1, wait_each=True)  # warm-up
print(f"serial: {run(12, depth=1, wait_each=True):.2f} ms a step")
for depth in (1, 2, 3):
    print(f"ring of {depth}: {run(12, depth, wait_each=False):.2f} ms a step")
