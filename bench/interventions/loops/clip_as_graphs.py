"""Gradients are clipped by their norm, which must be finite. What is launched on either side of that read becomes a graph."""

import torch
from parts import Transformer, as_graphs, next_token_loss, twins
from torch import nn

ID = "clip-as-graphs"
QUESTION = (
    "clip-checks-finite reads the norm. Are its launches, before and after the read, more to blame? "
    "(Yes: there are hundreds of them.)"
)
CHANGE = "A CUDA graph before the read, and one after it. The norm is still read."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False


def build(device):
    tokens = torch.randint(1024, (16, 257), device=device)
    ours, theirs = twins(lambda: Transformer(256, 6).to(device))
    optimizer = torch.optim.AdamW(ours.parameters(), lr=3e-4)

    def found():
        optimizer.zero_grad()
        next_token_loss(ours, tokens).backward()
        nn.utils.clip_grad_norm_(ours.parameters(), 1.0, error_if_nonfinite=True)
        optimizer.step()

    parameters = list(theirs.parameters())
    captured = torch.optim.AdamW(parameters, lr=3e-4, capturable=True)
    norm = torch.zeros((), device=device)

    def backward():
        captured.zero_grad()
        next_token_loss(theirs, tokens).backward()
        norm.copy_(nn.utils.get_total_norm([parameter.grad for parameter in parameters]))

    def update():
        nn.utils.clip_grads_with_norm_(parameters, 1.0, norm)
        captured.step()

    replay_backward, replay_update = as_graphs([backward, update], theirs, captured)

    def changed():
        replay_backward()
        if torch.logical_or(norm.isnan(), norm.isinf()):
            raise RuntimeError("the norm is not finite")
        replay_update()

    return found, changed, (ours, theirs)
