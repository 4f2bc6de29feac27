"""A rate limit: the host sleeps 3 ms in each step, while the GPU still works."""

from time import sleep

import torch
from parts import mlp, train, twins

ID = "sleeps-while-busy"
QUESTION = "The host sleeps 3 ms in each step. Does that cost 3 ms? (No: the GPU takes longer than that.)"
CHANGE = "No sleep."
CAUSE = "unknown"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)

    def found():
        train(*ours, inputs, targets)
        sleep(0.003)

    def changed():
        train(*theirs, inputs, targets)

    return found, changed, (ours[0], theirs[0])
