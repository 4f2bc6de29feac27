"""GraphSAGE: two hops of neighbours are drawn in Python for each batch of nodes."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "samples-neighbours"
QUESTION = "The GPU idles most of the step. Is the sampler of neighbours to blame? (Yes: it picks them one by one.)"
CHANGE = "NumPy picks all neighbours of a hop at once, with the same random numbers."
CAUSE = "host-code:sample_neighbours"
FIRST = "host-code:sample_neighbours"
STACK = True
NODES, DEGREE, FEATURES, WIDTH, CLASSES = 20_000, 24, 256, 512, 40
SEEDS, NEAR, FAR = 64, 10, 5


def sample_neighbours(graph, seeds, random):
    """The seeds, NEAR neighbours of each seed, and FAR neighbours of each of those."""
    hops = [seeds.tolist()]
    for count in (NEAR, FAR):
        chosen = []
        for node, draws in zip(hops[-1], random.random((len(hops[-1]), count)).tolist()):
            neighbours = graph[node]
            for draw in draws:
                chosen.append(neighbours[int(draw * len(neighbours))])
        hops.append(chosen)
    return torch.tensor(hops[0] + hops[1] + hops[2])


def sample_at_once(table, degrees, seeds, random):
    hops = [seeds]
    for count in (NEAR, FAR):
        nodes = hops[-1]
        draws = random.random((len(nodes), count))
        hops.append(table[nodes[:, None], (draws * degrees[nodes, None]).astype(np.int64)].ravel())
    return torch.from_numpy(np.concatenate(hops))


class Layer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own, self.others = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs, bias=False)

    def forward(self, own, others):
        return self.own(own) + self.others(others.view(len(own), -1, own.shape[1]).mean(1))


class Sage(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Layer(FEATURES, WIDTH), Layer(WIDTH, CLASSES)

    def forward(self, features):
        seeds, near, far = features.split([SEEDS, SEEDS * NEAR, SEEDS * NEAR * FAR])
        return self.second(F.relu(self.first(seeds, near)), F.relu(self.first(near, far)))


def build(device):
    numbers = np.random.default_rng(1)
    degrees = numbers.integers(1, DEGREE + 1, NODES)
    table = numbers.integers(NODES, size=(NODES, DEGREE))
    graph = [row[:degree].tolist() for row, degree in zip(table, degrees)]
    torch.manual_seed(1)
    features = torch.randn(NODES, FEATURES, device=device)
    labels = torch.randint(CLASSES, (NODES,), device=device)

    def variant(model, sample):
        optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
        random = np.random.default_rng(2)

        def step():
            seeds = random.integers(NODES, size=SEEDS)
            nodes = sample(seeds, random).pin_memory().to(device, non_blocking=True)
            loss = F.cross_entropy(model(features[nodes]), labels[nodes[:SEEDS]])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: Sage().to(device))
    found = variant(models[0], lambda seeds, random: sample_neighbours(graph, seeds, random))
    return found, variant(models[1], lambda seeds, random: sample_at_once(table, degrees, seeds, random)), models
