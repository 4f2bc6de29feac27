"""Images are decoded and augmented by the loop itself: a DataLoader without workers."""

import numpy as np
import torch
from parts import ResNet, forever, train, twins
from torch.utils.data import DataLoader, Dataset

ID = "loader-no-workers"
QUESTION = "The GPU idles while next() of a DataLoader without workers runs. Is loading to blame? (Yes.)"
CHANGE = "Eight persistent workers load the batches."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.4
PROFILER_WARM_UP = 10


class Images(Dataset):
    """Bytes that are decoded, flipped, brightened and normalized when they are asked for."""

    def __init__(self):
        self.samples = np.random.default_rng(1).integers(0, 256, (1024, 3, 64, 64), dtype=np.uint8)

    def __len__(self):
        return 64_000

    def __getitem__(self, index):
        image = self.samples[index % 1024].astype(np.float32) / 255
        if index % 2:
            image = image[:, :, ::-1]
        image = np.clip(image * (0.8 + 0.4 * (index % 7) / 7), 0, 1)
        image = (image - image.mean((1, 2), keepdims=True)) / (image.std((1, 2), keepdims=True) + 1e-5)
        return torch.from_numpy(np.ascontiguousarray(image)), index % 10


def build(device):
    def learner():
        model = ResNet(32).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    images = Images()
    in_loop = forever(DataLoader(images, batch_size=64))
    ahead = forever(DataLoader(images, batch_size=64, num_workers=8, persistent_workers=True))

    def step(learner, batches):
        inputs, targets = next(batches)
        train(*learner, inputs.to(device), targets.to(device))

    return lambda: step(ours, in_loop), lambda: step(theirs, ahead), (ours[0], theirs[0])
