"""Two ranks average gradients over Gloo, and compute a teacher's outputs for the next step only after that."""

import torch
import torch.distributed as dist
from parts import mlp, twins
from torch.nn import functional as F

ID = "reduce-in-line"
QUESTION = "The GPU idles during all_reduce. Could it compute meanwhile? (Yes: the teacher does not need the result.)"
CHANGE = "The all-reduce is asynchronous, and the teacher is launched before the loop waits for it."
CAUSE = "collectives"
FIRST = "collectives"
STACK = False
RANKS = 2


def build(device):
    torch.manual_seed(1)
    teacher = mlp(4096, 3, 10, 1024).to(device).requires_grad_(False)

    def learner():
        model = mlp(1024, 3).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(512, 1024, device=device)
    wanted = [teacher(inputs), teacher(inputs)]

    def train(model, optimizer, index, beside):
        optimizer.zero_grad()
        F.mse_loss(model(inputs), wanted[index]).backward()
        grads = [parameter.grad for parameter in model.parameters()]
        flat = torch.cat([grad.flatten() for grad in grads]).cpu()
        reduced = dist.all_reduce(flat, async_op=True)
        if not beside:
            reduced.wait()
        wanted[index] = teacher(inputs)
        if beside:
            reduced.wait()
        averaged = flat.div_(dist.get_world_size()).to(device)
        for grad, part in zip(grads, averaged.split([grad.numel() for grad in grads])):
            grad.copy_(part.view_as(grad))
        optimizer.step()

    return lambda: train(*ours, 0, False), lambda: train(*theirs, 1, True), (ours[0], theirs[0])
