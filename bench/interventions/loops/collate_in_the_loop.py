"""Sentences are tokenized and padded in collate_fn, in the process of the loop."""

import random

import torch
from parts import Transformer, forever, next_token_loss, twins
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

ID = "collate-in-the-loop"
QUESTION = "The GPU idles before each step while collate_fn tokenizes and pads. Is it to blame? (Yes.)"
CHANGE = "Sentences are tokenized and padded once, before the loop."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.15

SENTENCES = 128


def build(device):
    def learner():
        model = Transformer(256, 2, 4, tokens=1024, length=128).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    generator = random.Random(1)
    words = [f"word{index}" for index in range(1000)]
    vocabulary = {word: index + 1 for index, word in enumerate(words)}
    sentences = [
        " ".join(generator.choice(words).capitalize() + "." for _ in range(generator.randint(32, 96)))
        for _ in range(4 * SENTENCES)
    ]

    def collate(texts):
        rows = [torch.tensor([vocabulary[word.lower().strip(".,")] for word in text.split()]) for text in texts]
        return pad_sequence(rows, batch_first=True)

    in_loop = forever(DataLoader(sentences, batch_size=SENTENCES, collate_fn=collate))
    prepared = forever(list(DataLoader(sentences, batch_size=SENTENCES, collate_fn=collate)))

    def step(learner, batches):
        model, optimizer = learner
        tokens = next(batches).to(device)
        optimizer.zero_grad()
        next_token_loss(model, tokens).backward()
        optimizer.step()

    return lambda: step(ours, in_loop), lambda: step(theirs, prepared), (ours[0], theirs[0])
