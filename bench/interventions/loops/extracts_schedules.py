"""A diffusion sampler whose schedules are NumPy arrays: it copies them to the device wherever it needs a number."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "extracts-schedules"
QUESTION = (
    "Five schedules of 1,000 numbers are sent to the device in each denoising step. Do copies of 8 kB matter? "
    "(Yes: each waits for the network, and the next step is launched from scratch.)"
)
CHANGE = "The schedules are copied to the device once."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False
PROFILED_STEPS = 2
TIMES, DENOISED, IMAGES, EDGE, WIDTH = 1000, 5, 96, 32, 96


def schedules():
    betas = np.linspace(1e-4, 0.02, TIMES)
    alphas = np.cumprod(1 - betas)
    before = np.append(1.0, alphas[:-1])
    variance = betas * (1 - before) / (1 - alphas)
    return {
        "of_sample": np.sqrt(1 / alphas),
        "of_noise": np.sqrt(1 / alphas - 1),
        "mean_of_start": betas * np.sqrt(before) / (1 - alphas),
        "mean_of_sample": (1 - before) * np.sqrt(1 - betas) / (1 - alphas),
        "log_variance": np.log(np.append(variance[1], variance[1:])),
    }


def extract_from_array(array, times, like):
    numbers = torch.from_numpy(array).to(device=times.device)[times].float()
    return numbers[:, None, None, None].expand(like.shape)


def extract_from_tensor(tensor, times, like):
    return tensor[times].float()[:, None, None, None].expand(like.shape)


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(8, inputs), nn.GroupNorm(8, outputs)
        self.conv1, self.conv2 = nn.Conv2d(inputs, outputs, 3, 1, 1), nn.Conv2d(outputs, outputs, 3, 1, 1)
        self.time = nn.Linear(WIDTH, outputs)
        self.short = nn.Identity() if inputs == outputs else nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, time):
        y = self.conv1(F.silu(self.norm1(x))) + self.time(time)[:, :, None, None]
        return self.short(x) + self.conv2(F.silu(self.norm2(y)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Embedding(TIMES, WIDTH), nn.Linear(WIDTH, WIDTH), nn.SiLU())
        self.first, self.last = nn.Conv2d(3, WIDTH, 3, 1, 1), nn.Conv2d(WIDTH, 3, 3, 1, 1)
        self.down = nn.ModuleList([Block(WIDTH, WIDTH), Block(WIDTH, 2 * WIDTH)])
        self.middle = Block(2 * WIDTH, 2 * WIDTH)
        self.up = nn.ModuleList([Block(4 * WIDTH, WIDTH), Block(2 * WIDTH, WIDTH)])

    def forward(self, x, times):
        time = self.time(times)
        high = self.down[0](self.first(x), time)
        low = self.down[1](F.avg_pool2d(high, 2), time)
        lowest = self.middle(F.avg_pool2d(low, 2), time)
        x = self.up[0](torch.cat([low, F.interpolate(lowest, scale_factor=2)], 1), time)
        return self.last(self.up[1](torch.cat([high, F.interpolate(x, scale_factor=2)], 1), time))


def build(device):
    arrays = schedules()
    tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
    models = twins(lambda: UNet().to(device).eval())

    def variant(model, tables, extract):
        dice = torch.Generator(device).manual_seed(1)
        sample = torch.randn(IMAGES, 3, EDGE, EDGE, generator=dice, device=device)
        time = TIMES

        @torch.no_grad()
        def step():
            nonlocal time
            x = sample.clone()
            for _ in range(DENOISED):
                time = time - 1 if time > 500 else TIMES - 1
                times = torch.full((IMAGES,), time, device=device)
                noise = model(x, times)
                start = extract(tables["of_sample"], times, x) * x - extract(tables["of_noise"], times, x) * noise
                start = start.clamp(-1, 1)
                mean = extract(tables["mean_of_start"], times, x) * start
                mean = mean + extract(tables["mean_of_sample"], times, x) * x
                spread = torch.exp(0.5 * extract(tables["log_variance"], times, x))
                x = mean + spread * torch.randn(x.shape, generator=dice, device=device)
            sample.copy_(x)

        return step, [sample]

    found, ours = variant(models[0], arrays, extract_from_array)
    changed, theirs = variant(models[1], tensors, extract_from_tensor)
    return found, changed, (ours, theirs)
