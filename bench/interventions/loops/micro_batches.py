"""Gradient accumulation over eight micro-batches that would fit the GPU at once."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "micro-batches"
QUESTION = "Eight micro-batches of 32 rows each. Does the GPU compute, or wait for launches? (It waits; one batch is launched faster.)"
CHANGE = "One batch of 256 rows."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3


def build(device):
    def learner():
        model = mlp(512, 6).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 512, device=device)
    targets = torch.randint(10, (256,), device=device)

    def step(model, optimizer, pieces):
        optimizer.zero_grad()
        for rows, wanted in zip(inputs.chunk(pieces), targets.chunk(pieces)):
            (F.cross_entropy(model(rows), wanted) / pieces).backward()
        optimizer.step()

    return lambda: step(*ours, 8), lambda: step(*theirs, 1)
