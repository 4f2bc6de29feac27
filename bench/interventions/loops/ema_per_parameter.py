"""An average of the weights is updated parameter by parameter after each step."""

import torch
from parts import mlp, train, twins

ID = "ema-per-parameter"
QUESTION = "After the optimizer, a loop averages each parameter with two kernels. Is that loop to blame? (Yes: it is launch-bound.)"
CHANGE = "torch._foreach_lerp_ averages all parameters at once."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3

DECAY = 0.9


def build(device):
    def learner():
        model = mlp(256, 24).to(device)
        averages = [parameter.detach().clone() for parameter in model.parameters()]
        return model, torch.optim.AdamW(model.parameters(), fused=True), averages

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 256, device=device)
    targets = torch.randint(10, (256,), device=device)

    @torch.no_grad()
    def average_each(model, averages):
        for average, parameter in zip(averages, model.parameters()):
            average.mul_(DECAY).add_(parameter, alpha=1 - DECAY)

    @torch.no_grad()
    def average_all(model, averages):
        torch._foreach_lerp_(averages, list(model.parameters()), 1 - DECAY)

    def found():
        train(*ours[:2], inputs, targets)
        average_each(ours[0], ours[2])

    def changed():
        train(*theirs[:2], inputs, targets)
        average_all(theirs[0], theirs[2])

    return found, changed, (ours[2], theirs[2])
