"""Two ranks average gradients over Gloo; rank 1 validates on its host before each all-reduce."""

import torch
import torch.distributed as dist
from parts import PythonWork, mlp, twins
from torch.nn import functional as F

ID = "late-rank"
QUESTION = "Rank 0 waits in all_reduce. Is the network slow? (No: rank 1 is late.)"
CHANGE = "Rank 1 validates no more."
CAUSE = "late-rank"
FIRST = "late-rank"
STACK = False
RANKS = 2


def build(device):
    def learner():
        model = mlp(512, 3).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 512, device=device)
    targets = torch.randint(10, (256,), device=device)
    validate = PythonWork(6.0)

    def train(model, optimizer, late):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), targets).backward()
        grads = [parameter.grad for parameter in model.parameters()]
        flat = torch.cat([grad.flatten() for grad in grads]).cpu()
        if late and dist.get_rank() == 1:
            validate()
        dist.all_reduce(flat)
        averaged = flat.div_(dist.get_world_size()).to(device)
        for grad, part in zip(grads, averaged.split([grad.numel() for grad in grads])):
            grad.copy_(part.view_as(grad))
        optimizer.step()

    return lambda: train(*ours, True), lambda: train(*theirs, False), (ours[0], theirs[0])
