"""Detection by centres: the host draws the next batch's heat maps, a Gaussian for each object."""

import numpy as np
import torch
from parts import twins
from torch import nn

ID = "synchronize-before-heatmaps"
QUESTION = (
    "draw_heatmaps() takes much of the step. Does the synchronize() before it matter? "
    "(Yes: the GPU could run meanwhile.)"
)
CHANGE = "No synchronize()."
CAUSE = "synchronize"
FIRST = "host-code:draw_heatmaps"
STACK = True
IMAGES, OBJECTS, SIZE, RADIUS = 48, 12, 64, 6


def draw_heatmaps(centres):
    maps = np.zeros((IMAGES, 1, SIZE, SIZE), np.float32)
    around = np.arange(-RADIUS, RADIUS + 1)
    for image, points in enumerate(centres):
        for x, y in points:
            spot = np.exp(-(around[:, None] ** 2 + around**2) / (2 * (RADIUS / 3) ** 2))
            place = maps[image, 0, y - RADIUS : y + RADIUS + 1, x - RADIUS : x + RADIUS + 1]
            np.maximum(place, spot, out=place)
    return maps


def build(device):
    images = torch.randn(IMAGES, 3, SIZE, SIZE, device=device)
    numbers = np.random.default_rng(1)
    centres = numbers.integers(RADIUS, SIZE - RADIUS, (IMAGES, OBJECTS, 2)).tolist()

    def variant(model, is_synchronized):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        target = torch.zeros(IMAGES, 1, SIZE, SIZE, device=device)

        def step():
            nonlocal target
            loss = (model(images) - target).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if is_synchronized:
                torch.cuda.synchronize()
            maps = torch.from_numpy(draw_heatmaps(centres)).pin_memory()
            target = maps.to(device, non_blocking=True)

        return step

    def make():
        hidden = [part for _ in range(4) for part in (nn.Conv2d(64, 64, 3, padding=1), nn.ReLU())]
        first = [nn.Conv2d(3, 64, 3, padding=1), nn.ReLU()]
        return nn.Sequential(*first, *hidden, nn.Conv2d(64, 1, 1)).to(device)

    models = twins(make)
    return variant(models[0], True), variant(models[1], False), models
