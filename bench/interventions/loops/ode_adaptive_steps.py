"""Flow matching: samples are drawn by a Dormand-Prince solver that reads the error of each attempt."""

import torch
from torch import nn

ID = "ode-adaptive-steps"
QUESTION = (
    "The solver reads an error after each attempt to choose the next step size. Are these reads to blame? "
    "(No: each attempt is some 150 launches, and they set the pace.)"
)
CHANGE = "The step sizes of an earlier run are used again, and no error is read."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, SIZE, WIDTH, SCALE = 512, 64, 512, 16
TOLERANCE, FIRST_SIZE = 3e-6, 0.1

NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
WEIGHTS = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
OFF = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


class Velocity(nn.Module):
    def __init__(self):
        super().__init__()
        hidden = [part for _ in range(3) for part in (nn.Linear(WIDTH, WIDTH), nn.Tanh())]
        self.net = nn.Sequential(nn.Linear(SIZE + 8, WIDTH), nn.Tanh(), *hidden, nn.Linear(WIDTH, SIZE))
        self.register_buffer("speeds", torch.pi * torch.arange(1, 5))

    def forward(self, time, x):
        angles = time * self.speeds
        times = torch.cat([angles.cos(), angles.sin()]).expand(len(x), -1)
        return SCALE * self.net(torch.cat([x, times], 1))


def attempt(velocity, time, size, x, slope):
    """One step of the solver: where it ends, the slope there, and its error over the tolerance."""
    slopes = [slope]
    for node, weights in zip(NODES, WEIGHTS):
        y = x + size * sum(weight * each for weight, each in zip(weights, slopes))
        slopes.append(velocity(time + node * size, y))
    error = size * sum(weight * each for weight, each in zip(OFF, slopes))
    allowed = TOLERANCE * (1 + torch.maximum(x.abs(), y.abs()))
    return y, slopes[-1], (error / allowed).square().mean().sqrt()


def build(device):
    torch.manual_seed(1)
    velocity = Velocity().to(device)
    noise = torch.randn(ROWS, SIZE, device=device)
    samples = [torch.zeros(ROWS, SIZE, device=device) for _ in range(2)]

    @torch.no_grad()
    def adaptive():
        time, size, sizes = 0.0, FIRST_SIZE, []
        x, slope = noise, velocity(0.0, noise)
        while 1 - time > 1e-9:
            y, last, error = attempt(velocity, time, size, x, slope)
            error = max(error.item(), 1e-10)
            if error <= 1:
                x, slope, time = y, last, time + size
                sizes.append(size)
            size = min(1 - time, size * min(5.0, max(0.2, 0.9 * error**-0.2)))
        samples[0].copy_(x)
        return sizes

    sizes = adaptive()

    @torch.no_grad()
    def replayed():
        time = 0.0
        x, slope = noise, velocity(0.0, noise)
        for size in sizes:
            x, slope, _ = attempt(velocity, time, size, x, slope)
            time += size
        samples[1].copy_(x)

    samples[0].zero_()
    return adaptive, replayed, ([samples[0]], [samples[1]])
