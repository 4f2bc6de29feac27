"""A thread renders a preview with each step, on a stream of its own, and then gives its memory back to the driver."""

import queue
import threading

import torch
from parts import Residual, mlp, train, twins
from torch import nn

ID = "previews-in-a-thread"
QUESTION = (
    "A thread renders previews and empties the cache, 'as the trainer needs the memory'. Does that slow the trainer? "
    "(Yes: cudaMalloc and cudaFree wait for the device, and launches of both threads wait for them.)"
)
CHANGE = "No empty_cache()."
CAUSE = "allocation"
FIRST = "allocation"
STACK = False
ROUND_S = 0.3


class Previews(threading.Thread):
    def __init__(self, decoder, latent, does_empty):
        super().__init__(daemon=True)
        self.decoder, self.latent, self.does_empty = decoder, latent, does_empty
        self.shown = torch.empty(4, 3, 256, 256).pin_memory()
        self.stream = torch.cuda.Stream()
        self.asked, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        self.start()

    @torch.no_grad()
    def run(self):
        while True:
            self.asked.get()
            with torch.cuda.stream(self.stream):
                self.shown.copy_(self.decoder(self.latent).sigmoid(), non_blocking=True)
                self.stream.synchronize()
            if self.does_empty:
                torch.cuda.empty_cache()
            self.done.put(None)


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(512, 2048, device=device)
    targets = torch.randint(1000, (512,), device=device)
    decoder = nn.Sequential(
        nn.Conv2d(16, 64, 3, 1, 1),
        Residual(64, 64, 1),
        nn.Upsample(scale_factor=2),
        Residual(64, 32, 1),
        nn.Upsample(scale_factor=2),
        Residual(32, 32, 1),
        nn.Conv2d(32, 3, 3, 1, 1),
    ).to(device)
    decoder.eval()
    latent = torch.randn(4, 16, 64, 64, device=device)

    def learner():
        model = mlp(2048, 6, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()

    def variant(learner, previews):
        def step():
            previews.asked.put(None)
            train(*learner, inputs, targets)
            previews.done.get()

        return step

    empties, keeps = (Previews(decoder, latent, does_empty) for does_empty in (True, False))
    return variant(ours, empties), variant(theirs, keeps), (ours[0], theirs[0])
