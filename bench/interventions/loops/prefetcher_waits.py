"""A prefetcher copies the next batch on a stream of its own, and the host waits for that stream."""

import torch
from parts import mlp, train, twins

ID = "prefetcher-waits"
QUESTION = (
    "The host spends most of the step in synchronize() of the prefetcher. Is it to blame? "
    "(No: the copy ends long before the step that it runs beside.)"
)
CHANGE = "The stream of the kernels waits for the copy, and the host does not."
CAUSE = "synchronize"
FIRST = None
STACK = False
ROWS, COLUMNS = 4096, 4096


class Prefetcher:
    """Two buffers on the device: one is trained on while the other is filled."""

    def __init__(self, batch, device, does_host_wait):
        self.batch, self.does_host_wait = batch, does_host_wait
        self.places = [torch.empty(batch.shape, device=device) for _ in range(2)]
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.places[1].copy_(self.batch, non_blocking=True)

    def next(self):
        if self.does_host_wait:
            self.stream.synchronize()
        else:
            torch.cuda.current_stream().wait_stream(self.stream)
        self.places.reverse()
        self.preload()
        return self.places[0]


def build(device):
    def learner():
        model = mlp(1024, 6, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    batch = torch.randn(ROWS, COLUMNS).pin_memory()
    targets = torch.randint(1000, (ROWS,), device=device)
    waits, waits_not = (Prefetcher(batch, device, does_wait) for does_wait in (True, False))

    def found():
        train(*ours, waits.next(), targets)

    def changed():
        train(*theirs, waits_not.next(), targets)

    return found, changed, (ours[0], theirs[0])
