"""A radiance field rendered chunk by chunk, so that it fits small GPUs."""

import torch
import torch.nn.functional as F
from parts import as_graph
from torch import nn

ID = "renders-in-chunks"
QUESTION = (
    "An image is rendered in chunks of 128 rays. Does the GPU compute, or wait for launches? "
    "(It waits: the encoding alone launches 25 kernels a chunk.)"
)
CHANGE = "The rendering of a chunk is captured in a CUDA graph and replayed for each."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
CHUNKS, RAYS, SAMPLES, BANDS, WIDTH, LAYERS = 8, 128, 32, 6, 256, 6


class Field(nn.Module):
    """Points in, density and colour out."""

    def __init__(self):
        super().__init__()
        sizes = [3 + 6 * BANDS] + [WIDTH] * LAYERS
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(WIDTH, 4)

    def encode(self, points):
        parts = [points]
        for band in range(BANDS):
            for wave in (torch.sin, torch.cos):
                parts.append(wave(points * 2.0**band))
        return torch.cat(parts, -1)

    def forward(self, points):
        x = self.encode(points).to(self.out.weight.dtype)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x).float()


def render(field, rays, depths):
    """The colours of rays, each an origin and a direction."""
    points = rays[:, None, :3] + rays[:, None, 3:] * depths[:, None]
    density, colour = field(points).split((1, 3), -1)
    gaps = torch.cat((depths[1:] - depths[:-1], torch.full_like(depths[:1], 1e10)))
    opaque = 1 - torch.exp(-F.softplus(density.squeeze(-1)) * gaps)
    passed = torch.cumprod(1 - opaque + 1e-10, -1).roll(1, -1)
    passed[:, 0] = 1
    weights = opaque * passed
    return (weights[..., None] * torch.sigmoid(colour)).sum(1)


def build(device):
    torch.manual_seed(1)
    field = Field().to(device, torch.bfloat16).eval()
    rays = torch.randn(CHUNKS * RAYS, 6, device=device)
    depths = torch.linspace(2, 6, SAMPLES, device=device)
    images = [torch.zeros(CHUNKS * RAYS, 3, device=device) for _ in range(2)]
    some, colours = torch.zeros(RAYS, 6, device=device), torch.zeros(RAYS, 3, device=device)

    @torch.no_grad()
    def found():
        for start in range(0, len(rays), RAYS):
            images[0][start : start + RAYS] = render(field, rays[start : start + RAYS], depths)

    @torch.no_grad()
    def render_some():
        colours.copy_(render(field, some, depths))

    replay = as_graph(render_some, field)

    def changed():
        for start in range(0, len(rays), RAYS):
            some.copy_(rays[start : start + RAYS])
            replay()
            images[1][start : start + RAYS] = colours

    return found, changed, ([images[0]], [images[1]])
