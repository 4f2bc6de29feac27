"""A data set that decodes images as JPEG does: scaled coefficients, an inverse DCT, then a crop."""

import numpy as np
import torch
from parts import ResNet, forever, train, twins
from torch.utils.data import DataLoader, Dataset

ID = "decodes-images"
QUESTION = (
    "The host waits in .to(device), and a DataLoader has no workers. Is the copy to blame? "
    "(No: decoding.)"
)
CHANGE = "Batches are decoded once, before the loop. The copy stays."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
SIZE, CROP, BATCH = 80, 64, 32


class Images(Dataset):
    def __init__(self):
        numbers = np.random.default_rng(1)
        blocks = SIZE // 8
        self.coefficients = numbers.integers(-9, 9, (128, 3, blocks, blocks, 8, 8), dtype=np.int16)
        self.scales = numbers.integers(1, 60, (8, 8)).astype(np.float32)
        at = np.arange(8)
        self.waves = np.cos((2 * at[:, None] + 1) * at * np.pi / 16).astype(np.float32) / 2

    def __len__(self):
        return len(self.coefficients)

    def __getitem__(self, index):
        scaled = self.coefficients[index] * self.scales
        pixels = self.waves @ scaled @ self.waves.T
        pixels = pixels.transpose(0, 1, 3, 2, 4).reshape(3, SIZE, SIZE)
        pixels = np.clip(pixels + 128, 0, 255).astype(np.uint8)
        x, y = index % 16, index // 8 % 16
        pixels = pixels[:, y : y + CROP, x : x + CROP]
        if index % 2:
            pixels = pixels[:, :, ::-1]
        image = (pixels.astype(np.float32) / 255 - 0.45) / 0.22
        return torch.from_numpy(np.ascontiguousarray(image)), index % 10


def build(device):
    images = Images()

    def variant(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        batches = forever(loader)

        def step():
            inputs, targets = next(batches)
            train(model, optimizer, inputs.to(device), targets.to(device))

        return step

    models = twins(lambda: ResNet(64).to(device))
    found = DataLoader(images, BATCH, num_workers=0)
    return variant(models[0], found), variant(models[1], list(found)), models
