"""A thread copies pinned batches ahead of the loop, and nobody gave it a stream."""

import queue
import threading

import torch
from parts import mlp, train, twins

ID = "thread-without-a-stream"
QUESTION = (
    "A thread copies the next batch while the loop trains on this one. Do the copies still cost time? "
    "(Yes: a new thread uses the default stream, so that the loop's kernels wait for them.)"
)
CHANGE = "The thread has a stream of its own, and the loop's stream waits for an event after the copy."
CAUSE = "copies-in-line"
FIRST = "copies-in-line"
STACK = False
ROWS, COLUMNS = 4096, 8192


def copy_ahead(batches, device, stream, ready):
    number = 0
    while True:
        with torch.cuda.stream(stream):  # None changes nothing
            inputs = batches[number % len(batches)].to(device, non_blocking=True)
            copied = torch.cuda.Event()
            copied.record()
        ready.put((inputs, copied))
        number += 1


def build(device):
    torch.manual_seed(1)
    batches = [torch.randn(ROWS, COLUMNS).pin_memory() for _ in range(3)]
    targets = torch.randint(1000, (ROWS,), device=device)

    def variant(learner, stream):
        ready = queue.Queue(maxsize=1)
        threading.Thread(target=copy_ahead, args=(batches, device, stream, ready), daemon=True).start()
        before = None

        def step():
            nonlocal before
            inputs, copied = ready.get()
            current = torch.cuda.current_stream()
            current.wait_event(copied)
            inputs.record_stream(current)
            train(*learner, inputs, targets)
            if before:
                before.synchronize()  # the thread must not fill the memory of the GPU with batches
            before = current.record_event()

        return step

    def learner():
        model = mlp(1024, 4, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    return variant(ours, None), variant(theirs, torch.cuda.Stream()), (ours[0], theirs[0])
