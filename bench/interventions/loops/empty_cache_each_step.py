"""torch.cuda.empty_cache() after each step, 'against out of memory'."""

import torch
from parts import mlp, train, twins

ID = "empty-cache-each-step"
QUESTION = "cudaMalloc and cudaFree take much of the host's time. Does emptying the cache cost that? (Yes.)"
CHANGE = "No empty_cache()."
CAUSE = "allocation"
FIRST = "allocation"
STACK = False


def build(device):
    def learner():
        model = mlp(2048, 8, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 2048, device=device)
    targets = torch.randint(1000, (1024,), device=device)

    def found():
        train(*ours, inputs, targets)
        torch.cuda.empty_cache()

    def changed():
        train(*theirs, inputs, targets)

    return found, changed, (ours[0], theirs[0])
