"""A language model in float32, whose loop reads the loss in each step."""

import torch
from parts import Transformer, next_token_loss, twins

ID = "transformer-fp32"
QUESTION = "The host spends most of the step in .item(). Is the read to blame? (No: kernels in float32 are slow.)"
CHANGE = "bfloat16 by autocast. The read stays."
CAUSE = "slow-kernels"
FIRST = "slow-kernels"
STACK = False


def build(device):
    def learner():
        model = Transformer(1024, 4, 16).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    tokens = torch.randint(1024, (16, 257), device=device)
    running = 0.0

    def train(model, optimizer, half):
        nonlocal running
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=half):
            loss = next_token_loss(model, tokens)
        loss.backward()
        optimizer.step()
        running += loss.item()

    return lambda: train(*ours, False), lambda: train(*theirs, True)
