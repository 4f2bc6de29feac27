"""A list of weights becomes a tensor on the device in each step. The heads, which use them, become a graph."""

import torch
import torch.nn.functional as F
from parts import as_graphs, mlp, twins
from torch import nn

ID = "weighted-heads-as-graph"
QUESTION = (
    "The host waits for the copy in tensor-from-list. Are the launches of the heads more to blame? "
    "(Yes: they take longer than that wait.)"
)
CHANGE = "The heads, their backward pass and the optimizer are a CUDA graph. The list is still copied."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3

HEADS = 12


def build(device):
    backbone = mlp(4096, 4, 256).to(device).requires_grad_(False)
    ours, theirs = twins(lambda: nn.ModuleList(mlp(256, 2, 4) for _ in range(HEADS)).to(device))
    images = torch.randn(1024, 4096, device=device)
    labels = torch.randint(4, (1024,), device=device)
    shares = [1.0, 2.0, 0.5, 1.5]

    def train_heads(heads, optimizer, features, weights):
        loss = sum(F.cross_entropy(head(features), labels, weight=weights) for head in heads)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    optimizer = torch.optim.AdamW(ours.parameters(), fused=True)
    captured = torch.optim.AdamW(theirs.parameters(), fused=True, capturable=True)
    features, weights = backbone(images), torch.tensor(shares, device=device)
    (replay,) = as_graphs([lambda: train_heads(theirs, captured, features, weights)], theirs, captured)

    def found():
        train_heads(ours, optimizer, backbone(images), torch.tensor(shares, device=device))

    def changed():
        features.copy_(backbone(images))
        weights.copy_(torch.tensor(shares, device=device))
        replay()

    return found, changed, (ours, theirs)
