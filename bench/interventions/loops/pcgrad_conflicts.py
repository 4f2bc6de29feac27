"""PCGrad: each task's gradient loses the part that points against another task's gradient."""

import random

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "pcgrad-conflicts"
QUESTION = (
    "Five tasks, and `if inner < 0` for each pair of gradients: 20 reads in each step. Are they to blame? "
    "(Yes: the GPU runs dry at each one.)"
)
CHANGE = "clamp(max=0) on the device instead of the `if`: the same projections, and nothing is read."
CAUSE = "read-back"
FIRST = "dispatch"  # measured: pcgrad-as-graphs
STACK = False
PROFILED_STEPS = 3
TASKS, ROWS, WIDTH, LAYERS = 5, 1024, 1024, 4


def project_if_needed(kept, other):
    inner = torch.dot(kept, other)
    if inner < 0:
        kept -= inner / other.dot(other) * other


def project(kept, other):
    inner = torch.dot(kept, other).clamp(max=0)
    kept -= inner / other.dot(other) * other


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randn(TASKS, ROWS, device=device)

    def make():
        model = nn.Module()
        model.trunk = mlp(WIDTH, LAYERS, WIDTH)
        model.heads = nn.ModuleList(nn.Linear(WIDTH, 1) for _ in range(TASKS))
        return model.to(device)

    def variant(model, surgery):
        trunk = list(model.trunk.parameters())
        sizes = [parameter.numel() for parameter in trunk]
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        order = random.Random(1)

        def step():
            optimizer.zero_grad()
            shared = model.trunk(inputs)
            gradients = []
            for head, target in zip(model.heads, targets):
                loss = F.mse_loss(head(shared).squeeze(1), target)
                parts = torch.autograd.grad(loss, [*trunk, *head.parameters()], retain_graph=True)
                gradients.append(torch.cat([part.flatten() for part in parts[: len(trunk)]]))
                for parameter, part in zip(head.parameters(), parts[len(trunk) :]):
                    parameter.grad = part

            total = torch.zeros_like(gradients[0])
            for task, gradient in enumerate(gradients):
                kept = gradient.clone()
                others = [other for index, other in enumerate(gradients) if index != task]
                order.shuffle(others)
                for other in others:
                    surgery(kept, other)
                total += kept
            for parameter, part in zip(trunk, total.split(sizes)):
                parameter.grad = part.view_as(parameter)
            optimizer.step()

        return step

    models = twins(make)
    return variant(models[0], project_if_needed), variant(models[1], project), models
