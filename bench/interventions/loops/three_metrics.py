"""A small classifier whose loop reads loss, accuracy and weight norm in each step."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "three-metrics"
QUESTION = "Three reads in each step of a small network: are they to blame? (Barely: the GPU waits for launches anyway.)"
CHANGE = "The three metrics are summed on the device and not read."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False


def build(device):
    def learner():
        model = mlp(512, 12).to(device)
        return model, torch.optim.AdamW(model.parameters())

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 512, device=device)
    targets = torch.randint(10, (256,), device=device)
    sums = [0.0, 0.0, 0.0]
    totals = [torch.zeros((), device=device) for _ in range(3)]

    def metrics_of(model, optimizer):
        logits = model(inputs)
        loss = F.cross_entropy(logits, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        accuracy = (logits.argmax(1) == targets).float().mean()
        return loss.detach(), accuracy, model[0].weight.detach().norm()

    def found():
        for index, metric in enumerate(metrics_of(*ours)):
            sums[index] += metric.item()

    def changed():
        for total, metric in zip(totals, metrics_of(*theirs)):
            total.add_(metric)

    return found, changed, (ours[0], theirs[0])
