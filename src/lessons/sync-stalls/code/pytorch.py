import time

import torch

device = torch.device("cuda")
a = torch.randn(640, 640, device=device)
b = torch.randn(640, 640, device=device)
c = torch.zeros(640, 640, device=device)


def read(what: str) -> bool:
    """True where the value decides that the next step does more."""
    if what == "item":
        c[0, 0].item()  # 4 bytes, queued behind all earlier work
    if what == "matrix":
        c.cpu()  # every byte; print(c) fetches the corners, but waits as well
    if what == "branch":
        return bool(c[0, 0] > 0)  # `if tensor:` calls this, which is .item() in disguise
    return False  # "shape": the host knows c.shape already


def run(steps: int, every: int, what: str) -> float:
    branch = False
    start = time.perf_counter()
    for step in range(1, steps + 1):
        c.addmm_(a, b)  # launches a kernel and returns
        if branch:
            c[0].sum()  # one kernel more, as the value decided
        if every > 0 and step % every == 0:
            branch = read(what)  # the host goes no further until the value is here
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3 / steps


run(3, every=1, what="matrix")  # warm-up
for what in ("item", "matrix", "shape", "branch"):
    for every in (0, 4, 1):
        print(f"{what:>6}, every {every}: {run(32, every, what):.3f} ms a step")
