"""Masked language modelling: the host chooses the masked tokens one by one, and reads the loss."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import Transformer, twins

ID = "masks-behind-a-read"
QUESTION = (
    "The loss is read, then mask_tokens() runs in Python. Is the read alone to blame? "
    "(No: either change would do.)"
)
CHANGE = "The same masks are made once, before the loop. The read stays."
CAUSE = "host-code:mask_tokens"
FIRST = "read-back"
STACK = True
ROWS, LENGTH, MASK = 32, 384, 1023


def mask_tokens(rows, dice):
    inputs, labels = [], []
    for row in rows:
        masked, label = list(row), [-100] * LENGTH
        for at, chance in enumerate(dice.random(LENGTH).tolist()):
            if chance < 0.15:
                label[at] = row[at]
                if chance < 0.12:
                    masked[at] = MASK
                elif chance < 0.135:
                    masked[at] = int(chance * 1e6) % 1000
        inputs.append(masked)
        labels.append(label)
    return torch.tensor(inputs), torch.tensor(labels)


def build(device):
    texts = torch.randint(1000, (4, ROWS, LENGTH)).tolist()
    ready = [mask_tokens(rows, np.random.default_rng(at)) for at, rows in enumerate(texts)]

    def variant(model, masked):
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        count, log = 0, []

        def step():
            nonlocal count
            at = count % len(texts)
            count += 1
            inputs, labels = [part.pin_memory().to(device, non_blocking=True) for part in masked(at)]
            loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            log[:] = [loss.item()]

        return step

    models = twins(lambda: Transformer(384, 3, 6).to(device))
    found = variant(models[0], lambda at: mask_tokens(texts[at], np.random.default_rng(at)))
    return found, variant(models[1], lambda at: ready[at]), models
