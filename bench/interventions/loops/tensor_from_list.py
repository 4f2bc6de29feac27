"""A list of weights becomes a tensor on the device in the middle of each step: a copy that the host waits for."""

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "tensor-from-list"
QUESTION = "torch.tensor(list, device='cuda') looks harmless. Does the host wait for it? (Yes: for the whole backbone.)"
CHANGE = "The weights are made on the device once."
CAUSE = "pageable-copies"
FIRST = "dispatch"  # measured: weighted-heads-as-graph
STACK = False
PROFILED_STEPS = 3

HEADS = 12


def build(device):
    backbone = mlp(4096, 4, 256).to(device).requires_grad_(False)

    def learner():
        heads = nn.ModuleList(mlp(256, 2, 4) for _ in range(HEADS)).to(device)
        return heads, torch.optim.AdamW(heads.parameters(), fused=True)

    ours, theirs = twins(learner)
    images = torch.randn(1024, 4096, device=device)
    labels = torch.randint(4, (1024,), device=device)
    shares = [1.0, 2.0, 0.5, 1.5]
    made = torch.tensor(shares, device=device)

    def train_heads(heads, optimizer, features, weights):
        loss = sum(F.cross_entropy(head(features), labels, weight=weights) for head in heads)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def found():
        features = backbone(images)
        train_heads(*ours, features, torch.tensor(shares, device=device))

    def changed():
        train_heads(*theirs, backbone(images), made)

    return found, changed, (ours[0], theirs[0])
