"""The norm of each parameter's gradient is logged, one read after the other."""

import torch
from parts import mlp, twins
from torch.nn import functional as F

ID = "norm-of-each-gradient"
QUESTION = "40 gradient norms are read one by one after backward. Do they matter in a step of several ms? (Yes: the GPU idles.)"
CHANGE = "The norms are computed all the same and stay on the device."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False


def build(device):
    def learner():
        model = mlp(2048, 19, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 2048, device=device)
    targets = torch.randint(1000, (256,), device=device)
    log = []

    def backward(model, optimizer):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), targets).backward()

    def found():
        backward(*ours)
        log[:] = [parameter.grad.norm().item() for parameter in ours[0].parameters()]
        ours[1].step()

    def changed():
        backward(*theirs)
        log[:] = [parameter.grad.norm() for parameter in theirs[0].parameters()]
        theirs[1].step()

    return found, changed, (ours[0], theirs[0])
