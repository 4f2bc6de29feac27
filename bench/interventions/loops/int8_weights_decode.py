"""A decoder whose weights are int8: each layer makes them bfloat16 again for each token of 16 texts."""

import torch
import torch.nn.functional as F
from parts import Gated, as_graph, turns
from torch import nn

ID = "int8-weights-decode"
QUESTION = (
    "Decoding token by token, some 40 launches a layer. Would a CUDA graph help? "
    "(No: dequantizing the weights keeps the GPU busy.)"
)
CHANGE = "A token is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = None
STACK = False
PROFILED_STEPS = 2
LAYERS, WIDTH, HEADS, LENGTH, VOCABULARY, ROWS = 8, 5120, 40, 256, 8192, 16


class Int8(nn.Module):
    """A linear layer with one scale for each output."""

    def __init__(self, inputs, outputs, device):
        super().__init__()
        self.register_buffer("weight", torch.randint(-127, 128, (outputs, inputs), dtype=torch.int8, device=device))
        self.register_buffer("scale", torch.full((outputs, 1), 0.01 / inputs**0.5, device=device))

    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype) * self.scale)


class Quantized(Gated):
    def __init__(self, device):
        nn.Module.__init__(self)
        self.heads = HEADS
        self.norm1, self.norm2 = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.qkv, self.out = Int8(WIDTH, 3 * WIDTH, device), Int8(WIDTH, WIDTH, device)
        self.up, self.down = Int8(WIDTH, 6 * WIDTH, device), Int8(3 * WIDTH, WIDTH, device)


def build(device):
    torch.manual_seed(1)
    model = nn.Module()
    model.embed = nn.Embedding(VOCABULARY, WIDTH)
    model.layers = nn.ModuleList(Quantized(device) for _ in range(LAYERS))
    model.norm, model.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
    model.to(device, torch.bfloat16)
    all_turns = turns(WIDTH // HEADS, LENGTH).to(device)
    places = torch.arange(LENGTH, device=device)

    def decoder():
        size = (LAYERS, 2, ROWS, HEADS, LENGTH, WIDTH // HEADS)
        caches = torch.zeros(size, device=device, dtype=torch.bfloat16)
        place = torch.zeros(1, dtype=torch.int64, device=device)
        chosen = torch.zeros(ROWS, dtype=torch.int64, device=device)
        logits = torch.zeros(ROWS, VOCABULARY, device=device)

        def begin():
            for state in (caches, place, logits):
                state.zero_()
            chosen.copy_(torch.arange(ROWS))

        @torch.no_grad()
        def decode():
            turn = all_turns[place]
            mask = torch.zeros(1, LENGTH, device=device, dtype=torch.bfloat16)
            mask = mask.masked_fill(places > place, -torch.inf).expand(ROWS, HEADS, 1, LENGTH)
            x = model.embed(chosen[:, None])
            for layer, cache in zip(model.layers, caches):

                def attend(q, k, v, cache=cache):
                    cache[0].index_copy_(2, place, k)
                    cache[1].index_copy_(2, place, v)
                    return F.scaled_dot_product_attention(q, cache[0], cache[1], attn_mask=mask)

                x = layer(x, turn, attend)
            logits.copy_(model.head(model.norm(x[:, -1])))
            chosen.copy_(logits.argmax(-1))
            place.copy_((place + 1) % LENGTH)

        return decode, begin, logits

    found, begin, ours = decoder()
    begin()
    decode, begin, theirs = decoder()
    replay = as_graph(decode, model)
    begin()
    return found, replay, ([ours], [theirs])
