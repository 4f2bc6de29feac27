"""A pipeline whose two workers can't keep up with the GPU."""

import numpy as np
import torch
from parts import forever, mlp, train, twins
from torch.utils.data import DataLoader, Dataset

ID = "loader-two-workers"
QUESTION = "There are workers, and still the loop waits for batches. Are there too few? (Yes: two can't keep up.)"
CHANGE = "Eight workers instead of two."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.5
PROFILER_WARM_UP = 16


class Spectra(Dataset):
    """Batches of spectra of noisy waves: an item is a batch."""

    def __len__(self):
        return 100_000

    def __getitem__(self, index):
        random = np.random.default_rng(index)
        waves = random.standard_normal((128, 4096), dtype=np.float32)
        spectra = np.abs(np.fft.rfft(waves, axis=1))[:, :2048].astype(np.float32)
        return torch.from_numpy(np.log1p(spectra)), torch.from_numpy(random.integers(0, 10, 128))


def build(device):
    def learner():
        model = mlp(2048, 3).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)

    def batches(workers):
        return forever(DataLoader(Spectra(), batch_size=None, num_workers=workers, persistent_workers=True, pin_memory=True))

    few, many = batches(2), batches(8)

    def step(learner, source):
        inputs, targets = next(source)
        train(*learner, inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True))

    return lambda: step(ours, few), lambda: step(theirs, many), (ours[0], theirs[0])
