"""Validation of a segmentation network: bincount() fills the confusion matrix of each batch."""

import torch
from torch import nn

ID = "confusion-by-bincount"
QUESTION = (
    "bincount() reads the smallest and the largest index: the host waits twice in each batch. "
    "Is it to blame? (No: the network keeps the GPU busy.)"
)
CHANGE = "histc() counts into a known number of bins and reads nothing."
CAUSE = "read-back"
FIRST = None
STACK = False
ROWS, SIZE, WIDTH, LAYERS, CLASSES = 16, 256, 64, 12, 19
BINS = CLASSES * CLASSES + 1


def network():
    parts = [nn.Conv2d(3, WIDTH, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.ReLU()]
    for _ in range(LAYERS):
        parts += [nn.Conv2d(WIDTH, WIDTH, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.ReLU()]
    return nn.Sequential(*parts, nn.Conv2d(WIDTH, CLASSES, 1))


def build(device):
    torch.manual_seed(1)
    model = network().to(device).eval()
    images = torch.randn(ROWS, 3, SIZE, SIZE, device=device)
    labels = torch.randint(CLASSES + 1, (ROWS, SIZE, SIZE), device=device)  # the last is ignored
    totals = [torch.zeros(BINS, device=device) for _ in range(2)]

    @torch.no_grad()
    def pairs():
        guesses = model(images).argmax(1)
        return torch.where(labels < CLASSES, labels * CLASSES + guesses, BINS - 1).flatten()

    def found():
        totals[0] += torch.bincount(pairs(), minlength=BINS)

    def changed():
        totals[1] += torch.histc(pairs().float(), BINS, 0, BINS)

    return found, changed, ([totals[0]], [totals[1]])
