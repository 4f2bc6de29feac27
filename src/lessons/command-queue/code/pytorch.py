import time

import torch

device = torch.device("cuda")
a = torch.randn(64, 64, device=device)
b = torch.randn(64, 64, device=device)
c = torch.zeros(64, 64, device=device)


def step() -> None:
    for _ in range(64):
        c.addmm_(a, b)  # c += a @ b: one small kernel, one launch


def run(steps: int, launch) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(steps):
        launch()
    torch.cuda.synchronize()  # waits once, at the end
    return (time.perf_counter() - start) * 1e6 / (steps * 64)


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):  # warm-up on a stream of its own, before a graph is recorded
    run(3, step)
torch.cuda.current_stream().wait_stream(side)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # records the launches of a step, runs nothing
    step()

print(f"a launch for each kernel: {run(100, step):.1f} µs a kernel")
print(f"one launch of a graph:    {run(100, graph.replay):.1f} µs a kernel")
