"""Point clouds after KPConv: the host thins each cloud on a grid, and the network looks at the nearest points."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "grid-subsampling"
QUESTION = (
    "The trainer synchronizes at the end of each step, for its timers. Does it matter? "
    "(Yes: subsample() of the next cloud could run meanwhile.)"
)
CHANGE = "No synchronize(); the timers measure what the host does."
CAUSE = "synchronize"
FIRST = "host-code:subsample"
STACK = True
POINTS, KEPT, NEIGHBOURS, WIDTH, CLASSES, CELL = 36_000, 8192, 16, 256, 13, 0.04


def subsample(points, colours):
    """One point for each cell of the grid: the mean of those in it."""
    cells = np.floor(points / CELL).astype(np.int64)
    keys = (cells[:, 0] * 1024 + cells[:, 1]) * 1024 + cells[:, 2]
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sums = [np.bincount(inverse, column, len(counts)) for column in (*points.T, *colours.T)]
    means = (np.stack(sums, 1) / counts[:, None]).astype(np.float32)
    return means[:KEPT]


class Convolution(nn.Module):
    """Each point takes the largest of what its neighbours send."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.send = nn.Sequential(nn.Linear(inputs + 3, outputs), nn.ReLU(), nn.Linear(outputs, outputs))
        self.short = nn.Linear(inputs, outputs)

    def forward(self, x, near, offsets):
        return F.relu(self.send(torch.cat([x[near], offsets], 2)).amax(1) + self.short(x))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Convolution(inputs, WIDTH) for inputs in (3, WIDTH, WIDTH))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, places, x):
        near = torch.cdist(places, places).topk(NEIGHBOURS, largest=False).indices
        offsets = places[near] - places[:, None]
        for layer in self.layers:
            x = layer(x, near, offsets)
        return self.head(x)


def build(device):
    random = np.random.default_rng(1)
    clouds = [(random.random((POINTS, 3)), random.random((POINTS, 3))) for _ in range(4)]
    labels = torch.from_numpy(random.integers(CLASSES, size=KEPT)).to(device)

    def variant(model, is_timed):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.98)
        number = 0

        def step():
            nonlocal number
            cloud = subsample(*clouds[number % len(clouds)])
            number += 1
            places, colours = torch.from_numpy(cloud).pin_memory().to(device, non_blocking=True).split(3, 1)
            loss = F.cross_entropy(model(places.contiguous(), colours), labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), 100.0)
            optimizer.step()
            if is_timed:
                torch.cuda.synchronize(device)

        return step

    models = twins(lambda: Network().to(device))
    return variant(models[0], True), variant(models[1], False), models
