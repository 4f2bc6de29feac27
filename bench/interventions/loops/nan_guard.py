"""A language model whose loop stops when a loss is not a number: `if torch.isnan(loss)` reads the device in each step."""

import torch
from parts import Transformer, next_token_loss, twins

ID = "nan-guard"
QUESTION = "The guard `if torch.isnan(loss)` waits in the middle of the step. Is it to blame? (Hardly: backward keeps the GPU busy.)"
CHANGE = "The guard is evaluated on the device and not read."
CAUSE = "read-back"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = Transformer(1024, 4, 16).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    tokens = torch.randint(1024, (8, 257), device=device)
    broken = torch.zeros((), dtype=torch.bool, device=device)

    def update(optimizer, loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def found():
        loss = next_token_loss(ours[0], tokens)
        if torch.isnan(loss):
            raise ValueError("the loss is not a number")
        update(ours[1], loss)

    def changed():
        loss = next_token_loss(theirs[0], tokens)
        broken.logical_or_(torch.isnan(loss.detach()))
        update(theirs[1], loss)

    return found, changed, (ours[0], theirs[0])
