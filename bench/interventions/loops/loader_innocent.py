"""A ResNet that is fed by four workers in time."""

import torch
from parts import ResNet, forever, train, twins
from torch.utils.data import DataLoader, Dataset

ID = "loader-innocent"
QUESTION = "Each step begins with next() of a DataLoader and a copy. Does loading slow the loop? (No: batches are there in time.)"
CHANGE = "The same batches lie on the device already."
CAUSE = "data-loading"
FIRST = None
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 10


class Batches(Dataset):
    """An item is a batch, a copy of one of four."""

    def __init__(self):
        generator = torch.Generator().manual_seed(1)
        self.images = torch.randn(4, 128, 3, 64, 64, generator=generator)

    def __len__(self):
        return 100_000

    def __getitem__(self, index):
        return self.images[index % 4].mul(1.0), torch.arange(128) % 10


def build(device):
    def learner():
        model = ResNet(64).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    dataset = Batches()
    loaded = forever(DataLoader(dataset, batch_size=None, num_workers=4, persistent_workers=True, pin_memory=True))
    present = forever([[part.to(device) for part in dataset[index]] for index in range(4)])

    def step(learner, batches):
        images, labels = next(batches)
        train(*learner, images.to(device, non_blocking=True), labels.to(device, non_blocking=True))

    return lambda: step(ours, loaded), lambda: step(theirs, present), (ours[0], theirs[0])
