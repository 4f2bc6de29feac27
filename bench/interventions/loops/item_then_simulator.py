"""Reinforcement learning: a small network, its loss read in each step, then a simulator on the host that takes far longer."""

import torch
from parts import PythonWork, mlp, train, twins

ID = "item-then-simulator"
QUESTION = "The step ends in a wait inside .item(), followed by an idle GPU. Is the read to blame? (No: the simulator is.)"
CHANGE = "The loss is summed on the device and not read."
CAUSE = "read-back"
FIRST = "host-code"
STACK = False


def build(device):
    def learner():
        model = mlp(512, 3).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    states = torch.randn(256, 512, device=device)
    actions = torch.randint(10, (256,), device=device)
    simulate = PythonWork(5.0)
    mean = 0.0
    total = torch.zeros((), device=device)

    def found():
        nonlocal mean
        loss = train(*ours, states, actions)
        mean = 0.99 * mean + 0.01 * loss.item()
        simulate()

    def changed():
        loss = train(*theirs, states, actions)
        total.mul_(0.99).add_(loss, alpha=0.01)
        simulate()

    return found, changed, (ours[0], theirs[0])
