"""Set prediction: each target gets the cheapest query that is left, image by image, on the host."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import Block, twins
from torch import nn

ID = "matching-in-python"
QUESTION = (
    "The costs of matching are copied to the host within the step. Is .cpu() to blame? "
    "(No: match() is.)"
)
CHANGE = "NumPy matches all images at once, with the same result. The copy stays."
CAUSE = "host-code:match"
FIRST = "host-code:match"
STACK = True
IMAGES, QUERIES, TARGETS = 32, 100, 24


def match(costs):
    matched = []
    for image in costs.tolist():
        taken, chosen = set(), []
        for target in image:
            best, least = 0, float("inf")
            for query, cost in enumerate(target):
                if cost < least and query not in taken:
                    best, least = query, cost
            taken.add(best)
            chosen.append(best)
        matched.append(chosen)
    return np.array(matched)


def together(costs):
    costs = costs.copy()
    rows, chosen = np.arange(IMAGES), []
    for target in range(TARGETS):
        best = costs[:, target].argmin(1)
        costs[rows, :, best] = np.inf
        chosen.append(best)
    return np.stack(chosen, 1)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*(Block(512, 8) for _ in range(3)))
        self.boxes = nn.Linear(512, 4)

    def forward(self, x):
        return self.boxes(self.blocks(x)).sigmoid()


def build(device):
    queries = torch.randn(IMAGES, QUERIES, 512, device=device)
    targets = torch.rand(IMAGES, TARGETS, 4, device=device)

    def variant(model, matcher):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

        def step():
            boxes = model(queries)
            costs = torch.cdist(targets, boxes.detach(), p=1)
            chosen = torch.from_numpy(matcher(costs.cpu().numpy())).to(device)
            ours = boxes.gather(1, chosen[..., None].expand(-1, -1, 4))
            optimizer.zero_grad()
            F.l1_loss(ours, targets).backward()
            optimizer.step()

        return step

    models = twins(lambda: Detector().to(device))
    return variant(models[0], match), variant(models[1], together), models
