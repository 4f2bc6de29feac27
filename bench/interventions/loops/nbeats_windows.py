"""N-BEATS forecasts a series: windows are cut by NumPy, and sent to the device as they are."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "nbeats-windows"
QUESTION = (
    "Two blocking copies from pageable memory begin each step. Are they to blame for an idle GPU? "
    "(No: 24 small blocks are launched too slowly, and it idles all the time.)"
)
CHANGE = "The windows are pinned, and the copies do not block."
CAUSE = "pageable-copies"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
SERIES, LONG, PAST, FUTURE, BATCH, BLOCKS, WIDTH = 400, 2000, 168, 24, 512, 24, 256


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(WIDTH, 4, PAST + FUTURE, PAST)

    def forward(self, x):
        back, ahead = self.net(x).split([PAST, FUTURE], 1)
        return x - back, ahead


class NBeats(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))

    def forward(self, x):
        forecast = 0
        for block in self.blocks:
            x, ahead = block(x)
            forecast = forecast + ahead
        return forecast


def build(device):
    random = np.random.default_rng(1)
    series = np.cumsum(random.standard_normal((SERIES, LONG), dtype=np.float32), 1) / 50
    span = np.arange(PAST + FUTURE)

    def variant(model, is_pinned):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
        dice = np.random.default_rng(2)

        def step():
            begin = dice.integers(LONG - len(span), size=(BATCH, 1))
            windows = series[dice.integers(SERIES, size=(BATCH, 1)), begin + span]
            past, future = (torch.from_numpy(part.copy()) for part in (windows[:, :PAST], windows[:, PAST:]))
            if is_pinned:
                past, future = past.pin_memory(), future.pin_memory()
            past, future = past.to(device, non_blocking=is_pinned), future.to(device, non_blocking=is_pinned)
            scale = past.abs().mean(1, keepdim=True) + 1e-3
            loss = F.l1_loss(model(past / scale) * scale, future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: NBeats().to(device))
    return variant(models[0], False), variant(models[1], True), models
