"""A GPT as lectures write it first: each head of attention is a module, and a loop runs them."""

import torch
import torch.nn.functional as F
from parts import next_token_loss
from torch import nn

ID = "heads-one-by-one"
QUESTION = "Four layers of six heads, one after another. Does the GPU compute, or wait for launches? (It waits.)"
CHANGE = "One product for all queries, keys and values, and one batched attention; the weights are the same."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, LENGTH, WIDTH, LAYERS, HEADS, TOKENS = 8, 256, 384, 4, 6, 256


def is_later(length, device):
    return torch.ones(length, length, dtype=torch.bool, device=device).triu(1)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH // HEADS, bias=False) for _ in range(3))

    def forward(self, x, later):
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        return weights.masked_fill(later, -torch.inf).softmax(-1) @ v


class OneByOne(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(Head() for _ in range(HEADS))
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, later):
        return self.out(torch.cat([head(x, later) for head in self.heads], -1))


class AllAtOnce(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, later):
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        weights = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        x = weights.masked_fill(later, -torch.inf).softmax(-1) @ v
        return self.out(x.transpose(1, 2).reshape(rows, length, WIDTH))


class Layer(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, later):
        x = x + self.attention(self.norm1(x), later)
        return x + self.mlp(self.norm2(x))


class Lecture(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.embed, self.place = nn.Embedding(TOKENS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.layers = nn.ModuleList(Layer(attention) for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, TOKENS)
        self.register_buffer("later", is_later(LENGTH, "cpu"))

    def forward(self, tokens):
        x = self.embed(tokens) + self.place.weight
        for layer in self.layers:
            x = layer(x, self.later)
        return self.head(self.norm(x))


def build(device):
    torch.manual_seed(1)
    ours, theirs = Lecture(OneByOne).to(device), Lecture(AllAtOnce).to(device)
    shared = [name for name, _ in theirs.named_parameters() if "qkv" not in name]
    theirs.load_state_dict({name: ours.get_parameter(name) for name in shared}, strict=False)
    with torch.no_grad():
        for one, all_ in zip(ours.layers, theirs.layers):
            heads = one.attention.heads
            weights = [getattr(head, part).weight for part in ("query", "key", "value") for head in heads]
            all_.attention.qkv.weight.copy_(torch.cat(weights))
    tokens = torch.randint(TOKENS, (ROWS, LENGTH + 1), device=device)

    def variant(model):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)

        def step():
            loss = next_token_loss(model, tokens)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    compared = tuple([model.get_parameter(name) for name in shared] for model in (ours, theirs))
    return variant(ours), variant(theirs), compared
