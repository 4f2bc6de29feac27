"""MAML on sinusoids: each task takes two steps of its own, and gradients flow back through them."""

import torch
import torch.nn.functional as F
from parts import as_graph, mlp, twins

ID = "maml-sinusoids"
QUESTION = (
    "Six tasks, and second derivatives for each one. Are second derivatives expensive? "
    "(No: they are small kernels, and the GPU waits for their launches.)"
)
CHANGE = "The step of all tasks is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
TASKS, SHOTS, WIDTH, INNER_STEPS, INNER_RATE = 6, 64, 128, 2, 0.01


def run(weights, x):
    *hidden, last = zip(weights[::2], weights[1::2])
    for weight, bias in hidden:
        x = F.linear(x, weight, bias).tanh()
    return F.linear(x, *last)


def build(device):
    torch.manual_seed(1)
    x = torch.rand(2, TASKS, SHOTS, 1, device=device) * 10 - 5  # for the inner steps, and to judge them
    height, phase = torch.rand(2, TASKS, 1, 1, device=device)
    y = (0.1 + 5 * height) * torch.sin(x + 3.1 * phase)

    def variant(model):
        parameters = list(model.parameters())
        optimizer = torch.optim.SGD(parameters, lr=0.001)

        def step():
            losses = []
            for task in range(TASKS):
                weights = parameters
                for _ in range(INNER_STEPS):
                    loss = F.mse_loss(run(weights, x[0, task]), y[0, task])
                    gradients = torch.autograd.grad(loss, weights, create_graph=True)
                    weights = [weight - INNER_RATE * each for weight, each in zip(weights, gradients)]
                losses.append(F.mse_loss(run(weights, x[1, task]), y[1, task]))
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()

        return step

    models = twins(lambda: mlp(WIDTH, 3, 1, 1).to(device))
    changed = as_graph(variant(models[1]), models[1])
    return variant(models[0]), changed, models
