"""Early stopping: NumPy computes the metrics of a validation batch after each step."""

import numpy as np
import torch
from parts import mlp, train, twins

ID = "stops-early"
QUESTION = (
    "should_stop() computes metrics by NumPy in each step. Does it slow the loop? "
    "(No: it reads the logits of the step before, and the GPU computes meanwhile.)"
)
CHANGE = "Metrics are computed after every 1,000th step only."
CAUSE = "host-code:should_stop"
FIRST = None
STACK = True
ROWS, WIDTH, CLASSES, VALID = 1024, 4096, 64, 1024


def should_stop(history, logits, labels):
    """Whether macro F1 and calibration got no better for a long time."""
    odds = np.exp(logits - logits.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    guesses, trust = odds.argmax(1), odds.max(1)
    scores = []
    for label in range(CLASSES):
        hits = np.sum((guesses == label) & (labels == label))
        wrong = np.sum((guesses == label) != (labels == label))
        scores.append(2 * hits / max(1, 2 * hits + wrong))
    gap = 0.0
    for low in np.linspace(0, 1, 15, endpoint=False):
        inside = (trust > low) & (trust <= low + 1 / 15)
        if inside.any():
            hit = (guesses[inside] == labels[inside]).mean()
            gap += inside.mean() * abs(hit - trust[inside].mean())
    history.append(float(np.mean(scores) - gap))
    del history[:-5000]
    return len(history) == 5000 and max(history[-4000:]) < max(history)


def build(device):
    def learner():
        model = mlp(WIDTH, 4, CLASSES).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01)

    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(CLASSES, (ROWS,), device=device)
    valid = torch.randn(VALID, WIDTH, device=device)
    labels = np.random.default_rng(1).integers(0, CLASSES, VALID)

    class Loop:
        def __init__(self, learner, every):
            self.model, self.optimizer = learner
            self.every, self.steps, self.history, self.is_over = every, 0, [], False
            self.logits = [torch.zeros(VALID, CLASSES).pin_memory() for _ in range(2)]
            self.copied = [torch.cuda.Event() for _ in range(2)]

        def step(self):
            train(self.model, self.optimizer, inputs, targets)
            with torch.no_grad():
                self.logits[0].copy_(self.model(valid), non_blocking=True)
            self.copied[0].record()
            self.logits.reverse()
            self.copied.reverse()
            self.copied[0].synchronize()
            self.steps += 1
            if self.steps % self.every == 0:
                self.is_over |= should_stop(self.history, self.logits[0].numpy(), labels)

    found, changed = (Loop(learner, every) for learner, every in zip(twins(learner), (1, 1000)))
    return found.step, changed.step, (found.model, changed.model)
