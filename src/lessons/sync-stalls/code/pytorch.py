import time

import torch

device = torch.device("cuda")
a = torch.randn(1024, 1024, device=device)
b = torch.randn(1024, 1024, device=device)
c = torch.zeros(1024, 1024, device=device)


def train_step() -> torch.Tensor:
    for _ in range(40):
        c.addmm_(a, b)  # launches a kernel and returns
    return c[0, 0]


def host_work(ms: float) -> None:
    """The next batch, the log: this thread is busy."""
    until = time.perf_counter() + ms / 1e3
    while time.perf_counter() < until:
        pass


def run(steps: int, every: int) -> float:
    log = []
    start = time.perf_counter()
    for step in range(1, steps + 1):
        loss = train_step()
        if every > 0 and step % every == 0:
            log.append(loss.item())  # the host goes no further until the number is here
        host_work(2)
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3 / steps


run(3, every=1)  # warm-up
for every in (0, 4, 1):
    print(f"read every {every}: {run(32, every):.3f} ms a step")
