"""A thread reads the scores of each step and computes average precision in Python, beside the launches. With Python stacks."""

import threading

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "metrics-hold-the-lock"
QUESTION = (
    "Metrics are computed in a thread, 'so that they cost nothing'. Is training as fast as without them? "
    "(No: average_precision() holds the interpreter's lock, and each launch of the loop has to get it back.)"
)
CHANGE = "The thread reads all scores as before, and computes the metric once in a hundred steps."
CAUSE = "host-code:average_precision"
FIRST = "host-code:average_precision"
STACK = True
ROUND_S = 0.3
PROFILED_STEPS = 3
ROWS, WIDTH, LAYERS, LABELS = 512, 512, 8, 12


def average_precision(scores, labels):
    found, total = 0, 0.0
    ranked = sorted(zip(scores, labels), reverse=True)
    for rank, (_, is_right) in enumerate(ranked, 1):
        if is_right:
            found += 1
            total += found / rank
    return total / max(found, 1)


class Metrics(threading.Thread):
    """At most one step is behind the loop."""

    def __init__(self, targets, every):
        super().__init__(daemon=True)
        self.labels, self.every = targets.T.tolist(), every
        self.stream, self.changes, self.step = torch.cuda.Stream(), threading.Condition(), None
        self.means = []
        self.start()

    def hand_over(self, logits):
        step = logits, torch.cuda.current_stream().record_event()
        with self.changes:
            self.changes.wait_for(lambda: self.step is None)
            self.step = step
            self.changes.notify()

    def run(self):
        number = 0
        while True:
            with self.changes:
                self.changes.wait_for(lambda: self.step is not None)
                logits, computed = self.step
            number += 1
            self.stream.wait_event(computed)
            logits.record_stream(self.stream)
            with torch.cuda.stream(self.stream):
                scores = logits.T.tolist()
            if number % self.every == 0:
                found = [average_precision(*each) for each in zip(scores, self.labels)]
                self.means.append(sum(found) / len(found))
            with self.changes:
                self.step = None
                self.changes.notify()


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = (torch.rand(ROWS, LABELS, device=device) < 0.3).float()
    models = twins(lambda: mlp(WIDTH, LAYERS, LABELS).to(device))
    torch.cuda.synchronize()

    def variant(model, every):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        metrics = Metrics(targets, every)

        def step():
            logits = model(inputs)
            metrics.hand_over(logits.detach())
            loss = F.binary_cross_entropy_with_logits(logits, targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    return variant(models[0], 1), variant(models[1], 100), models
