"""A watchdog thread asks twice a ms whether the step has ended, and warns after ten seconds. With Python stacks."""

import os
import queue
import threading
from time import perf_counter, sleep

import torch
from parts import ResNet, train, twins

ID = "watchdog-queries-events"
QUESTION = (
    "A watchdog fills its thread with cudaEventQuery from end to end, and takes the interpreter's lock for each. "
    "Does it slow the training? (No: it sleeps in between, and the GPU has enough to do.)"
)
CHANGE = "No watchdog."
CAUSE = "host-code:ends_in_time"
FIRST = None
STACK = True
PROFILED_STEPS = 3
ROWS, EDGE, LIMIT_S = 256, 64, 10.0


def ends_in_time(event):
    deadline = perf_counter() + LIMIT_S
    while not event.query():
        if perf_counter() > deadline:
            return False
        sleep(0.0005)
    return True


class Watchdog(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.launched, self.log = queue.SimpleQueue(), open(os.devnull, "w")
        self.start()

    def run(self):
        while True:
            number, event = self.launched.get()
            if not ends_in_time(event):
                self.log.write(f"step {number} hangs\n")


def build(device):
    torch.manual_seed(1)
    images = torch.randn(ROWS, 3, EDGE, EDGE, device=device)
    targets = torch.randint(10, (ROWS,), device=device)

    def learner():
        model = ResNet(64).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    watchdog = Watchdog()
    number = 0

    def found():
        nonlocal number
        train(*ours, images, targets)
        number += 1
        watchdog.launched.put((number, torch.cuda.current_stream().record_event()))

    def changed():
        train(*theirs, images, targets)

    return found, changed, (ours[0], theirs[0])
