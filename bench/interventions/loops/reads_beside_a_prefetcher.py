"""A thread prefetches and is ahead. The loop reads loss, norm and accuracy, and then updates its meters in Python."""

import queue
import threading

import numpy as np
import torch
import torch.nn.functional as F
from parts import PythonWork, mlp, twins

ID = "reads-beside-a-prefetcher"
QUESTION = (
    "A thread prepares and copies batches while the loop reads three numbers a step. Which of the two holds the loop? "
    "(The reads: the meters could be updated, and the next step launched, while the GPU works.)"
)
CHANGE = "The three numbers are summed on the device and not read. The meters get none, and take as long."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
ROUND_S = 0.3
ROWS, COLUMNS = 1024, 2048


class Prefetcher:
    """Prepares one batch ahead, when it is told to."""

    def __init__(self, table, device):
        self.table, self.device, self.random = table, device, np.random.default_rng(1)
        self.stream = torch.cuda.Stream()
        self.asked, self.ready = queue.SimpleQueue(), queue.SimpleQueue()
        threading.Thread(target=self.work, daemon=True).start()
        self.asked.put(None)

    def work(self):
        while True:
            self.asked.get()
            rows = self.table[self.random.integers(0, len(self.table), ROWS)]
            rows += np.float32(0.01)
            with torch.cuda.stream(self.stream):
                inputs = torch.from_numpy(rows).pin_memory().to(self.device, non_blocking=True)
            self.ready.put((inputs, self.stream.record_event()))

    def next(self):
        inputs, copied = self.ready.get()
        self.asked.put(None)
        torch.cuda.current_stream().wait_event(copied)
        inputs.record_stream(torch.cuda.current_stream())
        return inputs


def build(device):
    table = np.random.default_rng(2).standard_normal((8192, COLUMNS), dtype=np.float32)
    targets = torch.randint(1000, (ROWS,), device=device)
    update_meters = PythonWork(2.5)

    def numbers(learner, inputs):
        model, optimizer = learner
        logits = model(inputs)
        loss = F.cross_entropy(logits, targets)
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        accuracy = (logits.argmax(1) == targets).float().mean()
        return loss.detach(), norm, accuracy

    def learner():
        model = mlp(3584, 3, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    prefetchers = [Prefetcher(table, device) for _ in range(2)]
    sums, totals = [0.0] * 3, [torch.zeros((), device=device) for _ in range(3)]

    def found():
        for at, number in enumerate(numbers(ours, prefetchers[0].next())):
            sums[at] += number.item()
        update_meters()

    def changed():
        for total, number in zip(totals, numbers(theirs, prefetchers[1].next())):
            total.add_(number)
        update_meters()

    return found, changed, (ours[0], theirs[0])
