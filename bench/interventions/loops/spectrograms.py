"""Speech: two workers compute spectrograms of recordings, and a recurrent network classifies them."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import forever, twins
from torch import nn
from torch.utils.data import DataLoader, Dataset

ID = "spectrograms"
QUESTION = (
    "Two workers load, and loss.item() ends the step. Is the read to blame? "
    "(No: spectrograms come late.)"
)
CHANGE = "Spectrograms are computed once, before the loop. The read stays."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
WINDOW, HOP, BANDS, BATCH = 400, 160, 80, 32


class Speech(Dataset):
    def __init__(self):
        numbers = np.random.default_rng(1)
        self.waves = numbers.standard_normal((128, 12_000), dtype=np.float32)
        self.window = np.hanning(WINDOW).astype(np.float32)
        self.bands = numbers.random((257, BANDS), dtype=np.float32)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        wave = self.waves[index]
        wave = np.append(wave[:1], wave[1:] - 0.97 * wave[:-1])
        frames = np.lib.stride_tricks.sliding_window_view(wave, WINDOW)[::HOP] * self.window
        power = np.abs(np.fft.rfft(frames, 512)) ** 2
        heard = np.log(power.astype(np.float32) @ self.bands + 1e-6)
        heard = (heard - heard.mean(0)) / (heard.std(0) + 1e-5)
        return torch.from_numpy(heard.astype(np.float32)), index % 35


class Recogniser(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(BANDS, 256, 5, stride=2)
        self.gru, self.head = nn.GRU(256, 256, 2, batch_first=True), nn.Linear(256, 35)

    def forward(self, heard):
        x = F.relu(self.conv(heard.transpose(1, 2))).transpose(1, 2)
        return self.head(self.gru(x)[0].mean(1))


def build(device):
    speech = Speech()

    def variant(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        batches = forever(loader)
        total = 0.0

        def step():
            nonlocal total
            heard, words = next(batches)
            loss = F.cross_entropy(model(heard.to(device)), words.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()

        return step

    models = twins(lambda: Recogniser().to(device))
    loader = DataLoader(speech, BATCH, num_workers=2, persistent_workers=True, prefetch_factor=2)
    ready = list(DataLoader(speech, BATCH))
    return variant(models[0], loader), variant(models[1], ready), models
