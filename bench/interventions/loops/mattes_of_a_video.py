"""Matting of a video in full HD: frames go up, the matte and the foreground come back, all of it pinned."""

import torch
import torch.nn.functional as F
from torch import nn

ID = "mattes-of-a-video"
QUESTION = (
    "No copy blocks the host, and it only waits for the batch before the last one. Do the copies still cost time? "
    "(Yes: on one stream they take turns with the kernels.)"
)
CHANGE = "Frames go up and results come down on a stream each, beside the kernels of another batch."
CAUSE = "copies-in-line"
FIRST = "copies-in-line"
STACK = False
FRAMES, HEIGHT, LENGTH, WIDTH, SMALLER = 10, 1080, 1920, 48, 4


class Matting(nn.Module):
    """The matte is predicted on small frames, and refined on large ones."""

    def __init__(self):
        super().__init__()
        parts = [nn.Conv2d(3, WIDTH, 3, 1, 1), nn.ReLU(True)]
        for _ in range(6):
            parts += [nn.Conv2d(WIDTH, WIDTH, 3, 1, 1), nn.ReLU(True)]
        self.coarse = nn.Sequential(*parts, nn.Conv2d(WIDTH, 4, 3, 1, 1))
        self.refine = nn.Conv2d(7, 4, 3, 1, 1)

    def forward(self, frames):
        x = frames.half().div_(255)
        guess = self.coarse(F.avg_pool2d(x, SMALLER))
        guess = F.interpolate(guess, scale_factor=SMALLER, mode="bilinear")
        guess = self.refine(torch.cat([x, guess], 1))
        foreground = (x + guess[:, :3]).clamp_(0, 1).mul_(255).to(torch.uint8)
        return torch.sigmoid(guess[:, 3:]).float(), foreground


def build(device):
    torch.manual_seed(1)
    model = Matting().to(device, torch.float16).eval()
    size = (FRAMES, 3, HEIGHT, LENGTH)
    frames = [torch.randint(256, size, dtype=torch.uint8).pin_memory() for _ in range(2)]

    def results():
        mattes = [torch.zeros(FRAMES, 1, HEIGHT, LENGTH).pin_memory() for _ in range(2)]
        foregrounds = [torch.zeros(size, dtype=torch.uint8).pin_memory() for _ in range(2)]
        return mattes, foregrounds, [torch.cuda.Event() for _ in range(2)]

    def in_line():
        mattes, foregrounds, written = results()
        number = 0

        @torch.no_grad()
        def step():
            nonlocal number
            slot, number = number % 2, number + 1
            written[slot].synchronize()  # the encoder may have the batch before the last one
            matte, foreground = model(frames[slot].to(device, non_blocking=True))
            mattes[slot].copy_(matte, non_blocking=True)
            foregrounds[slot].copy_(foreground, non_blocking=True)
            written[slot].record()

        return step, mattes

    def beside():
        mattes, foregrounds, written = results()
        up, down = torch.cuda.Stream(), torch.cuda.Stream()
        places = [torch.empty(size, device=device, dtype=torch.uint8) for _ in range(2)]
        loaded, used = ([torch.cuda.Event() for _ in range(2)] for _ in range(2))
        kept = [None, None]  # the results on the device, until they are copied
        number = 0
        torch.cuda.synchronize()

        def load(slot):
            with torch.cuda.stream(up):
                up.wait_event(used[slot])
                places[slot].copy_(frames[slot], non_blocking=True)
                loaded[slot].record()

        load(0)

        @torch.no_grad()
        def step():
            nonlocal number
            slot, number = number % 2, number + 1
            written[slot].synchronize()
            load(1 - slot)
            torch.cuda.current_stream().wait_event(loaded[slot])
            kept[slot] = matte, foreground = model(places[slot])
            used[slot].record()
            down.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(down):
                mattes[slot].copy_(matte, non_blocking=True)
                foregrounds[slot].copy_(foreground, non_blocking=True)
                written[slot].record()

        return step, mattes

    def part(mattes):
        return [matte[:1, :, ::4] for matte in mattes]

    (found, ours), (changed, theirs) = in_line(), beside()
    return found, changed, (part(ours), part(theirs))
