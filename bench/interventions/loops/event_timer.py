"""CUDA events time each step: the loop waits for the last one and logs the time."""

from collections import deque

import numpy as np
import torch
from parts import ResNet, train, twins

ID = "event-timer"
QUESTION = (
    "Events time the step, and the host waits for the last one. Is the wait to blame? "
    "(Yes: the next batch could be cropped meanwhile.)"
)
CHANGE = "The times of steps that have ended are logged, and none is waited for."
CAUSE = "synchronize"
FIRST = "synchronize"
STACK = False
ROWS, EDGE = 256, 64


class Crops:
    """Batches of crops, half of them mirrored."""

    def __init__(self):
        self.random = np.random.default_rng(1)
        self.images = self.random.integers(0, 256, (512, 3, 72, 72), dtype=np.uint8)

    def next(self):
        batch = np.empty((ROWS, 3, EDGE, EDGE), np.uint8)
        for row, index in enumerate(self.random.integers(0, len(self.images), ROWS)):
            top, left = self.random.integers(0, 9, 2)
            crop = self.images[index, :, top : top + EDGE, left : left + EDGE]
            batch[row] = crop[:, :, ::-1] if self.random.random() < 0.5 else crop
        return torch.from_numpy(batch).pin_memory()


def build(device):
    def learner():
        model = ResNet(32).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    for_us, for_them = Crops(), Crops()
    targets = torch.randint(10, (ROWS,), device=device)
    times, pending = deque(maxlen=100), deque()

    def timed(learner, crops):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        images = crops.next().to(device, non_blocking=True)
        start.record()
        train(*learner, images.float() / 127.5 - 1, targets)
        end.record()
        return start, end

    def found():
        start, end = timed(ours, for_us)
        end.synchronize()
        times.append(start.elapsed_time(end))

    def changed():
        pending.append(timed(theirs, for_them))
        while pending and pending[0][1].query():
            start, end = pending.popleft()
            times.append(start.elapsed_time(end))

    return found, changed, (ours[0], theirs[0])
