"""A GPU-bound step whose small batches come from ordinary memory."""

import torch
from parts import Transformer, next_token_loss, twins

ID = "copies-innocent"
QUESTION = "Each step waits inside cudaMemcpyAsync from pageable memory. Is the copy to blame? (No: it waits for earlier kernels.)"
CHANGE = "Batches lie in pinned memory, and the copy does not block."
CAUSE = "pageable-copies"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = Transformer(1024, 3, 16).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    tokens = torch.randint(1024, (16, 257))
    pinned = tokens.pin_memory()

    def train(model, optimizer, on_device):
        optimizer.zero_grad()
        next_token_loss(model, on_device).backward()
        optimizer.step()

    def found():
        train(*ours, tokens.to(device))

    def changed():
        train(*theirs, pinned.to(device, non_blocking=True))

    return found, changed, (ours[0], theirs[0])
