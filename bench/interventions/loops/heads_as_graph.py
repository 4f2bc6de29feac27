"""A detector: a large frozen backbone, then small heads on the places that the labels mark. The heads become a graph."""

import torch
import torch.nn.functional as F
from parts import as_graphs, mlp, twins
from torch import nn

ID = "heads-as-graph"
QUESTION = (
    "features[mask] of mask-in-the-step is a read. Are the launches of the heads more to blame? "
    "(Yes: the GPU is idle most of the time while they are dispatched.)"
)
CHANGE = "The heads, their backward pass and the optimizer are a CUDA graph. The mask is still read."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False

IGNORE, HEADS = -1, 12


def build(device):
    backbone = mlp(4096, 4, 256).to(device).requires_grad_(False)
    ours, theirs = twins(lambda: nn.ModuleList(mlp(256, 2, 4) for _ in range(HEADS)).to(device))
    images = torch.randn(1024, 4096, device=device)
    labels = torch.randint(4, (1024,))
    labels[torch.rand(1024) < 0.5] = IGNORE
    labels = labels.to(device)

    def train_heads(heads, optimizer, picked, wanted):
        loss = sum(F.cross_entropy(head(picked), wanted) for head in heads)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def variant(train):
        def step():
            features = backbone(images)
            mask = labels != IGNORE
            train(features[mask], labels[mask])

        return step

    optimizer = torch.optim.AdamW(ours.parameters(), fused=True)
    captured = torch.optim.AdamW(theirs.parameters(), fused=True, capturable=True)
    mask = labels != IGNORE
    picked, wanted = backbone(images)[mask], labels[mask]
    (replay,) = as_graphs([lambda: train_heads(theirs, captured, picked, wanted)], theirs, captured)

    def train_as_graph(features, targets):
        picked.copy_(features)
        wanted.copy_(targets)
        replay()

    found = variant(lambda features, targets: train_heads(ours, optimizer, features, targets))
    return found, variant(train_as_graph), (ours, theirs)
