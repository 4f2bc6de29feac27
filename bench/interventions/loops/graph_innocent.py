"""Inference with a transformer of large layers: many launches, and each kernel outlasts several of them."""

import torch
from parts import Transformer, as_graph

ID = "graph-innocent"
QUESTION = "The host launches kernels without a pause and is blocked in some launches. Would a CUDA graph help? (No: GPU-bound.)"
CHANGE = "The forward pass is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = None
STACK = False


def build(device):
    torch.manual_seed(1)
    model = Transformer(1024, 6, 16).to(device, torch.bfloat16)
    tokens = torch.randint(1024, (64, 256), device=device)
    chosen = [torch.zeros(64, 256, dtype=torch.int64, device=device) for _ in range(2)]

    @torch.no_grad()
    def infer(result):
        result.copy_(model(tokens).argmax(-1))

    replay = as_graph(lambda: infer(chosen[1]), model)
    chosen[1].zero_()
    return lambda: infer(chosen[0]), replay, ([chosen[0]], [chosen[1]])
