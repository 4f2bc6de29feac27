"""A network learns a solution of the heat equation: its loss holds derivatives of its output."""

import torch
from parts import as_graph, twins
from torch import nn

ID = "physics-loss"
QUESTION = (
    "A tiny network with second derivatives in its loss. Are the kernels slow, or their launches? "
    "(The launches.)"
)
CHANGE = "The whole step is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False


def build(device):
    places = torch.rand(4096, 2, device=device)
    edge = torch.rand(512, 2, device=device).round_(decimals=1)
    values = torch.sin(3.14 * edge[:, :1])

    def residual(model):
        points = places.clone().requires_grad_()
        u = model(points)
        first = torch.autograd.grad(u.sum(), points, create_graph=True)[0]
        second = torch.autograd.grad(first[:, 0].sum(), points, create_graph=True)[0]
        return first[:, 1] - 0.1 * second[:, 0]

    def variant(model):
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)

        def step():
            optimizer.zero_grad()
            loss = residual(model).square().mean() + (model(edge) - values).square().mean()
            loss.backward()
            optimizer.step()

        return step

    def make():
        hidden = [part for _ in range(4) for part in (nn.Linear(64, 64), nn.Tanh())]
        return nn.Sequential(nn.Linear(2, 64), nn.Tanh(), *hidden, nn.Linear(64, 1)).to(device)

    models = twins(make)
    return variant(models[0]), as_graph(variant(models[1]), models[1]), models
