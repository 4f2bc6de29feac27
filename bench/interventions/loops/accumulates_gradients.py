"""Gradients of four micro-batches are accumulated; each batch lies in memory that is not pinned."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "accumulates-gradients"
QUESTION = (
    "Four micro-batches a step under autocast, each with .to(device). Do the copies cost time? "
    "(Yes: from pageable memory they take longer than the kernels.)"
)
CHANGE = "The micro-batches lie in pinned memory, and the copies do not block."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False
PARTS, ROWS, WIDTH = 4, 2048, 2048


def build(device):
    def learner():
        model = mlp(WIDTH, 4, 1000).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01)

    ours, theirs = twins(learner)
    plain = [torch.randn(ROWS, WIDTH) for _ in range(PARTS)]
    pinned = [part.pin_memory() for part in plain]
    targets = torch.randint(1000, (ROWS,), device=device)

    def step(learner, parts, is_pinned):
        model, optimizer = learner
        optimizer.zero_grad()
        for part in parts:
            inputs = part.to(device, non_blocking=is_pinned)
            with torch.autocast(device.type, torch.bfloat16):
                loss = F.cross_entropy(model(inputs), targets) / PARTS
            loss.backward()
        optimizer.step()

    def found():
        step(ours, plain, False)

    def changed():
        step(theirs, pinned, True)

    return found, changed, (ours[0], theirs[0])
