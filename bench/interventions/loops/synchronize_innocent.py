"""The same timer in a loop that does nothing else on the host."""

import torch
from parts import mlp, train, twins

ID = "synchronize-innocent"
QUESTION = "The host spends 90 % of the step in synchronize(). Is it to blame? (No: the GPU is busy meanwhile.)"
CHANGE = "No synchronize()."
CAUSE = "synchronize"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 4, 1000).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)

    def found():
        train(*ours, inputs, targets)
        torch.cuda.synchronize()

    def changed():
        train(*theirs, inputs, targets)

    return found, changed, (ours[0], theirs[0])
