"""A detector whose loss moves each image's boxes to the device where it needs them."""

import torch
import torch.nn.functional as F
from parts import ResNet, twins
from torch import nn

ID = "boxes-image-by-image"
QUESTION = (
    "24 images, and .to(device) of each one's few boxes within the loss. Does it matter? "
    "(A little: launches set the pace.)"
)
CHANGE = "All boxes are copied before the forward pass, pinned and without blocking."
CAUSE = "pageable-copies"
FIRST = "dispatch"
STACK = False
IMAGES, BOXES, WIDTH = 24, 8, 64


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = ResNet(WIDTH).parts
        self.box = nn.Conv2d(4 * WIDTH, 4, 1)

    def forward(self, images):
        return self.box(self.trunk(images)).flatten(2).transpose(1, 2).sigmoid()


def loss_of(ours, theirs):
    """Each box is compared with the place whose guess overlaps it most."""
    low = torch.max(ours[:, None, :2], theirs[None, :, :2])
    high = torch.min(ours[:, None, 2:], theirs[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    best = shared.detach().argmax(0)
    return F.smooth_l1_loss(ours[best], theirs)


def build(device):
    images = torch.randn(IMAGES, 3, 64, 64, device=device)
    boxes = [torch.rand(BOXES, 4) for _ in range(IMAGES)]
    pinned = torch.stack(boxes).pin_memory()

    def variant(model, targets):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

        def step():
            theirs = targets()
            losses = [loss_of(ours, each.to(device)) for ours, each in zip(model(images), theirs)]
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()

        return step

    models = twins(lambda: Detector().to(device))
    found = variant(models[0], lambda: boxes)
    return found, variant(models[1], lambda: pinned.to(device, non_blocking=True)), models
