"""Validation of a segmentation network: intersection and union of each class."""

import torch
from torch import nn

ID = "iou-per-class"
QUESTION = (
    "Validation counts three sums for each of 19 classes. Do 57 small reads matter? "
    "(Yes: the GPU idles.)"
)
CHANGE = "The same sums are added up on the device and not read."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
CLASSES = 19


def build(device):
    def conv(inputs, outputs):
        return [nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]

    layers = [*conv(3, 64), *conv(64, 96), *conv(96, 96), *conv(96, 96), nn.Conv2d(96, CLASSES, 1)]
    model = nn.Sequential(*layers).to(device).eval()
    images = torch.randn(16, 3, 128, 128, device=device)
    masks = torch.randint(CLASSES, (16, 128, 128), device=device)

    @torch.no_grad()
    def sums():
        guess = model(images).argmax(1)
        for each in range(CLASSES):
            ours, theirs = guess == each, masks == each
            yield each, ((ours & theirs).sum(), ours.sum(), theirs.sum())

    totals = [[0, 0, 0] for _ in range(CLASSES)]
    on_device = torch.zeros(CLASSES, 3, dtype=torch.int64, device=device)

    def found():
        for each, counted in sums():
            for at, count in enumerate(counted):
                totals[each][at] += count.item()

    def changed():
        for each, counted in sums():
            on_device[each] += torch.stack(counted)

    return found, changed
