import time

import torch

device = torch.device("cuda")


def upload(host: torch.Tensor, there: torch.Tensor) -> float:
    """Seconds until the bytes are there."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    there.copy_(host, non_blocking=True)
    torch.cuda.synchronize()  # the host waits for the end
    return time.perf_counter() - start


for pinned in (False, True):
    for kib in (4, 64, 1024, 16 * 1024, 64 * 1024):
        host = torch.ones(kib * 256, pin_memory=pinned)  # 256 floats are 1 KiB
        there = torch.empty_like(host, device=device)
        upload(host, there)  # warm-up
        seconds = min(upload(host, there) for _ in range(10))
        print(f"{'pinned' if pinned else 'pageable'}, {kib:>6} KiB: {seconds * 1e6:8.1f} µs, {kib * 1024 / seconds / 1e9:5.1f} GB/s")

# The same bytes in 64 pieces: awaited, and not.
pieces = torch.ones(64, 4096, pin_memory=True)
there = torch.empty_like(pieces, device=device)
for awaited in (True, False):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for k in range(64):
        there[k].copy_(pieces[k], non_blocking=True)
        if awaited:
            torch.cuda.synchronize()
    torch.cuda.synchronize()
    print(f"{'awaited' if awaited else 'waited once'}: {(time.perf_counter() - start) * 1e3:.2f} ms")
