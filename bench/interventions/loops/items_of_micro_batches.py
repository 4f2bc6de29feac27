"""A language model whose gradients come from four micro-batches, with a running loss for the log."""

import torch
from parts import Transformer, next_token_loss, twins

ID = "items-of-micro-batches"
QUESTION = "Four micro-batches a step, .item() after each. Are the reads to blame? (No: GPU-bound.)"
CHANGE = "The losses are summed on the device and not read."
CAUSE = "read-back"
FIRST = None
STACK = False


def build(device):
    batches = [torch.randint(1024, (8, 513), device=device) for _ in range(4)]

    def variant(model, is_read):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1, fused=True)
        total = 0.0 if is_read else torch.zeros((), device=device)

        def step():
            nonlocal total
            for tokens in batches:
                loss = next_token_loss(model, tokens) / len(batches)
                total += loss.item() if is_read else loss.detach()
                loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    models = twins(lambda: Transformer(512, 4).to(device))
    return variant(models[0], True), variant(models[1], False), models
