"""Mixture of experts with hash layers: a table says for each token of the vocabulary which expert takes it."""

import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "hash-routed-experts"
QUESTION = (
    "Each layer reads with .tolist() how many tokens an expert gets, and the host waits ms there. Is it to blame? "
    "(No: the GPU computes meanwhile, and the first expert is launched at once.)"
)
CHANGE = "The loader counts the tokens of each expert, and nothing is read."
CAUSE = "read-back"
FIRST = None
STACK = False
PROFILED_STEPS = 3
TOKENS, WIDTH, EXPERTS, LAYERS, VOCABULARY = 8192, 1024, 8, 2, 4096


class HashLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(EXPERTS)
        )
        self.register_buffer("expert_of", torch.randint(EXPERTS, (VOCABULARY,)))

    def count(self, tokens):
        return torch.bincount(self.expert_of[tokens], minlength=EXPERTS)

    def forward(self, x, tokens, counts):
        order = self.expert_of[tokens].argsort(stable=True)
        counts = self.count(tokens).tolist() if counts is None else counts
        parts = self.norm(x).index_select(0, order).split(counts)
        y = torch.cat([expert(part) for expert, part in zip(self.experts, parts)])
        return x + torch.zeros_like(x).index_copy(0, order, y)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(HashLayer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens, counts):
        x = self.embed(tokens)
        for layer, each in zip(self.layers, counts):
            x = layer(x, tokens, each)
        return self.head(x)


def build(device):
    torch.manual_seed(1)
    batches = [torch.randint(VOCABULARY, (TOKENS + 1,), device=device) for _ in range(4)]

    def variant(model, is_counted_by_loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        counts = [[layer.count(batch[:-1]).tolist() for layer in model.layers] for batch in batches]
        number = 0

        def step():
            nonlocal number
            at = number % len(batches)
            number += 1
            known = counts[at] if is_counted_by_loader else [None] * LAYERS
            loss = F.cross_entropy(model(batches[at][:-1], known), batches[at][1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: Model().to(device))
    return variant(models[0], False), variant(models[1], True), models
