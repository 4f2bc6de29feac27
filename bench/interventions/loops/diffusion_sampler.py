"""Images are sampled by ten steps of a small diffusion model, with a scheduler of small operators."""

import torch
import torch.nn.functional as F
from parts import as_graph
from torch import nn

ID = "diffusion-sampler"
QUESTION = (
    "Ten steps of a small denoiser for four images. Does the GPU compute, or wait for launches? "
    "(It waits.)"
)
CHANGE = "All ten steps are captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
STEPS, WIDTH = 10, 64


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, WIDTH), nn.SiLU(), nn.Linear(WIDTH, WIDTH))
        self.first = nn.Conv2d(3, WIDTH, 3, padding=1)
        self.last = nn.Conv2d(WIDTH, 3, 3, padding=1)
        self.norms = nn.ModuleList(nn.GroupNorm(8, WIDTH) for _ in range(4))
        self.convs = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 3, padding=1) for _ in range(4))

    def forward(self, x, t):
        angle = t * torch.exp(-torch.arange(8, device=x.device) * 0.9)
        time = self.time(torch.cat((angle.sin(), angle.cos()))[None])[:, :, None, None]
        x = self.first(x)
        for norm, conv in zip(self.norms, self.convs):
            x = x + conv(F.silu(norm(x) + time))
        return self.last(F.silu(x))


def build(device):
    torch.manual_seed(1)
    model = Denoiser().to(device).eval()
    noise = torch.randn(4, 3, 32, 32, device=device)
    kept = torch.cumprod(1 - torch.linspace(1e-4, 0.3, STEPS + 1, device=device), 0)
    times = torch.arange(STEPS, -1, -1, device=device, dtype=torch.float32)

    def variant(images):
        @torch.no_grad()
        def step():
            x = noise
            for at in range(STEPS, 0, -1):
                guess = model(x, times[STEPS - at])
                clean = (x - (1 - kept[at]).sqrt() * guess) / kept[at].sqrt()
                clean = clean.clamp(-1, 1)
                x = kept[at - 1].sqrt() * clean + (1 - kept[at - 1]).sqrt() * guess
            images.copy_(x)

        return step

    images = [torch.zeros(4, 3, 32, 32, device=device) for _ in range(2)]
    return variant(images[0]), as_graph(variant(images[1]), model), ([images[0]], [images[1]])
