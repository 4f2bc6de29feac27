"""gc.collect() in each step, 'to free memory', in a program that holds many objects."""

import gc

import torch
from parts import mlp, train, twins

ID = "collects-garbage"
QUESTION = "The host pauses for ms in each step, and no event says why. Is the GPU to blame? (No: Python's garbage collector runs.)"
CHANGE = "gc.collect() is gone; the collector still runs by itself."
CAUSE = "unknown"
FIRST = "unknown"
STACK = False


def build(device):
    def learner():
        model = mlp(1024, 4).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 1024, device=device)
    targets = torch.randint(10, (256,), device=device)
    index = [{"path": f"image-{number}", "box": [number, 0, 1, 2]} for number in range(50_000)]

    def found():
        assert index
        train(*ours, inputs, targets)
        gc.collect()

    def changed():
        assert index
        train(*theirs, inputs, targets)

    return found, changed, (ours[0], theirs[0])
