"""Mixup: NumPy draws who is mixed with whom and how much, and both are uploaded in each step."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import ResNet, twins

ID = "mixup-from-the-host"
QUESTION = (
    "Each step begins with two small copies from pageable memory, and they take milliseconds. "
    "Are they to blame? (No: they wait for the step before, and the GPU computes.)"
)
CHANGE = "Both are pinned, and the copies do not block."
CAUSE = "pageable-copies"
FIRST = None
STACK = False
ROWS = 128


def build(device):
    def learner():
        model = ResNet(64).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    images = torch.randn(ROWS, 3, 64, 64, device=device)
    targets = torch.randint(10, (ROWS,), device=device)

    def draw(random):
        order, share = random.permutation(ROWS), random.beta(0.2, 0.2, ROWS)
        return torch.from_numpy(order), torch.from_numpy(share.astype(np.float32))

    def mixed_step(learner, order, share):
        model, optimizer = learner
        rest, wide = 1 - share, share[:, None, None, None]
        logits = model(images * wide + images[order] * (1 - wide))
        losses = [F.cross_entropy(logits, y, reduction="none") for y in (targets, targets[order])]
        loss = (losses[0] * share + losses[1] * rest).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    for_us, for_them = np.random.default_rng(1), np.random.default_rng(1)

    def found():
        mixed_step(ours, *(part.to(device) for part in draw(for_us)))

    def changed():
        parts = [part.pin_memory() for part in draw(for_them)]
        mixed_step(theirs, *(part.to(device, non_blocking=True) for part in parts))

    return found, changed, (ours[0], theirs[0])
