"""Set prediction with losses after each of six layers, a guard, and a log of all of them."""

import math

import torch
import torch.nn.functional as F
from parts import Block, twins
from torch import nn

ID = "dictionary-of-losses"
QUESTION = (
    "A guard and 18 .item() in each step. Are the 19 reads to blame? "
    "(Hardly: the GPU is busy.)"
)
CHANGE = "The losses are summed on the device and not read; there is no guard."
CAUSE = "read-back"
FIRST = None
STACK = False
IMAGES, QUERIES = 32, 400


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(384, 6) for _ in range(6))
        self.classes, self.boxes = nn.Linear(384, 92), nn.Linear(384, 4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
            yield self.classes(x), self.boxes(x).sigmoid()


def build(device):
    queries = torch.randn(IMAGES, QUERIES, 384, device=device)
    labels = torch.randint(92, (IMAGES, QUERIES), device=device)
    target = torch.rand(IMAGES, QUERIES, 4, device=device)

    def losses_of(model):
        losses = {}
        for layer, (classes, boxes) in enumerate(model(queries)):
            losses[f"class_{layer}"] = F.cross_entropy(classes.flatten(0, 1), labels.flatten())
            losses[f"box_{layer}"] = 5 * F.l1_loss(boxes, target)
            losses[f"size_{layer}"] = 2 * F.mse_loss(boxes[..., 2:], target[..., 2:])
        return losses

    def variant(model, is_read):
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        meters, sums = {}, torch.zeros(18, device=device)

        def step():
            losses = losses_of(model)
            loss = sum(losses.values())
            if is_read and not math.isfinite(loss.item()):
                raise RuntimeError("the loss is not finite")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if is_read:
                for name, value in losses.items():
                    meters[name] = meters.get(name, 0.0) + value.item()
            else:
                sums.add_(torch.stack(list(losses.values())).detach())

        return step

    models = twins(lambda: Decoder().to(device))
    return variant(models[0], True), variant(models[1], False), models
