"""A small ResNet with a progress bar that shows the loss of each step."""

import os

import torch
from parts import ResNet, train, twins

ID = "progress-bar"
QUESTION = "A progress bar shows float(loss) in each step. Does it slow the loop? (Hardly: the GPU is busy while the host waits.)"
CHANGE = "The bar shows the number of the step only."
CAUSE = "read-back"
FIRST = None
STACK = False


def build(device):
    def learner():
        model = ResNet(64).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    images = torch.randn(128, 3, 64, 64, device=device)
    labels = torch.randint(10, (128,), device=device)
    bar = open(os.devnull, "w")
    step = 0

    def found():
        nonlocal step
        step += 1
        loss = train(*ours, images, labels)
        bar.write(f"\r{step} steps, loss {float(loss):.4f}")

    def changed():
        nonlocal step
        step += 1
        train(*theirs, images, labels)
        bar.write(f"\r{step} steps")

    return found, changed, (ours[0], theirs[0])
