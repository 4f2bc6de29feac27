"""A GPU-bound classifier that sums its loss with .item(), as most tutorials do."""

import torch
from parts import mlp, train, twins

ID = "item-gpu-bound"
QUESTION = "The host spends nearly all of the step in .item(). Is the read to blame? (No: the GPU is busy meanwhile.)"
CHANGE = "The loss is summed on the device and not read."
CAUSE = "read-back"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)
    running = 0.0
    total = torch.zeros((), device=device)

    def found():
        nonlocal running
        running += train(*ours, inputs, targets).item()

    def changed():
        total.add_(train(*theirs, inputs, targets))

    return found, changed, (ours[0], theirs[0])
