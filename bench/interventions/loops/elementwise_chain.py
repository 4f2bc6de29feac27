"""A hand-written normalization and activation, operator by operator, in inference on small tensors."""

import torch
from parts import as_graph
from torch import nn

ID = "elementwise-chain"
QUESTION = "A chain of 200 tiny kernels. Does the GPU compute, or wait for launches? (It waits.)"
CHANGE = "The chain is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False


class Handmade(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList(torch.randn(256, 256) / 16 for _ in range(12))

    def forward(self, x):
        for weight in self.weights:
            x = x @ weight
            mean = x.mean(-1, keepdim=True)
            scale = ((x - mean) ** 2).mean(-1, keepdim=True)
            x = (x - mean) / torch.sqrt(scale + 1e-5)
            x = 0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
        return x


def build(device):
    torch.manual_seed(1)
    model = Handmade().to(device)
    inputs = torch.randn(256, 256, device=device)
    results = [torch.zeros(256, 256, device=device) for _ in range(2)]

    @torch.no_grad()
    def infer(result):
        result.copy_(model(inputs))

    replay = as_graph(lambda: infer(results[1]), model)
    results[1].zero_()
    return lambda: infer(results[0]), replay, ([results[0]], [results[1]])
