"""Gradients are clipped by their norm, and the norm must be finite."""

import torch
from parts import Transformer, next_token_loss, twins
from torch import nn

ID = "clip-checks-finite"
QUESTION = (
    "No .item() in the loop, but error_if_nonfinite=True. Does it cost anything? "
    "(Yes: it reads the norm.)"
)
CHANGE = "error_if_nonfinite=False."
CAUSE = "read-back"
FIRST = "dispatch"  # measured: clip-as-graphs
STACK = False


def build(device):
    tokens = torch.randint(1024, (16, 257), device=device)

    def variant(model, is_checked):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

        def step():
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=is_checked)
            optimizer.step()

        return step

    models = twins(lambda: Transformer(256, 6).to(device))
    return variant(models[0], True), variant(models[1], False), models
