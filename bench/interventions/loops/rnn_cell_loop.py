"""A recurrent network stepped through time in Python: hundreds of kernels of a few µs each."""

import torch
import torch.nn.functional as F
from parts import as_graph, twins
from torch import nn

ID = "rnn-cell-loop"
QUESTION = "The GPU idles between tiny kernels. Is launching them to blame? (Yes: a CUDA graph launches them all at once.)"
CHANGE = "The whole step is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3

LENGTH, WIDTH = 24, 256


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(WIDTH, WIDTH), nn.Linear(WIDTH, 10)

    def forward(self, series):
        state = torch.zeros_like(series[0])
        for sample in series:
            state = self.cell(sample, state)
        return self.head(state)


def build(device):
    def learner():
        model = Network().to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.1)

    ours, theirs = twins(learner)
    series = torch.randn(LENGTH, 64, WIDTH, device=device)
    labels = (torch.arange(64) % 10).to(device)

    def train(model, optimizer):
        optimizer.zero_grad()
        F.cross_entropy(model(series), labels).backward()
        optimizer.step()

    replay = as_graph(lambda: train(*theirs), theirs[0])
    return lambda: train(*ours), replay, (ours[0], theirs[0])
