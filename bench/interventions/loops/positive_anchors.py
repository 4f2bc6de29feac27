"""A detector with four levels of features: boxes are learnt where an anchor has an object."""

import torch
import torch.nn.functional as F
from parts import ResNet, twins
from torch import nn

ID = "positive-anchors"
QUESTION = (
    "nonzero() picks the positive anchors of each level. Does the host wait? "
    "(Yes: levels are launched late.)"
)
CHANGE = "The loss of all anchors is multiplied by the mask, and nothing is picked."
CAUSE = "read-back"
FIRST = "dispatch"  # measured: anchors-model-as-graph
STACK = False
ANCHORS, WIDTH = 3, 64


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = ResNet(WIDTH).parts
        self.head = nn.Conv2d(4 * WIDTH, 4 * WIDTH, 3, padding=1)
        self.score, self.box = nn.Conv2d(4 * WIDTH, ANCHORS, 1), nn.Conv2d(4 * WIDTH, 4 * ANCHORS, 1)

    def forward(self, images):
        level = self.trunk(images)
        for _ in range(4):
            shared = F.relu(self.head(level))
            boxes = self.box(shared).permute(0, 2, 3, 1).reshape(-1, 4)
            yield self.score(shared).permute(0, 2, 3, 1).reshape(-1), boxes
            level = F.max_pool2d(level, 2)


def build(device):
    images = torch.randn(48, 3, 64, 64, device=device)
    counts = [48 * ANCHORS * side * side for side in (16, 8, 4, 2)]
    labels = [(torch.rand(count, device=device) < 0.05).long() for count in counts]
    targets = [torch.randn(count, 4, device=device) for count in counts]

    def picked(boxes, label, target):
        positive = (label == 1).nonzero().squeeze(1)
        loss = F.smooth_l1_loss(boxes[positive], target[positive], reduction="sum")
        return loss / max(1, positive.numel())

    def masked(boxes, label, target):
        mask = label == 1
        loss = F.smooth_l1_loss(boxes, target, reduction="none") * mask.unsqueeze(1)
        return loss.sum() / mask.sum().clamp(min=1)

    def variant(model, box_loss):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

        def step():
            losses = []
            for (scores, boxes), label, target in zip(model(images), labels, targets):
                losses.append(box_loss(boxes, label, target))
                losses.append(F.binary_cross_entropy_with_logits(scores, label.float()))
            optimizer.zero_grad()
            sum(losses).backward()
            optimizer.step()

        return step

    models = twins(lambda: Detector().to(device))
    return variant(models[0], picked), variant(models[1], masked), models
