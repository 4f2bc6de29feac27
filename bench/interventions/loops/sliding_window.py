"""Segmentation of a scan by a sliding window: the network runs on one window after the other."""

import torch
from parts import as_graph
from torch import nn

ID = "sliding-window"
QUESTION = (
    "A Python loop runs the network window by window. Would a CUDA graph of it all help? "
    "(No: the convolutions of a window take longer than its launches.)"
)
CHANGE = "The loop over the windows is captured in a CUDA graph and replayed."
CAUSE = "dispatch"
FIRST = None
STACK = False
SIZE, EDGE, STRIDE, WIDTH, CLASSES = (96, 96, 128), 64, 32, 32, 4


def build(device):
    torch.manual_seed(1)
    parts = [nn.Conv3d(1, WIDTH, 3, 1, 1), nn.ReLU()]
    for _ in range(3):
        parts += [nn.Conv3d(WIDTH, WIDTH, 3, 1, 1), nn.ReLU()]
    model = nn.Sequential(*parts, nn.Conv3d(WIDTH, CLASSES, 1)).to(device).eval()
    scan = torch.randn(1, 1, *SIZE, device=device)
    slope = torch.exp(-(torch.linspace(-2, 2, EDGE, device=device) ** 2))
    trust = slope[:, None, None] * slope[:, None] * slope
    corners = [range(0, size - EDGE + 1, STRIDE) for size in SIZE]
    windows = [
        (..., slice(z, z + EDGE), slice(y, y + EDGE), slice(x, x + EDGE))
        for z in corners[0]
        for y in corners[1]
        for x in corners[2]
    ]
    results = [torch.zeros(1, CLASSES, *SIZE, device=device) for _ in range(2)]

    @torch.no_grad()
    def infer(result):
        total = torch.zeros(1, 1, *SIZE, device=device)
        result.zero_()
        for window in windows:
            result[window] += model(scan[window]) * trust
            total[window] += trust
        result /= total

    replay = as_graph(lambda: infer(results[1]), model)
    results[1].zero_()
    return lambda: infer(results[0]), replay, ([results[0]], [results[1]])
