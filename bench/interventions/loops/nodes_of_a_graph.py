"""A graph network that asks the edges how many nodes there are, in each layer."""

import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "nodes-of-a-graph"
QUESTION = (
    "int(index.max()) + 1 in each layer of a graph network. Is it to blame? "
    "(No: gathering edges is slow.)"
)
CHANGE = "The loop knows the number of nodes."
CAUSE = "read-back"
FIRST = None
STACK = False
NODES, EDGES, WIDTH = 20_000, 400_000, 256


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.near = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, source, target, nodes):
        count = nodes or int(target.max()) + 1
        near = torch.zeros(count, WIDTH, device=x.device).index_add_(0, target, x[source])
        return F.relu(self.own(x) + self.near(near / (EDGES // NODES)))


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers, self.head = nn.ModuleList(Layer() for _ in range(4)), nn.Linear(WIDTH, 16)

    def forward(self, x, source, target, nodes):
        for layer in self.layers:
            x = layer(x, source, target, nodes)
        return self.head(x)


def build(device):
    x = torch.randn(NODES, WIDTH, device=device)
    source, target = torch.randint(NODES, (2, EDGES), device=device)
    target[0] = NODES - 1
    labels = torch.randint(16, (NODES,), device=device)

    def variant(model, nodes):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

        def step():
            optimizer.zero_grad()
            F.cross_entropy(model(x, source, target, nodes), labels).backward()
            optimizer.step()

        return step

    models = twins(lambda: Graph().to(device))
    return variant(models[0], None), variant(models[1], NODES), models
