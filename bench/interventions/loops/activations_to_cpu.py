"""Activations of each step go to the host for an analysis: .cpu() of 16 MiB into fresh, pageable memory."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "activations-to-cpu"
QUESTION = "The wait in .cpu() is most of the step. Is the GPU slow, or the copy? (The copy: fresh pageable memory.)"
CHANGE = "The copy goes into pinned memory that is used again, and does not block."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False

ROWS, WIDTH = 2048, 2048


def build(device):
    def learner():
        model = mlp(WIDTH, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(1000, (ROWS,), device=device)
    kept = []
    pinned = torch.empty(ROWS, WIDTH).pin_memory()

    def activations_of(model, optimizer):
        hidden = model[:-1](inputs)
        loss = F.cross_entropy(model[-1](hidden), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return hidden.detach()

    def found():
        kept[:] = [activations_of(*ours).cpu()]

    def changed():
        pinned.copy_(activations_of(*theirs), non_blocking=True)

    return found, changed, (ours[0], theirs[0])
