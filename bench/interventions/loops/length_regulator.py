"""Text to speech after FastSpeech: each phone is repeated as often as its duration says, utterance by utterance."""

import torch
import torch.nn.functional as F
from parts import twins
from torch import nn
from torch.nn.utils.rnn import pad_sequence

ID = "length-regulator"
QUESTION = (
    "No .item() in the model, but repeat_interleave() asks the device how long its result is. Does it matter? "
    "(Yes: the GPU runs dry between encoder and decoder.)"
)
CHANGE = "output_size= is given: the loader knows the frames of each utterance."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
PROFILED_STEPS = 2
ROWS, PHONES, PAUSE, MELS, WIDTH, HEADS, LAYERS = 32, 112, 9, 80, 256, 2, 3


class FFTBlock(nn.Module):
    """Attention and two convolutions over time."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.conv1, self.conv2 = nn.Conv1d(WIDTH, 4 * WIDTH, 9, padding=4), nn.Conv1d(4 * WIDTH, WIDTH, 1)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x):
        x = self.norm1(x + self.attention(x, x, x, need_weights=False)[0])
        y = self.conv2(F.relu(self.conv1(x.transpose(1, 2))))
        return self.norm2(x + y.transpose(1, 2))


class FastSpeech(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(80, WIDTH)
        self.encoder = nn.Sequential(*(FFTBlock() for _ in range(LAYERS)))
        self.duration = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 1))
        self.decoder = nn.Sequential(*(FFTBlock() for _ in range(LAYERS)))
        self.to_mel = nn.Linear(WIDTH, MELS)

    def forward(self, phones, durations, frames):
        x = self.encoder(self.embed(phones))
        log_durations = self.duration(x).squeeze(2)
        expanded = [
            torch.repeat_interleave(each, duration, 0, output_size=count)
            for each, duration, count in zip(x, durations, frames)
        ]
        return self.to_mel(self.decoder(pad_sequence(expanded, batch_first=True))), log_durations


def build(device):
    torch.manual_seed(1)
    batches = []
    for _ in range(3):
        phones, durations = torch.randint(80, (ROWS, PHONES)), torch.randint(1, PAUSE + 1, (ROWS, PHONES))
        frames = durations.sum(1).tolist()
        mels = pad_sequence([torch.randn(count, MELS) for count in frames], batch_first=True)
        batches.append((phones.to(device), durations.to(device), mels.to(device), frames))

    def variant(model, is_length_known):
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        number = 0

        def step():
            nonlocal number
            phones, durations, mels, frames = batches[number % len(batches)]
            number += 1
            guess, log_durations = model(phones, durations, frames if is_length_known else [None] * ROWS)
            loss = F.l1_loss(guess, mels) + F.mse_loss(log_durations, durations.float().log1p())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: FastSpeech().to(device))
    return variant(models[0], False), variant(models[1], True), models
