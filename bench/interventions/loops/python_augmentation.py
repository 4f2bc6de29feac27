"""Images are jittered one by one in NumPy, in the loop. Recorded with Python stacks."""

import numpy as np
import torch
from parts import ResNet, train, twins

ID = "python-augmentation"
QUESTION = "The GPU idles at the start of each step. Which code is running? (jitter(): NumPy, image by image.)"
CHANGE = "The device jitters all images at once, with the same factors."
CAUSE = "host-code:jitter"
FIRST = "host-code:jitter"
STACK = True
PROFILED_STEPS = 3

BATCH = 64


def jitter(images, factors):
    jittered = []
    for image, factor in zip(images, factors):
        mean = image.mean()
        jittered.append(np.clip((image - mean) * factor + mean, 0, 1))
    return np.stack(jittered)


def build(device):
    def learner():
        model = ResNet(32).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    images = np.random.default_rng(1).random((BATCH, 3, 64, 64), dtype=np.float32)
    factors = np.linspace(0.8, 1.2, BATCH, dtype=np.float32)
    sent_factors = torch.from_numpy(factors).view(-1, 1, 1, 1).to(device)
    labels = (torch.arange(BATCH) % 10).to(device)

    def found():
        inputs = torch.from_numpy(jitter(images, factors)).to(device)
        train(*ours, inputs, labels)

    def changed():
        inputs = torch.from_numpy(images).to(device)
        mean = inputs.mean((1, 2, 3), keepdim=True)
        train(*theirs, ((inputs - mean) * sent_factors + mean).clamp(0, 1), labels)

    return found, changed, (ours[0], theirs[0])
