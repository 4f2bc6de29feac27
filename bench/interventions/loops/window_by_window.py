"""A forecaster of time series: the dataset cuts and normalizes one window after the other."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import Block, forever, twins
from torch import nn
from torch.utils.data import DataLoader, Dataset

ID = "window-by-window"
QUESTION = (
    "The GPU idles while next() of a DataLoader cuts windows from a table. Is it to blame? "
    "(Yes: 128 windows a batch, each by a handful of calls to NumPy.)"
)
CHANGE = "The windows of an epoch are cut and normalized once, before the loop."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROWS, PAST, NEXT, COLUMNS, WIDTH = 128, 96, 24, 8, 128


class Windows(Dataset):
    """Windows of a table, normalized by the mean and the deviation of their past."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.table = random.normal(size=(20_000, COLUMNS)).cumsum(0).astype(np.float32)
        self.starts = random.permutation(len(self.table) - PAST - NEXT)[: 20 * ROWS]

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, index):
        start = self.starts[index]
        past = self.table[start : start + PAST]
        future = self.table[start + PAST : start + PAST + NEXT]
        mean, deviation = past.mean(0), past.std(0) + 1e-5
        return (past - mean) / deviation, (future - mean) / deviation


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.blocks = nn.Linear(COLUMNS, WIDTH), nn.Sequential(Block(WIDTH, 4))
        self.last = nn.Linear(WIDTH, NEXT * COLUMNS)

    def forward(self, past):
        x = self.blocks(self.first(past))
        return self.last(x[:, -1]).view(-1, NEXT, COLUMNS)


def build(device):
    def learner():
        model = Forecaster().to(device)
        return model, torch.optim.AdamW(model.parameters(), lr=1e-3)

    ours, theirs = twins(learner)
    loader = DataLoader(Windows(), batch_size=ROWS)
    one_by_one, before = forever(loader), forever(list(loader))

    def step(learner, batches):
        model, optimizer = learner
        past, future = (part.to(device) for part in next(batches))
        loss = F.mse_loss(model(past), future)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return lambda: step(ours, one_by_one), lambda: step(theirs, before), (ours[0], theirs[0])
