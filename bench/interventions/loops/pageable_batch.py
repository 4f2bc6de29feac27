"""Batches of 96 MiB come from ordinary memory: .to(device) copies them piece by piece while the host waits."""

import torch
from parts import mlp, train, twins

ID = "pageable-batch"
QUESTION = "The loop spends most of its time in .to(device). Does pageable memory cost that? (Yes.)"
CHANGE = "Batches lie in pinned memory, and the copy does not block."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False

ROWS, COLUMNS = 6144, 4096


def build(device):
    def learner():
        model = mlp(1024, 3, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(ROWS, COLUMNS)
    pinned = inputs.pin_memory()
    targets = torch.randint(1000, (ROWS,), device=device)

    def found():
        train(*ours, inputs.to(device), targets)

    def changed():
        train(*theirs, pinned.to(device, non_blocking=True), targets)

    return found, changed, (ours[0], theirs[0])
