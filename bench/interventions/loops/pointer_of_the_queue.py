"""Momentum contrast: keys go into a queue whose pointer is a buffer on the device."""

import torch
import torch.nn.functional as F
from parts import ResNet, twins

ID = "pointer-of-the-queue"
QUESTION = (
    "int(queue_ptr) waits for both encoders, in the middle of the step. Is it to blame? "
    "(No: the kernels of backward are long, and launched in time.)"
)
CHANGE = "The pointer is a number of Python."
CAUSE = "read-back"
FIRST = None
STACK = False
ROWS, QUEUE, SIZE = 128, 8192, 128


class Contrast:
    """Two encoders: one is trained, the other follows and makes the keys."""

    def __init__(self, device):
        self.encoder, self.follower = ResNet(64, 1, SIZE).to(device), ResNet(64, 1, SIZE).to(device)
        self.follower.load_state_dict(self.encoder.state_dict())
        self.optimizer = torch.optim.SGD(self.encoder.parameters(), lr=0.01, momentum=0.9)
        self.queue = F.normalize(torch.randn(SIZE, QUEUE, device=device), dim=0)
        self.queue_ptr = torch.zeros(1, dtype=torch.int64, device=device)
        self.place = 0

    @torch.no_grad()
    def make_keys(self, images):
        for theirs, ours in zip(self.follower.parameters(), self.encoder.parameters()):
            theirs.mul_(0.999).add_(ours, alpha=0.001)
        return F.normalize(self.follower(images), dim=1)

    @torch.no_grad()
    def put(self, keys, is_read):
        place = int(self.queue_ptr) if is_read else self.place
        self.queue[:, place : place + ROWS] = keys.T
        if is_read:
            self.queue_ptr[0] = (place + ROWS) % QUEUE
        else:
            self.place = (place + ROWS) % QUEUE

    def step(self, images, others, is_read):
        asked = F.normalize(self.encoder(images), dim=1)
        keys = self.make_keys(others)
        same = (asked * keys).sum(1, keepdim=True)
        logits = torch.cat((same, asked @ self.queue.clone()), 1) / 0.2
        self.put(keys, is_read)
        targets = torch.zeros(ROWS, dtype=torch.int64, device=logits.device)
        loss = F.cross_entropy(logits, targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def build(device):
    ours, theirs = twins(lambda: Contrast(device))
    images, others = (torch.randn(ROWS, 3, 64, 64, device=device) for _ in range(2))

    def found():
        ours.step(images, others, True)

    def changed():
        theirs.step(images, others, False)

    return found, changed, (ours.encoder, theirs.encoder)
