"""A thread counts hits for each class of the logits that the loop hands over, and reads every count."""

import queue
import threading

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "thread-reads-metrics"
QUESTION = (
    "A thread reads 20 counts of each step on a stream of its own. Do its reads hold up the training? "
    "(No: the thread waits, the loop launches meanwhile, and the GPU is busy with the step.)"
)
CHANGE = "The thread adds the counts up on the device and reads none."
CAUSE = "read-back"
FIRST = None
STACK = False
ROUND_S = 0.2
ROWS, COLUMNS, CLASSES = 2048, 1024, 10


class Metrics(threading.Thread):
    def __init__(self, targets, device, does_read):
        super().__init__(daemon=True)
        self.targets, self.does_read = targets, does_read
        self.hits = [[0, 0] for _ in range(CLASSES)]
        self.counts = torch.zeros(CLASSES, 2, dtype=torch.int64, device=device)
        self.stream = torch.cuda.Stream(priority=-1)
        self.steps = queue.Queue(maxsize=4)
        self.start()

    def run(self):
        while True:
            logits, computed = self.steps.get()
            self.stream.wait_event(computed)
            logits.record_stream(self.stream)
            with torch.cuda.stream(self.stream):
                self.count(logits.argmax(1))

    def count(self, chosen):
        for at in range(CLASSES):
            is_chosen = chosen == at
            is_right = is_chosen & (self.targets == at)
            for to, rows in enumerate((is_chosen, is_right)):
                if self.does_read:
                    self.hits[at][to] += int(rows.sum().item())
                else:
                    self.counts[at, to] += rows.sum()


def build(device):
    inputs = torch.randn(ROWS, COLUMNS, device=device)
    targets = torch.randint(CLASSES, (ROWS,), device=device)

    def variant(model, does_read):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        metrics = Metrics(targets, device, does_read)

        def step():
            logits = model(inputs)
            metrics.steps.put((logits.detach(), torch.cuda.current_stream().record_event()))
            loss = F.cross_entropy(logits, targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: mlp(4096, 4, CLASSES, COLUMNS).to(device))
    torch.cuda.synchronize()
    return variant(models[0], True), variant(models[1], False), models
