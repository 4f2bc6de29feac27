"""Prototypes: the mean embedding of each class that occurs in a batch, behind a large frozen encoder."""

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "unique-labels"
QUESTION = "torch.unique and a loop over the classes found: does the host wait? (Yes: for the encoder, before it launches the rest.)"
CHANGE = "All classes are known beforehand; rows of each class are taken by indices that the loader made."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False

CLASSES = 32


def build(device):
    encoder = mlp(4096, 4, 256).to(device).requires_grad_(False)

    def learner():
        head = nn.Linear(256, 64).to(device)
        return head, torch.optim.SGD(head.parameters(), lr=0.1)

    ours, theirs = twins(learner)
    images = torch.randn(1024, 4096, device=device)
    labels = torch.arange(1024) % CLASSES
    rows = [(labels == label).nonzero().squeeze(1).to(device) for label in range(CLASSES)]
    labels = labels.to(device)

    def update(optimizer, embedded, prototypes):
        scores = embedded @ torch.stack(prototypes).T
        loss = F.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def found():
        embedded = ours[0](encoder(images))
        present = torch.unique(labels)
        prototypes = [embedded[labels == label].mean(0) for label in present]
        update(ours[1], embedded, prototypes)

    def changed():
        embedded = theirs[0](encoder(images))
        prototypes = [embedded[of_class].mean(0) for of_class in rows]
        update(theirs[1], embedded, prototypes)

    return found, changed, (ours[0], theirs[0])
