"""The loop times each step with torch.cuda.synchronize(), and then prepares the next one on the host."""

from time import perf_counter

import torch
from parts import PythonWork, mlp, train, twins

ID = "synchronize-to-time"
QUESTION = "synchronize() around a timer, then host work as long as the device's. Is the wait to blame? (Yes: they could overlap.)"
CHANGE = "No synchronize(); the loop times many steps at once."
CAUSE = "synchronize"
FIRST = "host-code"  # measured: timed-without-preparation
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(512, 4096, device=device)
    targets = torch.randint(1000, (512,), device=device)
    prepare = PythonWork(2.5)
    took = 0.0

    def found():
        nonlocal took
        start = perf_counter()
        train(*ours, inputs, targets)
        torch.cuda.synchronize()
        took += perf_counter() - start
        prepare()

    def changed():
        train(*theirs, inputs, targets)
        prepare()

    return found, changed, (ours[0], theirs[0])
