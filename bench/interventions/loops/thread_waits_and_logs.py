"""A thread waits for the end of each step and logs its time and loss. The loop itself waits for nothing."""

import os
import queue
import threading

import torch
from parts import mlp, train, twins

ID = "thread-waits-and-logs"
QUESTION = (
    "cudaEventSynchronize fills the profile from end to end. Is the wait to blame? "
    "(No: a thread waits that has nothing else to do, and the loop launches meanwhile.)"
)
CHANGE = "No thread, and no log."
CAUSE = "synchronize"
FIRST = None
STACK = False


def write_times(ended, log):
    before = None
    while True:
        number, event, loss = ended.get()
        event.synchronize()
        took = before.elapsed_time(event) if before else 0.0
        log.write(f"step {number}: {took:.2f} ms, loss {float(loss):.4f}\n")
        before = event


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)
    losses = torch.zeros(4096).pin_memory()
    ended = queue.SimpleQueue()
    threading.Thread(target=write_times, args=(ended, open(os.devnull, "w")), daemon=True).start()
    number = 0

    def found():
        nonlocal number
        loss = losses[number % len(losses)]
        loss.copy_(train(*ours, inputs, targets), non_blocking=True)
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        ended.put((number, event, loss))
        number += 1

    def changed():
        train(*theirs, inputs, targets)

    return found, changed, (ours[0], theirs[0])
