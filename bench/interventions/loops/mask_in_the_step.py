"""A detector: a large frozen backbone, then small heads on the places that the labels mark."""

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "mask-in-the-step"
QUESTION = "features[mask] asks the device how many rows there are. Does that cost anything? (Yes: the heads are launched late.)"
CHANGE = "The loader knows the mask and sends the indices of its rows."
CAUSE = "read-back"
FIRST = "dispatch"  # measured: heads-as-graph
STACK = False

IGNORE, HEADS = -1, 12


def build(device):
    backbone = mlp(4096, 4, 256).to(device).requires_grad_(False)

    def learner():
        heads = nn.ModuleList(mlp(256, 2, 4) for _ in range(HEADS)).to(device)
        return heads, torch.optim.AdamW(heads.parameters(), fused=True)

    ours, theirs = twins(learner)
    images = torch.randn(1024, 4096, device=device)
    labels = torch.randint(4, (1024,))
    labels[torch.rand(1024) < 0.5] = IGNORE
    rows = (labels != IGNORE).nonzero().squeeze(1).to(device)
    labels = labels.to(device)

    def train_heads(heads, optimizer, picked, wanted):
        loss = sum(F.cross_entropy(head(picked), wanted) for head in heads)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def found():
        features = backbone(images)
        mask = labels != IGNORE
        train_heads(*ours, features[mask], labels[mask])

    def changed():
        features = backbone(images)
        train_heads(*theirs, features[rows], labels[rows])

    return found, changed, (ours[0], theirs[0])
