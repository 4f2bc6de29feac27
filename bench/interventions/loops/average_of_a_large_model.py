"""A moving average of each parameter, in a loop, beside a step that takes long on the device."""

import copy

import torch
from parts import Transformer, next_token_loss, twins

ID = "average-of-a-large-model"
QUESTION = (
    "A loop averages each parameter with two kernels. Would one call for all be quicker? "
    "(No: the GPU is busy.)"
)
CHANGE = "torch._foreach_lerp_ averages all parameters at once."
CAUSE = "dispatch"
PARTIAL = True
FIRST = None
STACK = False


def build(device):
    tokens = torch.randint(1024, (8, 513), device=device)

    def variant(model, update):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        average = copy.deepcopy(model).requires_grad_(False)
        slow, quick = list(average.parameters()), list(model.parameters())

        def step():
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            optimizer.step()
            with torch.no_grad():
                update(slow, quick)

        return step

    def one_by_one(slow, quick):
        for ours, theirs in zip(slow, quick):
            ours.mul_(0.999).add_(theirs, alpha=0.001)

    models = twins(lambda: Transformer(1024, 4).to(device))
    found = variant(models[0], one_by_one)
    return found, variant(models[1], lambda *both: torch._foreach_lerp_(*both, 0.001)), models
