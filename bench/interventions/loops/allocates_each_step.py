"""Each step makes new tensors of 256 MiB; the caching allocator hands out the same memory again."""

import torch

ID = "allocates-each-step"
QUESTION = "Four new tensors of 256 MiB in each step. Does allocation slow the loop? (No: the caching allocator has them.)"
CHANGE = "The tensors are made once and written with out=."
CAUSE = "allocation"
FIRST = None
STACK = False

ROWS, WIDTH = 16_384, 4096


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    weights = [torch.randn(WIDTH, WIDTH, device=device, dtype=torch.bfloat16) / 64 for _ in range(2)]
    halves = [torch.empty(ROWS, WIDTH, device=device, dtype=torch.bfloat16) for _ in range(4)]
    results = [torch.zeros(WIDTH, device=device) for _ in range(2)]

    @torch.no_grad()
    def found():
        x = inputs.bfloat16()
        x = torch.relu(x @ weights[0])
        x = x @ weights[1]
        results[0].copy_(x.sum(0))

    @torch.no_grad()
    def changed():
        halves[0].copy_(inputs)
        torch.mm(halves[0], weights[0], out=halves[1])
        halves[1].relu_()
        torch.mm(halves[1], weights[1], out=halves[2])
        results[1].copy_(halves[2].sum(0))

    return found, changed, ([results[0]], [results[1]])
