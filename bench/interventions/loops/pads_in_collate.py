"""Speech of all lengths: a DataLoader without workers normalizes and pads it in the loop."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import Block, forever, twins
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

ID = "pads-in-collate"
QUESTION = (
    "next() of a DataLoader without workers takes much of the host's time. Is it to blame? "
    "(No: it runs while the GPU computes the step before.)"
)
CHANGE = "The batches were padded before, and lie in pinned memory."
CAUSE = "data-loading"
FIRST = None
STACK = False
PROFILED_STEPS = 2
ROWS, BINS, WIDTH, LAYERS, WORDS = 32, 80, 768, 4, 64


class Speech(Dataset):
    """Spectrograms of 160 to 240 frames, normalized and partly masked when they are asked for."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.lengths = random.integers(160, 241, 8 * ROWS)
        self.frames = random.normal(size=(self.lengths.max(), BINS)).astype(np.float32)

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        frames = self.frames[: self.lengths[index]]
        frames = (frames - frames.mean(0)) / (frames.std(0) + 1e-5)
        start = index % 100
        frames[start : start + 10] = 0
        return torch.from_numpy(frames), index % WORDS


def collate(items):
    frames, words = zip(*items)
    return pad_sequence(frames, batch_first=True), torch.tensor(words)


class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(BINS, WIDTH, 3, 2, 1)
        self.blocks = nn.Sequential(*(Block(WIDTH, 12) for _ in range(LAYERS)))
        self.head = nn.Linear(WIDTH, WORDS)

    def forward(self, frames):
        x = F.gelu(self.conv(frames.transpose(1, 2))).transpose(1, 2)
        return self.head(self.blocks(x).mean(1))


def build(device):
    def learner():
        model = Listener().to(device)
        return model, torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    ours, theirs = twins(learner)
    loader = DataLoader(Speech(), batch_size=ROWS, collate_fn=collate, pin_memory=True)
    padded = list(loader)

    def step(learner, batches):
        model, optimizer = learner
        frames, words = (part.to(device, non_blocking=True) for part in next(batches))
        loss = F.cross_entropy(model(frames), words)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    in_loop, before = forever(loader), forever(padded)
    return lambda: step(ours, in_loop), lambda: step(theirs, before), (ours[0], theirs[0])
