"""Contrastive sentence embeddings: two views of each sentence are made by swapping, dropping and replacing words."""

import random

import numpy as np
import torch
import torch.nn.functional as F
from parts import Transformer, twins
from torch import nn

ID = "augments-sentences"
QUESTION = (
    "augment() is Python, runs in the loop, and takes ms for each batch. Does it slow the loop? "
    "(No: the GPU computes the batch before for longer than that.)"
)
CHANGE = "The views of 16 batches are made before the loop."
CAUSE = "host-code:augment"
FIRST = None
STACK = True
PROFILED_STEPS = 2
SENTENCES, LENGTH, WIDTH, LAYERS, VOCABULARY, OUTPUTS, BATCHES = 112, 64, 512, 4, 8192, 256, 16


def augment(sentence, synonyms, dice):
    """Easy data augmentation: a tenth of the words each are replaced, swapped and dropped."""
    size = len(sentence)
    replaced, swapped, dropped = dice.random((3, size)).tolist()
    words = [synonyms[word] if draw < 0.1 else word for word, draw in zip(sentence, replaced)]
    for place, draw in enumerate(swapped):
        if draw < 0.1:
            other = int(10 * draw * size)
            words[place], words[other] = words[other], words[place]
    words = [word for word, draw in zip(words, dropped) if draw >= 0.1]
    return words + [0] * (LENGTH - len(words))


def build(device):
    numbers = random.Random(1)
    synonyms = [numbers.randrange(1, VOCABULARY) for _ in range(VOCABULARY)]
    corpus = [
        [[numbers.randrange(1, VOCABULARY) for _ in range(numbers.randrange(40, LENGTH))] for _ in range(SENTENCES)]
        for _ in range(BATCHES)
    ]
    targets = torch.arange(SENTENCES, device=device)

    def make():
        model = Transformer(WIDTH, LAYERS, tokens=VOCABULARY, length=LENGTH)
        model.head = nn.Linear(WIDTH, OUTPUTS)
        return model.to(device)

    def views(number, dice):
        sentences = corpus[number % BATCHES]
        rows = [augment(sentence, synonyms, dice) for sentence in (*sentences, *sentences)]
        return torch.tensor(rows).pin_memory()

    def variant(model, batch_of):
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        number = 0

        def step():
            nonlocal number
            tokens = batch_of(number).to(device, non_blocking=True)
            number += 1
            one, other = F.normalize(model(tokens).mean(1), dim=1).chunk(2)
            loss = F.cross_entropy(one @ other.T / 0.05, targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(make)
    dice, same_dice = np.random.default_rng(2), np.random.default_rng(2)
    made = [views(number, same_dice) for number in range(BATCHES)]
    found = variant(models[0], lambda number: views(number, dice))
    return found, variant(models[1], lambda number: made[number % BATCHES]), models
