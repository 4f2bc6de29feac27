"""Detection: workers of a DataLoader send each image, its boxes and its labels as tensors of their own."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import ResNet, forever, twins
from torch import nn
from torch.utils.data import DataLoader, Dataset

ID = "targets-as-many-tensors"
QUESTION = (
    "Four workers have little to do, and still next() of the DataLoader takes long. Is loading to blame? "
    "(Yes: 48 small tensors are opened one by one.)"
)
CHANGE = "The workers collate: four tensors a batch, with the same contents."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
IMAGES, EDGE, STRIDE, CLASSES, WORKERS = 16, 96, 4, 20, 4


class Scenes(Dataset):
    def __init__(self):
        random = np.random.default_rng(1)
        self.images = random.integers(0, 256, (256, 3, EDGE, EDGE), dtype=np.uint8)
        self.counts = random.integers(1, 13, 256)
        self.boxes = random.random((256, 12, 4), dtype=np.float32)
        self.labels = random.integers(CLASSES, size=(256, 12))

    def __len__(self):
        return 20_000 * IMAGES

    def __getitem__(self, index):
        index = index % 256
        count = self.counts[index]
        target = {"boxes": self.boxes[index, :count], "labels": self.labels[index, :count]}
        return torch.from_numpy(self.images[index]), {key: torch.from_numpy(part) for key, part in target.items()}


def as_lists(batch):
    """Collates nothing: this is the usual collate_fn of detectors."""
    return tuple(zip(*batch))


def as_tensors(batch):
    """Images, all boxes, all labels, and the image of each box."""
    images, targets = zip(*batch)
    boxes, labels = (torch.cat([target[key] for target in targets]) for key in ("boxes", "labels"))
    counts = torch.tensor([len(target["boxes"]) for target in targets])
    return torch.stack(images), boxes, labels, torch.arange(len(images)).repeat_interleave(counts)


class Detector(nn.Module):
    """Says for each place of an image which box and which class has its centre there."""

    def __init__(self):
        super().__init__()
        self.trunk = ResNet(48).parts
        self.head = nn.Conv2d(192, 4 + CLASSES, 1)

    def forward(self, images):
        return self.head(self.trunk(images.float() / 127.5 - 1))


def build(device):
    scenes = Scenes()

    def variant(model, collate, finish):
        loader = DataLoader(scenes, IMAGES, num_workers=WORKERS, collate_fn=collate, persistent_workers=True)
        source = forever(loader)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9)

        def step():
            batch = finish(next(source))
            images, boxes, labels, owners = (part.pin_memory().to(device, non_blocking=True) for part in batch)
            cells = (boxes[:, :2] * (EDGE // STRIDE)).long()
            guesses = model(images)[owners, :, cells[:, 1], cells[:, 0]]
            loss = F.smooth_l1_loss(guesses[:, :4], boxes) + F.cross_entropy(guesses[:, 4:], labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: Detector().to(device))
    found = variant(models[0], as_lists, lambda batch: as_tensors(list(zip(*batch))))
    return found, variant(models[1], as_tensors, lambda batch: batch), models
