"""A thread augments the next batch on the GPU, on the default stream, and draws there whether to. With Python stacks."""

import threading

import torch
from parts import ResNet, train, twins

ID = "draws-augmentations"
QUESTION = (
    "A thread augments the next batch on the GPU while the loop trains, so all is ahead. Why does the GPU idle each step? "
    "(Each `if` reads a random number, behind the training in the same stream. Then nothing is launched ahead.)"
)
CHANGE = "torch.where chooses on the device, with the same random numbers."
CAUSE = "read-back"
FIRST = "read-back"
STACK = True
PROFILED_STEPS = 3
ROWS, EDGE, WIDTH, STORED = 96, 48, 48, 4


def brighten(images):
    return (images * 1.2).clamp(0, 1)


def darken(images):
    return images * 0.8


def mirror(images):
    return images.flip(3)


def invert(images):
    return 1 - images


def grey(images):
    return images.mean(1, keepdim=True).expand_as(images)


def shift(images):
    return images.roll((4, -4), (2, 3))


def contrast(images):
    return ((images - 0.5) * 1.3 + 0.5).clamp(0, 1)


def solarize(images):
    return torch.where(images > 0.7, 1 - images, images)


OPERATIONS = brighten, darken, mirror, invert, grey, shift, contrast, solarize


def draw_and_read(images, draws):
    for operation in OPERATIONS:
        if torch.rand((), generator=draws, device=images.device) < 0.5:
            images = operation(images)
    return images


def draw_and_choose(images, draws):
    for operation in OPERATIONS:
        is_drawn = torch.rand((), generator=draws, device=images.device) < 0.5
        images = torch.where(is_drawn, operation(images), images)
    return images


class Augmenter(threading.Thread):
    def __init__(self, stored, augment, device):
        super().__init__(daemon=True)
        self.stored, self.augment = stored, augment
        self.draws = torch.Generator(device).manual_seed(1)
        self.is_wanted, self.is_there, self.images = threading.Event(), threading.Event(), None
        self.is_wanted.set()
        self.start()

    def run(self):
        number = 0
        while True:
            self.is_wanted.wait()
            self.is_wanted.clear()
            self.images = self.augment(self.stored[number % STORED].float() / 255, self.draws)
            number += 1
            self.is_there.set()

    def next(self):
        """The batch that was asked for before; asks for another one."""
        self.is_there.wait()
        self.is_there.clear()
        images = self.images
        self.is_wanted.set()
        return images


def build(device):
    torch.manual_seed(1)
    stored = torch.randint(256, (STORED, ROWS, 3, EDGE, EDGE), dtype=torch.uint8, device=device)
    targets = torch.randint(10, (ROWS,), device=device)

    def learner():
        model = ResNet(WIDTH).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    reads, chooses = (Augmenter(stored, augment, device) for augment in (draw_and_read, draw_and_choose))

    def found():
        train(*ours, reads.next(), targets)

    def changed():
        train(*theirs, chooses.next(), targets)

    return found, changed, (ours[0], theirs[0])
