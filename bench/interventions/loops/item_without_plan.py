"""Host and device take turns, because the loss is read before the host plans the next step. The plan is left out."""

import torch
from parts import PythonWork, mlp, train, twins

ID = "item-without-plan"
QUESTION = (
    "item-and-equal-host-work reads its loss. Is the Python behind the read more to blame? "
    "(Yes: without the read it still takes as long as the kernels.)"
)
CHANGE = "The next step is not planned. The loss is still read."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(512, 4096, device=device)
    targets = torch.randint(1000, (512,), device=device)
    plan_next_step = PythonWork(3.0)

    def found():
        train(*ours, inputs, targets).item()
        plan_next_step()

    return found, lambda: train(*theirs, inputs, targets).item(), (ours[0], theirs[0])
