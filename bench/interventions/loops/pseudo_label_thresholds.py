"""Semi-supervised detection: a teacher labels images, and the scores that survive NMS move a threshold per class."""

import torch
from parts import ResNet
from torch import nn

ID = "pseudo-label-thresholds"
QUESTION = (
    "boxes[mask] before and after NMS, image by image. Do these few lines cost much beside the teacher? "
    "(Yes: each mask is a wait, and the next images' teacher is launched only after the last one.)"
)
CHANGE = "The best 300 boxes of an image are taken, and those that do not count weigh nothing."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
PROFILED_STEPS = 3
IMAGES, EDGE, STRIDE, CLASSES, LARGEST = 8, 512, 4, 20, 300
LEAST_SCORE, LEAST_OVERLAP = 0.5, 0.6


class Teacher(nn.Module):
    """Predicts a box and the score of each class at each place."""

    def __init__(self):
        super().__init__()
        self.trunk = ResNet(48).parts
        self.head = nn.Conv2d(192, 4 + CLASSES, 1)

    def forward(self, images):
        out = self.head(self.trunk(images)).flatten(2).transpose(1, 2)
        return out[..., :4], out[..., 4:].sigmoid()


def overlaps(boxes):
    corner, other = boxes[:, None, :2], boxes[:, None, 2:]
    sides = (torch.minimum(other, boxes[:, 2:]) - torch.maximum(corner, boxes[:, :2])).clamp(min=0)
    shared = sides.prod(2)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return shared / (areas[:, None] + areas - shared)


def is_hidden(boxes, classes):
    """Whether a better box of the same class lies over a box. Boxes are sorted by score."""
    is_over = (overlaps(boxes) > LEAST_OVERLAP) & (classes[:, None] == classes)
    return is_over.triu(1).any(0)


def masked(boxes, scores, classes):
    is_good = scores > LEAST_SCORE
    boxes, scores, classes = boxes[is_good], scores[is_good], classes[is_good]
    scores, order = scores.sort(descending=True)
    scores, order = scores[:LARGEST], order[:LARGEST]
    boxes, classes = boxes[order], classes[order]
    keep = ~is_hidden(boxes, classes)
    return scores[keep], classes[keep], torch.ones_like(scores)[keep]


def weighed(boxes, scores, classes):
    scores, order = scores.topk(LARGEST)
    boxes, classes = boxes[order], classes[order]
    weights = ((scores > LEAST_SCORE) & ~is_hidden(boxes, classes)).float()
    return scores * weights, classes, weights


def build(device):
    torch.manual_seed(1)
    teacher = Teacher().to(device).eval()
    images = [torch.randn(IMAGES, 3, EDGE, EDGE, device=device) for _ in range(2)]
    places = torch.arange(EDGE // STRIDE, device=device) * STRIDE + STRIDE / 2
    centres = torch.cartesian_prod(places, places).flip(1)
    with torch.no_grad():  # so that some hundred boxes of an image are good enough
        best = teacher(images[0])[1].amax(2).flatten()
        teacher.head.bias[4:] -= best[::16].quantile(0.98).logit()

    def variant(survivors):
        thresholds = torch.full((CLASSES,), LEAST_SCORE, device=device)
        number = 0

        @torch.no_grad()
        def step():
            nonlocal number
            number += 1
            sizes, scores = teacher(images[number % len(images)])
            halves = sizes.exp().clamp(max=4.0) * 4 * STRIDE
            sums, counts = torch.zeros(2, CLASSES, device=device)
            for half, each in zip(halves, scores):
                score, label = each.max(1)
                boxes = torch.cat([centres - half[:, :2], centres + half[:, 2:]], 1)
                kept, labels, weights = survivors(boxes, score, label)
                sums.index_add_(0, labels, kept)
                counts.index_add_(0, labels, weights)
            means = torch.where(counts > 0, sums / counts.clamp(min=1), thresholds)
            thresholds.lerp_(means, 0.1)

        return step, [thresholds]

    (found, ours), (changed, theirs) = variant(masked), variant(weighed)
    return found, changed, (ours, theirs)
