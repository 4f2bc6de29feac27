"""A detector with four levels of features, whose positive anchors are picked. The model becomes two graphs, forward and back."""

import torch
import torch.nn.functional as F
from loops.positive_anchors import ANCHORS, Detector
from parts import twins
from torch import nn

ID = "anchors-model-as-graph"
QUESTION = (
    "positive-anchors waits in nonzero() of each level. Are the launches of the model more to blame? "
    "(Yes, although losses and optimizer are still launched one by one.)"
)
CHANGE = "The model’s forward and backward pass are a CUDA graph each. The anchors are still picked."
CAUSE = "dispatch"
PARTIAL = True
FIRST = "dispatch"
STACK = False


class Whole(nn.Module):
    """All levels at once: a graph needs a tuple of tensors."""

    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def forward(self, images):
        return tuple(part for level in self.detector(images) for part in level)


def build(device):
    images = torch.randn(48, 3, 64, 64, device=device)
    counts = [48 * ANCHORS * side * side for side in (16, 8, 4, 2)]
    labels = [(torch.rand(count, device=device) < 0.05).long() for count in counts]
    targets = [torch.randn(count, 4, device=device) for count in counts]

    def picked(boxes, label, target):
        positive = (label == 1).nonzero().squeeze(1)
        loss = F.smooth_l1_loss(boxes[positive], target[positive], reduction="sum")
        return loss / max(1, positive.numel())

    def variant(model, levels):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

        def step():
            losses = []
            for (scores, boxes), label, target in zip(levels(), labels, targets):
                losses.append(picked(boxes, label, target))
                losses.append(F.binary_cross_entropy_with_logits(scores, label.float()))
            optimizer.zero_grad()
            sum(losses).backward()
            optimizer.step()

        return step

    ours, theirs = twins(lambda: Detector().to(device))
    graphed = torch.cuda.make_graphed_callables(Whole(theirs), (images,))

    def all_levels():
        parts = graphed(images)
        return zip(parts[::2], parts[1::2])

    return variant(ours, lambda: ours(images)), variant(theirs, all_levels), (ours, theirs)
