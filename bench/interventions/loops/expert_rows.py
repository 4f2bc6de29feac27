"""A mixture of experts: each expert looks up its own tokens in a mask by nonzero()."""

import torch
from torch import nn

ID = "expert-rows"
QUESTION = (
    "nonzero() tells each expert which tokens are its own. Does the host wait for that? "
    "(Yes: once for each expert, and the GPU idles until its kernels come.)"
)
CHANGE = "topk() has already told each expert its tokens: its indices are used."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
PROFILED_STEPS = 3
TOKENS, WIDTH, HIDDEN, EXPERTS, CAPACITY, LAYERS = 8192, 1024, 4096, 8, 2048, 3


class Experts(nn.Module):
    """A layer in which each expert chooses as many tokens as it can take."""

    def __init__(self):
        super().__init__()
        self.norm, self.router = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, EXPERTS, bias=False)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, WIDTH))
            for _ in range(EXPERTS)
        )

    def forward(self, x, has_mask):
        y = self.norm(x)
        scores = self.router(y).softmax(-1)
        chosen = scores.topk(CAPACITY, 0).indices
        if has_mask:
            mask = torch.zeros_like(scores, dtype=torch.bool).scatter_(0, chosen, True)
        result = x.clone()
        for index, expert in enumerate(self.experts):
            rows = mask[:, index].nonzero().squeeze(1) if has_mask else chosen[:, index]
            weights = scores[:, index][rows].unsqueeze(1)
            result.index_add_(0, rows, expert(y[rows]) * weights)
        return result


def build(device):
    torch.manual_seed(1)
    layers = nn.ModuleList(Experts() for _ in range(LAYERS)).to(device, torch.bfloat16).eval()
    tokens = torch.randn(TOKENS, WIDTH, device=device, dtype=torch.bfloat16)
    results = [torch.zeros(TOKENS, WIDTH, device=device, dtype=torch.bfloat16) for _ in range(2)]

    @torch.no_grad()
    def infer(result, has_mask):
        x = tokens
        for layer in layers:
            x = layer(x, has_mask)
        result.copy_(x)

    def found():
        infer(results[0], True)

    def changed():
        infer(results[1], False)

    return found, changed, ([results[0]], [results[1]])
