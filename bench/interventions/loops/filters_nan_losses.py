"""A trainer that accumulates gradients, and looks at the loss of each micro-batch before it adds it for the log."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "filters-nan-losses"
QUESTION = (
    "The trainer's filter of NaN losses looks harmless: two comparisons for each micro-batch. Is it to blame? "
    "(Yes: the next micro-batch is collated only after the wait.)"
)
CHANGE = "The filter is off, as logging_nan_inf_filter=False does it: losses are summed on the device."
CAUSE = "read-back"
FIRST = "host-code"  # measured: collates-once
STACK = False
PROFILED_STEPS = 2
MICRO_BATCHES, ROWS, LENGTH, WIDTH, LAYERS, VOCABULARY = 3, 96, 128, 512, 3, 8192
PAD, MASK, UNKNOWN = 0, 1, 2


class Collator:
    """Looks up the words of sentences, pads them and masks 15 % of their tokens."""

    def __init__(self):
        self.random = np.random.default_rng(1)
        lengths = self.random.integers(40, LENGTH + 1, 2048)
        self.words = {f"word{token}": token for token in range(4, VOCABULARY)}
        texts = [self.random.integers(4, VOCABULARY, length) for length in lengths]
        self.sentences = [" ".join(f"word{token}" for token in text) for text in texts]

    def next(self):
        tokens = np.full((ROWS, LENGTH), PAD)
        for row, index in zip(tokens, self.random.integers(len(self.sentences), size=ROWS)):
            sentence = [self.words.get(word, UNKNOWN) for word in self.sentences[index].split()]
            row[: len(sentence)] = sentence
        labels = tokens.copy()
        chance = self.random.random(tokens.shape)
        is_masked = (chance < 0.15) & (tokens != PAD)
        labels[~is_masked] = -100
        tokens[is_masked & (chance < 0.12)] = MASK
        is_changed = is_masked & (chance >= 0.12) & (chance < 0.135)
        tokens[is_changed] = self.random.integers(4, VOCABULARY, is_changed.sum())
        return [torch.from_numpy(part).pin_memory() for part in (tokens, labels)]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.place = nn.Parameter(torch.zeros(LENGTH, WIDTH))
        layers = [
            nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, 0.0, "gelu", batch_first=True, norm_first=True)
            for _ in range(LAYERS)
        ]
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        return self.head(self.layers(self.embed(tokens) + self.place))


def build(device):
    def variant(model, is_filtered):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 100_000)
        collator = Collator()
        logged = torch.zeros((), device=device)

        def step():
            nonlocal logged
            for _ in range(MICRO_BATCHES):
                tokens, labels = (part.to(device, non_blocking=True) for part in collator.next())
                with torch.autocast("cuda", torch.bfloat16):
                    logits = model(tokens)
                loss = F.cross_entropy(logits.flatten(0, 1).float(), labels.flatten()) / MICRO_BATCHES
                loss.backward()
                loss = loss.detach()
                if is_filtered and (torch.isnan(loss) or torch.isinf(loss)):
                    continue
                logged = logged + loss
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()

        return step

    models = twins(lambda: Encoder().to(device))
    return variant(models[0], True), variant(models[1], False), models
