"""The loss of each sample goes to the host for a histogram, in a step that the host's launches pace."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "cpu-for-logging"
QUESTION = "Per-sample losses are copied with .cpu() for a histogram. Is the wait to blame? (Hardly: launches and the histogram are.)"
CHANGE = "The losses stay on the device; the histogram is that of earlier ones."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False


def build(device):
    def learner():
        model = mlp(512, 8).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(256, 512, device=device)
    targets = torch.randint(10, (256,), device=device)
    kept = torch.zeros(256, device=device)
    earlier = np.random.default_rng(1).random(256, dtype=np.float32)

    def losses_of(model, optimizer):
        losses = F.cross_entropy(model(inputs), targets, reduction="none")
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
        return losses.detach()

    def found():
        np.histogram(losses_of(*ours).cpu().numpy(), bins=32, range=(0, 10))

    def changed():
        kept.copy_(losses_of(*theirs))
        np.histogram(earlier, bins=32, range=(0, 10))

    return found, changed, (ours[0], theirs[0])
