"""The same unfused optimizer on large matrices: it launches many kernels, and the GPU is never done with them."""

import torch
from parts import mlp, train, twins

ID = "optimizer-innocent"
QUESTION = "The optimizer launches a dozen kernels for each parameter here, too. Is launching to blame? (No: the kernels are large.)"
CHANGE = "The step is launched as before, but the optimizer uses foreach: a third of the launches."
CAUSE = "dispatch"
FIRST = None
STACK = False
PROFILED_STEPS = 3


def build(device):
    torch.manual_seed(1)
    ours = mlp(4096, 4, 1000).to(device)
    torch.manual_seed(1)
    theirs = mlp(4096, 4, 1000).to(device)
    plain = torch.optim.SGD(ours.parameters(), lr=0.01, momentum=0.9, foreach=False)
    foreach = torch.optim.SGD(theirs.parameters(), lr=0.01, momentum=0.9, foreach=True)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)

    def found():
        train(ours, plain, inputs, targets)

    def changed():
        train(theirs, foreach, inputs, targets)

    return found, changed, (ours, theirs)
