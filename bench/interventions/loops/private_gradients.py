"""Differentially private training of a head: the gradient of each sample is clipped, and noise is added to their sum."""

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "private-gradients"
QUESTION = (
    "16 samples, and a backward pass for each one. Does the GPU compute, or wait for launches? "
    "(It waits: vmap gets all gradients at once.)"
)
CHANGE = "vmap(grad()) computes and clips the gradients of all samples at once."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, WIDTH, LAYERS, LARGEST, NOISE = 16, 512, 3, 1.0, 0.01


def build(device):
    torch.manual_seed(1)
    features = torch.randn(ROWS, WIDTH, device=device)
    labels = torch.randint(10, (ROWS,), device=device)

    def variant(model, sums_of):
        parameters = list(model.parameters())
        optimizer = torch.optim.SGD(parameters, lr=0.05, momentum=0.9)
        noise = torch.Generator(device).manual_seed(1)

        def step():
            for parameter, total in zip(parameters, sums_of(model, parameters)):
                drawn = torch.randn(total.shape, generator=noise, device=device)
                parameter.grad = (total + NOISE * LARGEST * drawn) / ROWS
            optimizer.step()

        return step

    def one_by_one(model, parameters):
        sums = [torch.zeros_like(parameter) for parameter in parameters]
        for row in range(ROWS):
            model.zero_grad()
            F.cross_entropy(model(features[row : row + 1]), labels[row : row + 1]).backward()
            nn.utils.clip_grad_norm_(parameters, LARGEST)
            for total, parameter in zip(sums, parameters):
                total += parameter.grad
        return sums

    def at_once(model, parameters):
        names = [name for name, _ in model.named_parameters()]

        def loss_of(weights, row, label):
            logits = torch.func.functional_call(model, dict(zip(names, weights)), (row[None],))
            return F.cross_entropy(logits, label[None])

        weights = [parameter.detach() for parameter in parameters]
        gradients = torch.func.vmap(torch.func.grad(loss_of), (None, 0, 0))(weights, features, labels)
        norms = torch.stack([gradient.flatten(1).norm(dim=1) for gradient in gradients]).norm(dim=0)
        factors = (LARGEST / (norms + 1e-6)).clamp(max=1)
        return [torch.tensordot(factors, gradient, 1) for gradient in gradients]

    models = twins(lambda: mlp(WIDTH, LAYERS).to(device))
    return variant(models[0], one_by_one), variant(models[1], at_once), models
