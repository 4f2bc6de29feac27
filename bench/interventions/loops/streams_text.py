"""A chat server: a decoder with a KV cache in a CUDA graph, and each token is streamed as text."""

import torch
import torch.nn.functional as F
from parts import Gated, as_graph, turns
from torch import nn

ID = "streams-text"
QUESTION = (
    "Each token of 64 chats is read and turned into text. Is the read to blame? "
    "(Yes: the GPU idles while the host writes.)"
)
CHANGE = "The text is written one token late: by then the next token is under way."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
PROFILED_STEPS = 3
LAYERS, WIDTH, HEADS, LENGTH, VOCABULARY = 6, 1024, 16, 256, 8192
ROWS, TOKENS, LONGEST = 64, 8, 256
STOPS = ("</s>", "User:", "<|end|>", "###")


class Writer:
    """The text of one chat. Whole words are sent; the tokens of a text are decoded together."""

    def __init__(self, pieces, tokens):
        self.pieces, self.tokens, self.sent, self.is_over = pieces, tokens, 0, False

    def put(self, token):
        self.tokens.append(token)
        text = "".join([self.pieces[token] for token in self.tokens])
        self.sent = max(self.sent, text.rfind(" ") + 1)
        self.is_over = any(stop in text for stop in STOPS)
        if len(self.tokens) == LONGEST:
            self.tokens, self.sent = [], 0


def build(device):
    torch.manual_seed(1)
    model = nn.Module()
    model.embed = nn.Embedding(VOCABULARY, WIDTH)
    model.layers = nn.ModuleList(Gated(WIDTH, HEADS) for _ in range(LAYERS))
    model.norm, model.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
    model.to(device, torch.bfloat16)
    size = (LAYERS, 2, ROWS, HEADS, LENGTH, WIDTH // HEADS)
    caches = torch.zeros(size, device=device, dtype=torch.bfloat16)
    all_turns = turns(WIDTH // HEADS, LENGTH).to(device)
    places = torch.arange(LENGTH, device=device)
    place = torch.zeros(1, dtype=torch.int64, device=device)
    chosen = torch.randint(VOCABULARY, (ROWS,), device=device)

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
        chosen.copy_(model.head(model.norm(x[:, -1])).argmax(-1))
        place.copy_((place + 1) % LENGTH)

    replay = as_graph(decode, model)
    pieces = [f"{' ' if token % 3 else ''}w{token:x}" for token in range(VOCABULARY)]
    lengths = range(0, LONGEST, LONGEST // ROWS)  # the chats are not all equally long
    ours, theirs = ([Writer(pieces, [7] * length) for length in lengths] for _ in range(2))
    pinned = [torch.zeros(ROWS, dtype=torch.int64).pin_memory() for _ in range(2)]
    copied = [torch.cuda.Event() for _ in range(2)]

    def found():
        for _ in range(TOKENS):
            replay()
            for writer, token in zip(ours, chosen.tolist()):
                writer.put(token)

    def changed():
        for _ in range(TOKENS):
            replay()
            pinned[0].copy_(chosen, non_blocking=True)
            copied[0].record()
            copied[1].synchronize()
            for writer, token in zip(theirs, pinned[1].tolist()):
                writer.put(token)
            pinned.reverse()
            copied.reverse()

    return found, changed
