"""The loss is read, and then a DataLoader without workers makes the next batch while the GPU idles."""

import numpy as np
import torch
from parts import forever, mlp, train, twins
from torch.utils.data import DataLoader, Dataset

ID = "loader-behind-a-read"
QUESTION = "A read, then a slow loader: which of the two is to blame? (Both: without the read they overlap; the loader costs more.)"
CHANGE = "The loss is summed on the device and not read. The loader stays."
CAUSE = "read-back"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.15


class Rows(Dataset):
    """Rows of a table that are centred one by one."""

    def __init__(self):
        self.rows = np.random.default_rng(1).standard_normal((4096, 4096), dtype=np.float32)

    def __len__(self):
        return 512_000

    def __getitem__(self, index):
        row = self.rows[index % 4096]
        return torch.from_numpy(row - row.mean()), index % 10


def build(device):
    def learner():
        model = mlp(4096, 8).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    rows = Rows()
    batches = [forever(DataLoader(rows, batch_size=256)) for _ in range(2)]
    running = 0.0
    total = torch.zeros((), device=device)

    def loss_of(learner, source):
        inputs, targets = next(source)
        return train(*learner, inputs.to(device), targets.to(device))

    def found():
        nonlocal running
        running += loss_of(ours, batches[0]).item()

    def changed():
        total.add_(loss_of(theirs, batches[1]))

    return found, changed, (ours[0], theirs[0])
