"""Segmentation of a scan: overlapping tiles are predicted one by one, and the cache is emptied after each."""

import itertools

import torch
from torch import nn

ID = "tiles-of-a-volume"
QUESTION = (
    "Each tile begins with cudaMalloc and ends with cudaFree. Does tidying up after each tile cost much? "
    "(Yes: the next one needs the same memory.)"
)
CHANGE = "No empty_cache()."
CAUSE = "allocation"
FIRST = "allocation"
STACK = False
TILE, STRIDE, VOLUME, CLASSES = 64, 32, (96, 96, 64), 3


def convolved(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv3d(inputs, outputs, 3, stride, 1), nn.InstanceNorm3d(outputs, affine=True), nn.LeakyReLU(0.01)
    )


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.down = convolved(1, 24), convolved(24, 48, 2)
        self.deep = nn.Sequential(convolved(48, 96, 2), convolved(96, 96), nn.ConvTranspose3d(96, 48, 2, 2))
        self.middle = nn.Sequential(convolved(96, 48), nn.ConvTranspose3d(48, 24, 2, 2))
        self.last = nn.Sequential(convolved(48, 24), nn.Conv3d(24, CLASSES, 1))

    def forward(self, x):
        high = self.first(x)
        half = self.down(high)
        x = self.middle(torch.cat([half, self.deep(half)], 1))
        return self.last(torch.cat([high, x], 1)).softmax(1)


def build(device):
    torch.manual_seed(1)
    model = Segmenter().to(device).eval()
    scan = torch.randn(1, 1, *VOLUME, device=device)
    bell = torch.exp(-(torch.linspace(-2, 2, TILE, device=device) ** 2))
    importance = bell[:, None, None] * bell[:, None] * bell
    corners = list(itertools.product(*(range(0, size - TILE + 1, STRIDE) for size in VOLUME)))

    def variant(is_emptied):
        result = torch.zeros(CLASSES, *VOLUME, device=device)

        @torch.no_grad()
        def step():
            total = torch.zeros(CLASSES, *VOLUME, device=device)
            weight = torch.zeros(VOLUME, device=device)
            for corner in corners:
                place = tuple(slice(start, start + TILE) for start in corner)
                guess = model(scan[(0, 0, *place)][None, None])
                total[(slice(None), *place)] += guess[0] * importance
                weight[place] += importance
                del guess
                if is_emptied:
                    torch.cuda.empty_cache()
            result.copy_(total / weight)

        return step, [result]

    (found, ours), (changed, theirs) = variant(True), variant(False)
    return found, changed, (ours, theirs)
