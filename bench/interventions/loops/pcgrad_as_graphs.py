"""PCGrad: the gradients of the tasks, and the update, become graphs. Their conflicts are still read one by one."""

import random

import torch
import torch.nn.functional as F
from parts import as_graphs, mlp, twins
from loops.pcgrad_conflicts import LAYERS, ROWS, TASKS, WIDTH, project_if_needed
from torch import nn

ID = "pcgrad-as-graphs"
QUESTION = (
    "pcgrad-conflicts reads 20 numbers a step. Are its launches more to blame? "
    "(Yes, although what lies between the reads is still launched one by one.)"
)
CHANGE = "The gradients of all tasks are a CUDA graph, the update another. The conflicts are still read."
CAUSE = "dispatch"
PARTIAL = True
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randn(TASKS, ROWS, device=device)

    def make():
        model = nn.Module()
        model.trunk = mlp(WIDTH, LAYERS, WIDTH)
        model.heads = nn.ModuleList(nn.Linear(WIDTH, 1) for _ in range(TASKS))
        return model.to(device)

    def variant(model, is_graph):
        trunk = list(model.trunk.parameters())
        sizes = [parameter.numel() for parameter in trunk]
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        order = random.Random(1)
        gradients = []
        total = torch.zeros(sum(sizes), device=device)

        def differentiate():
            gradients.clear()
            shared = model.trunk(inputs)
            for head, target in zip(model.heads, targets):
                loss = F.mse_loss(head(shared).squeeze(1), target)
                parts = torch.autograd.grad(loss, [*trunk, *head.parameters()], retain_graph=True)
                gradients.append(torch.cat([part.flatten() for part in parts[: len(trunk)]]))
                for parameter, part in zip(head.parameters(), parts[len(trunk) :]):
                    parameter.grad = part

        def update():
            for parameter, part in zip(trunk, total.split(sizes)):
                parameter.grad = part.view_as(parameter)
            optimizer.step()

        pieces = as_graphs([differentiate, update], model, optimizer) if is_graph else [differentiate, update]

        def step():
            pieces[0]()
            total.zero_()
            for task, gradient in enumerate(gradients):
                kept = gradient.clone()
                others = [other for index, other in enumerate(gradients) if index != task]
                order.shuffle(others)
                for other in others:
                    project_if_needed(kept, other)
                total.add_(kept)
            pieces[1]()

        return step

    models = twins(make)
    return variant(models[0], False), variant(models[1], True), models
