"""AdamW that updates one parameter after the other, as `foreach=False` and many hand-written optimizers do."""

import torch
from parts import mlp, train, twins

ID = "optimizer-for-loop"
QUESTION = "The optimizer launches a dozen small kernels for each parameter. Does that set the pace? (Yes.)"
CHANGE = "fused=True: a few kernels update all parameters."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3


def build(device):
    torch.manual_seed(1)
    ours = mlp(512, 16).to(device)
    torch.manual_seed(1)
    theirs = mlp(512, 16).to(device)
    plain = torch.optim.AdamW(ours.parameters(), foreach=False)
    fused = torch.optim.AdamW(theirs.parameters(), fused=True)
    inputs = torch.randn(512, 512, device=device)
    targets = torch.randint(10, (512,), device=device)

    def found():
        train(ours, plain, inputs, targets)

    def changed():
        train(theirs, fused, inputs, targets)

    return found, changed, (ours, theirs)
