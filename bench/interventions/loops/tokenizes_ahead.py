"""Texts are tokenized in collate_fn, in the loop's own process, while the GPU trains."""

import re

import torch
from parts import Transformer, forever, next_token_loss, twins
from torch.utils.data import DataLoader

ID = "tokenizes-ahead"
QUESTION = (
    "collate_fn tokenizes for ms in each step, without workers. Is it to blame? "
    "(No: the GPU is busy longer.)"
)
CHANGE = "Texts are tokenized once, before the loop."
CAUSE = "data-loading"
FIRST = None
STACK = False
LENGTH, BATCH = 513, 24
PIECES = re.compile(r"\w+|[^\w\s]")


class Tokenizer:
    def __init__(self, texts):
        pieces = sorted({piece for text in texts for piece in PIECES.findall(text.lower())})
        self.ids = {piece: 2 + at % 1022 for at, piece in enumerate(pieces)}

    def __call__(self, texts):
        rows = []
        for text in texts:
            row = [self.ids.get(piece, 1) for piece in PIECES.findall(text.lower())][:LENGTH]
            rows.append(row + [0] * (LENGTH - len(row)))
        return torch.tensor(rows)


def build(device):
    texts = [
        " ".join(f"Word{(text * 37 + at * at) % 1500}{',' if at % 9 == 0 else ''}" for at in range(500))
        for text in range(4 * BATCH)
    ]

    def variant(model, loader):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        batches = forever(loader)

        def step():
            tokens = next(batches).to(device, non_blocking=True)
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            optimizer.step()

        return step

    models = twins(lambda: Transformer(512, 4).to(device))
    loader = DataLoader(texts, BATCH, collate_fn=Tokenizer(texts), pin_memory=True)
    return variant(models[0], loader), variant(models[1], list(loader)), models
