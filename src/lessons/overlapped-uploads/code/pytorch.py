import time

import torch

device = torch.device("cuda")
weights = torch.randn(4096, 4096, device=device)
result = torch.empty(4096, 4096, device=device)
source = torch.randn(4096, 4096)  # stands for what a data loader hands over


def run(steps: int, depth: int) -> float:
    compute = torch.cuda.current_stream()
    copy = torch.cuda.Stream()  # a second stream: its copies need not wait for kernels
    host = [torch.empty(4096, 4096, pin_memory=True) for _ in range(depth)]
    batch = [torch.empty(4096, 4096, device=device) for _ in range(depth)]
    copied = [torch.cuda.Event() for _ in range(depth)]
    used = [torch.cuda.Event() for _ in range(depth)]
    torch.cuda.synchronize()

    start = time.perf_counter()
    for step in range(steps):
        slot = step % depth
        copied[slot].synchronize()  # host waits until this pinned buffer has been read
        host[slot].copy_(source)  # host fills it
        with torch.cuda.stream(copy):
            copy.wait_event(used[slot])  # device waits until this batch has been used
            batch[slot].copy_(host[slot], non_blocking=True)
            copied[slot].record()
        compute.wait_event(copied[slot])
        torch.mm(weights, batch[slot], out=result)
        used[slot].record()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3 / steps


run(3, depth=1)  # warm-up
for depth in (1, 2, 3):
    print(f"ring of {depth}: {run(12, depth):.2f} ms a step")
