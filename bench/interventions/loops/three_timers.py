"""Forward, backward and optimizer are timed by the host's clock, each after a synchronize()."""

from time import perf_counter

import torch
import torch.nn.functional as F
from parts import ResNet, twins

ID = "three-timers"
QUESTION = (
    "Three synchronize() a step for three timers. Do they slow a small network? "
    "(Hardly: launches set the pace.)"
)
CHANGE = "No synchronize(), and no timers."
CAUSE = "synchronize"
FIRST = "dispatch"
STACK = False


def build(device):
    images = torch.randn(16, 3, 32, 32, device=device)
    targets = torch.randint(10, (16,), device=device)

    def variant(model, is_timed):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        times = [0.0, 0.0, 0.0, 0.0]

        def now(at):
            if is_timed:
                torch.cuda.synchronize()
                times[at] = perf_counter()

        def step():
            times[0] = times[3]
            loss = F.cross_entropy(model(images), targets)
            now(1)
            optimizer.zero_grad()
            loss.backward()
            now(2)
            optimizer.step()
            now(3)

        return step

    models = twins(lambda: ResNet(16, 2).to(device))
    return variant(models[0], True), variant(models[1], False), models
