"""A language model: gradients are clipped and their norm is logged with .item() before the optimizer runs."""

import torch
from parts import Transformer, next_token_loss, twins
from torch.nn.utils import clip_grad_norm_

ID = "clip-and-log-norm"
QUESTION = "The norm is read between backward and the optimizer. Is the read to blame? (No: the step is GPU-bound.)"
CHANGE = "The norm is summed on the device and not read."
CAUSE = "read-back"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = Transformer(1024, 3, 16).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    tokens = torch.randint(1024, (16, 257), device=device)
    norms = 0.0
    total = torch.zeros((), device=device)

    def backward(model, optimizer):
        optimizer.zero_grad()
        next_token_loss(model, tokens).backward()
        return clip_grad_norm_(model.parameters(), 1.0)

    def found():
        nonlocal norms
        norms += backward(*ours).item()
        ours[1].step()

    def changed():
        total.add_(backward(*theirs))
        theirs[1].step()

    return found, changed, (ours[0], theirs[0])
