"""A thread makes batches of corrupted spans, row by row in Python, while the GPU trains on the batch before."""

import queue
import threading

import numpy as np
import torch
from parts import Transformer, next_token_loss, twins

ID = "thread-corrupts-spans"
QUESTION = (
    "A thread works for ms on each batch in Python, and holds the lock that the loop needs to launch. Is it to blame? "
    "(No: the GPU computes longer than both take together.)"
)
CHANGE = "The same batches lie on the device already, and there is no thread."
CAUSE = "data-loading"
FIRST = None
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 6
PROFILED_STEPS = 3
ROWS, LENGTH, SPANS, BATCHES = 24, 513, 40, 8


def corrupted(text, random):
    rows = []
    for _ in range(ROWS):
        start = int(random.integers(0, len(text) - 2 * LENGTH))
        row, at, to = [], start, start + LENGTH
        for span in range(SPANS):
            kept, hidden = (int(size) for size in random.integers(1, 12, 2))
            row.extend(text[at : at + kept].tolist())
            row.append(1000 + span % 24)
            at += kept + hidden
        row.extend(text[at : at + LENGTH].tolist())
        rows.append(row[: to - start])
    return torch.tensor(rows)


class Feeder:
    def __init__(self, text, device):
        self.text, self.device = text, device
        self.stream = torch.cuda.Stream()
        self.ready = queue.Queue(maxsize=1)
        threading.Thread(target=self.fill, daemon=True).start()

    def fill(self):
        number = 0
        while True:
            tokens = corrupted(self.text, np.random.default_rng(number % BATCHES)).pin_memory()
            with torch.cuda.stream(self.stream):
                self.ready.put((tokens.to(self.device, non_blocking=True), self.stream.record_event()))
            number += 1

    def next(self):
        tokens, copied = self.ready.get()
        torch.cuda.current_stream().wait_event(copied)
        tokens.record_stream(torch.cuda.current_stream())
        return tokens


def build(device):
    text = np.random.default_rng(1).integers(0, 1000, 1 << 20)
    ready = [corrupted(text, np.random.default_rng(number)).to(device) for number in range(BATCHES)]
    feeder = Feeder(text, device)

    def variant(model, next_batch):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        number = 0

        def step():
            nonlocal number
            tokens = next_batch(number % BATCHES)
            number += 1
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            optimizer.step()

        return step

    models = twins(lambda: Transformer(512, 4).to(device))
    torch.cuda.synchronize()
    return variant(models[0], lambda _: feeder.next()), variant(models[1], lambda at: ready[at]), models
