"""Validation of a tagger: the host counts which tag was taken for which, token by token."""

import numpy as np
import torch
from parts import Transformer

ID = "tags-counted-in-python"
QUESTION = (
    "Tags are read, and then a loop counts them. Which of the two is to blame? "
    "(Either.)"
)
CHANGE = "np.bincount counts them in one call. The read stays."
CAUSE = "host-code:count_tags"
FIRST = "read-back"
STACK = True
ROWS, LENGTH, TAGS = 32, 256, 9


def count_tags(matrix, guesses, labels):
    for ours, theirs in zip(guesses.tolist(), labels.tolist()):
        for guess, label in zip(ours, theirs):
            if label != TAGS:
                matrix[label][guess] += 1


def build(device):
    model = Transformer(256, 2, 4).to(device).eval()
    tokens = torch.randint(1024, (ROWS, LENGTH), device=device)
    labels = np.random.default_rng(1).integers(0, TAGS + 1, (ROWS, LENGTH))

    @torch.no_grad()
    def guess():
        return model(tokens)[:, :, :TAGS].argmax(2).cpu().numpy()

    lists, counted = [[0] * TAGS for _ in range(TAGS)], np.zeros((TAGS + 1) * TAGS, np.int64)

    def found():
        count_tags(lists, guess(), labels)

    def changed():
        counted[:] += np.bincount((labels * TAGS + guess()).flatten(), minlength=len(counted))

    return found, changed
