"""A thread runs a frozen encoder and puts features into a queue, as CPU tensors. The loop trains a classifier on them."""

import queue
import threading

import torch
import torch.nn.functional as F
from parts import Transformer, twins
from torch import nn

ID = "features-by-way-of-the-host"
QUESTION = (
    "One thread computes features and another one trains on them, and the GPU idles between. Is the encoder too slow? "
    "(No: features leave the GPU and come back, through fresh pageable memory.)"
)
CHANGE = "Features stay on the device, and an event goes with them."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False
ROUND_S = 0.2
PROFILER_WARM_UP = 6
ROWS, LENGTH, WIDTH, CLASSES, BATCHES = 64, 64, 768, 100, 4


class Head(nn.Module):
    """Pools tokens by attention, and classifies what it gets."""

    def __init__(self):
        super().__init__()
        self.weigh, self.classify = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, CLASSES)
        self.mix = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH), nn.GELU())

    def forward(self, features):
        mixed = self.mix(features)
        return self.classify((self.weigh(mixed).softmax(1) * mixed).sum(1))


@torch.no_grad()
def extract(encoder, tokens, features, does_leave):
    stream = torch.cuda.Stream()
    number = 0
    while True:
        with torch.cuda.stream(stream):
            states = encoder(tokens[number % BATCHES]).float()
            if does_leave:
                states = states.cpu()
        features.put((states, number % BATCHES, stream.record_event()))
        number += 1


def build(device):
    torch.manual_seed(1)
    encoder = Transformer(WIDTH, 3, 12, length=LENGTH).to(device, torch.bfloat16).eval()
    encoder.head = nn.Identity()
    tokens = torch.randint(1024, (BATCHES, ROWS, LENGTH), device=device)
    targets = torch.randint(CLASSES, (BATCHES, ROWS), device=device)
    heads = twins(lambda: Head().to(device))
    torch.cuda.synchronize()

    def variant(head, does_leave):
        optimizer = torch.optim.AdamW(head.parameters(), fused=True)
        features = queue.Queue(maxsize=1)
        threading.Thread(target=extract, args=(encoder, tokens, features, does_leave), daemon=True).start()

        def step():
            states, at, computed = features.get()
            torch.cuda.current_stream().wait_event(computed)
            if does_leave:
                states = states.to(device)
            else:
                states.record_stream(torch.cuda.current_stream())
            loss = F.cross_entropy(head(states), targets[at])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    return variant(heads[0], True), variant(heads[1], False), heads
