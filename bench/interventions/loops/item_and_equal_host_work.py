"""Host and device take turns, because the loss is read before the host prepares the next step."""

import torch
from parts import PythonWork, mlp, train, twins

ID = "item-and-equal-host-work"
QUESTION = "The loss is read before host work that takes as long as the device's. Is the read to blame? (Yes: they could overlap.)"
CHANGE = "The loss is summed on the device and not read."
CAUSE = "read-back"
FIRST = "host-code"  # measured: item-without-plan
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(512, 4096, device=device)
    targets = torch.randint(1000, (512,), device=device)
    plan_next_step = PythonWork(3.0)
    mean = 0.0
    total = torch.zeros((), device=device)

    def found():
        nonlocal mean
        loss = train(*ours, inputs, targets)
        mean = 0.99 * mean + 0.01 * loss.item()
        plan_next_step()

    def changed():
        loss = train(*theirs, inputs, targets)
        total.mul_(0.99).add_(loss, alpha=0.01)
        plan_next_step()

    return found, changed, (ours[0], theirs[0])
