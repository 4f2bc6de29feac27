"""A language model is trained by Muon: each matrix's update is made orthogonal by Newton-Schulz iterations."""

import torch
from parts import Transformer, next_token_loss, twins

ID = "muon-matrix-by-matrix"
QUESTION = (
    "The optimizer multiplies 20 matrices, five iterations for each. Does the GPU compute there, or wait for launches? "
    "(It waits: batched, the products of five matrices are one launch.)"
)
CHANGE = "Matrices of one shape are stacked, and bmm iterates on all of them."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, LENGTH, WIDTH, LAYERS, TOKENS = 16, 256, 512, 5, 4096
RATE, MOMENTUM = 0.02, 0.95


def orthogonal(gradient):
    """The quintic iteration, for one matrix or a stack of them."""
    x = gradient.bfloat16()
    is_tall = x.shape[-2] > x.shape[-1]
    if is_tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        square = x @ x.mT
        polynomial = -4.7750 * square + 2.0315 * square @ square
        x = 3.4445 * x + polynomial @ x
    return (x.mT if is_tall else x) * max(1, gradient.shape[-2] / gradient.shape[-1]) ** 0.5


class OneByOne:
    def __init__(self, matrices):
        self.matrices = matrices
        self.momenta = [torch.zeros_like(matrix) for matrix in matrices]

    @torch.no_grad()
    def step(self):
        for matrix, momentum in zip(self.matrices, self.momenta):
            momentum.lerp_(matrix.grad, 1 - MOMENTUM)
            update = orthogonal(matrix.grad.lerp(momentum, MOMENTUM))
            matrix.add_(update, alpha=-RATE)


class Stacked:
    def __init__(self, matrices):
        shapes = dict.fromkeys(matrix.shape for matrix in matrices)
        self.groups = [[matrix for matrix in matrices if matrix.shape == shape] for shape in shapes]
        self.momenta = [torch.zeros_like(torch.stack(group)) for group in self.groups]

    @torch.no_grad()
    def step(self):
        for group, momentum in zip(self.groups, self.momenta):
            gradients = torch.stack([matrix.grad for matrix in group])
            momentum.lerp_(gradients, 1 - MOMENTUM)
            updates = orthogonal(gradients.lerp(momentum, MOMENTUM)).type_as(gradients)
            torch._foreach_add_(group, list(updates.unbind()), alpha=-RATE)


def build(device):
    torch.manual_seed(1)
    batches = [torch.randint(TOKENS, (ROWS, LENGTH + 1), device=device) for _ in range(4)]

    def variant(model, muon):
        matrices = [parameter for parameter in model.blocks.parameters() if parameter.ndim == 2]
        owned = {id(matrix) for matrix in matrices}
        others = [parameter for parameter in model.parameters() if id(parameter) not in owned]
        optimizers = muon(matrices), torch.optim.AdamW(others, lr=3e-4, fused=True)
        number = 0

        def step():
            nonlocal number
            loss = next_token_loss(model, batches[number % len(batches)])
            number += 1
            model.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()

        return step

    models = twins(lambda: Transformer(WIDTH, LAYERS, tokens=TOKENS).to(device))
    return variant(models[0], OneByOne), variant(models[1], Stacked), models
