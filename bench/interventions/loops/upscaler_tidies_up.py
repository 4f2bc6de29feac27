"""Super-resolution of a video in bfloat16: the cache is emptied after every sixth batch of frames."""

import torch
from torch import nn

ID = "upscaler-tidies-up"
QUESTION = (
    "One step in six ends in cudaFree, and the host is held there for ms. Does emptying the cache cost that? "
    "(Hardly: cudaFree waits while the GPU computes.)"
)
CHANGE = "No empty_cache()."
CAUSE = "allocation"
FIRST = None
STACK = False
PROFILED_STEPS = 6
ROUND_S = 0.5
FRAMES, HEIGHT, LENGTH, WIDTH, BLOCKS, EVERY = 4, 360, 640, 64, 20, 6


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, 1, 1), nn.ReLU(True), nn.Conv2d(WIDTH, WIDTH, 3, 1, 1))

    def forward(self, x):
        return self.body(x).mul_(0.1).add_(x)


class Upscaler(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Conv2d(3, WIDTH, 3, 1, 1)
        self.body = nn.Sequential(*(Residual() for _ in range(BLOCKS)), nn.Conv2d(WIDTH, WIDTH, 3, 1, 1))
        self.tail = nn.Sequential(
            nn.Conv2d(WIDTH, 4 * WIDTH, 3, 1, 1), nn.PixelShuffle(2), nn.Conv2d(WIDTH, 3, 3, 1, 1)
        )

    def forward(self, frames):
        x = self.head(frames)
        return self.tail(self.body(x) + x)


def build(device):
    torch.manual_seed(1)
    model = Upscaler().to(device, torch.bfloat16, memory_format=torch.channels_last).eval()
    size = (FRAMES, 3, HEIGHT, LENGTH)
    frames = torch.randint(256, size, device=device, dtype=torch.uint8).to(memory_format=torch.channels_last)

    def variant(is_emptied):
        result = torch.zeros(FRAMES, 3, 2 * HEIGHT, 2 * LENGTH, device=device, dtype=torch.uint8)
        number = 0

        @torch.no_grad()
        def step():
            nonlocal number
            number += 1
            upscaled = model(frames.to(torch.bfloat16).div_(255))
            result.copy_(upscaled.add_(0.5).clamp_(0, 1).mul_(255))
            del upscaled
            if is_emptied and number % EVERY == 0:
                torch.cuda.empty_cache()

        return step, [result]

    (found, ours), (changed, theirs) = variant(True), variant(False)
    return found, changed, (ours, theirs)
