"""A LLaMA-like decoder whose KV cache grows by torch.cat(), token by token."""

import torch
import torch.nn.functional as F
from parts import Gated, turns
from torch import nn

ID = "cache-by-cat"
QUESTION = (
    "torch.cat() makes a new cache in each layer for each token. Does allocation slow it? "
    "(No: launches set the pace, and the allocator has the memory.)"
)
CHANGE = "The cache is made once, and each token is written into its place."
CAUSE = "allocation"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
LAYERS, WIDTH, HEADS, VOCABULARY = 3, 512, 8, 4096
ROWS, PROMPT, TOKENS = 8, 128, 5


def build(device):
    torch.manual_seed(1)
    model = nn.Module()
    model.embed = nn.Embedding(VOCABULARY, WIDTH)
    model.layers = nn.ModuleList(Gated(WIDTH, HEADS) for _ in range(LAYERS))
    model.norm, model.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
    model.to(device, torch.bfloat16)
    size = (LAYERS, 2, ROWS, HEADS, PROMPT + TOKENS, WIDTH // HEADS)
    whole = torch.randn(size, device=device, dtype=torch.bfloat16)
    prompt = [tuple(pair[:, :, :, :PROMPT].contiguous()) for pair in whole]
    all_turns = turns(WIDTH // HEADS, PROMPT + TOKENS).to(device)
    first = torch.randint(VOCABULARY, (ROWS, 1), device=device)
    results = [torch.zeros(ROWS, VOCABULARY, device=device) for _ in range(2)]

    def by_cat(layer, _, kept, k, v):
        keys, values = kept[layer]
        kept[layer] = torch.cat((keys, k), 2), torch.cat((values, v), 2)
        return kept[layer]

    def in_place(layer, place, _, k, v):
        keys, values = whole[layer].unbind(0)
        keys[:, :, place : place + 1], values[:, :, place : place + 1] = k, v
        return keys[:, :, : place + 1], values[:, :, : place + 1]

    @torch.no_grad()
    def generate(keep, result):
        kept, tokens = list(prompt), first
        for place in range(PROMPT, PROMPT + TOKENS):
            x = model.embed(tokens)
            for index, layer in enumerate(model.layers):

                def attend(q, k, v, index=index):
                    return F.scaled_dot_product_attention(q, *keep(index, place, kept, k, v))

                x = layer(x, all_turns[place : place + 1], attend)
            logits = model.head(model.norm(x[:, -1]))
            if place == PROMPT:
                result.copy_(logits)
            tokens = logits.argmax(-1, keepdim=True)

    def found():
        generate(by_cat, results[0])

    def changed():
        generate(in_place, results[1])

    return found, changed, ([results[0]], [results[1]])
