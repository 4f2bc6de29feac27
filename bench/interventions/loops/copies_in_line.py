"""Pinned batches that are copied on the stream of the kernels, so that copies and kernels take turns."""

import torch
from parts import mlp, train, twins

ID = "copies-in-line"
QUESTION = "Copies are pinned and don't block the host. Do they still cost time? (Yes: kernels wait for them on the same stream.)"
CHANGE = "The next batch is copied on a stream of its own, into the other of two buffers."
CAUSE = "copies-in-line"
FIRST = "copies-in-line"
STACK = False

ROWS, COLUMNS = 8192, 4096


def build(device):
    def learner():
        model = mlp(1024, 6, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    pinned = torch.randn(ROWS, COLUMNS).pin_memory()
    targets = torch.randint(1000, (ROWS,), device=device)
    copying = torch.cuda.Stream()
    places = [torch.empty(ROWS, COLUMNS, device=device) for _ in range(2)]

    def copy_next():
        copying.wait_stream(torch.cuda.current_stream())  # the step that read this buffer is over
        with torch.cuda.stream(copying):
            places[1].copy_(pinned, non_blocking=True)

    copy_next()

    def found():
        train(*ours, pinned.to(device, non_blocking=True), targets)

    def changed():
        torch.cuda.current_stream().wait_stream(copying)
        places.reverse()
        copy_next()
        train(*theirs, places[0], targets)

    return found, changed, (ours[0], theirs[0])
