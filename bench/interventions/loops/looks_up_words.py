"""A classifier of texts: a dictionary of Python turns words into ids in each step."""

import numpy as np
import torch
from parts import mlp, train, twins
from torch import nn

ID = "looks-up-words"
QUESTION = (
    "The GPU idles at the start of each step. Which code is running? "
    "(encode(): it looks up 12,288 words in a dictionary, one by one.)"
)
CHANGE = "The texts are encoded once, before the loop."
CAUSE = "host-code:encode"
FIRST = "host-code:encode"
STACK = True
PROFILED_STEPS = 3
ROWS, LENGTH, WORDS, WIDTH, BATCHES = 96, 128, 20_000, 256, 8


def encode(vocabulary, texts):
    """Ids of the words, padded with 0; words that are unknown get 1."""
    rows = []
    for words in texts:
        ids = [vocabulary[word] if word in vocabulary else 1 for word in words]
        rows.append(ids + [0] * (LENGTH - len(ids)))
    return torch.tensor(rows)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(WORDS, WIDTH), mlp(1024, 12, 10, WIDTH)

    def forward(self, ids):
        return self.head(self.embed(ids).mean(1))


def build(device):
    def learner():
        model = Classifier().to(device)
        return model, torch.optim.AdamW(model.parameters(), lr=1e-4)

    ours, theirs = twins(learner)
    random = np.random.default_rng(1)
    words = [f"word{index:x}" for index in range(WORDS + 500)]
    vocabulary = {word: index for index, word in enumerate(words[:WORDS])}
    batches = [
        [[words[index] for index in random.integers(2, len(words), LENGTH)] for _ in range(ROWS)]
        for _ in range(BATCHES)
    ]
    encoded = [encode(vocabulary, texts) for texts in batches]
    targets = torch.randint(10, (ROWS,), device=device)
    steps = [0, 0]

    def found():
        steps[0] += 1
        ids = encode(vocabulary, batches[steps[0] % BATCHES])
        train(*ours, ids.to(device), targets)

    def changed():
        steps[1] += 1
        train(*theirs, encoded[steps[1] % BATCHES].to(device), targets)

    return found, changed, (ours[0], theirs[0])
