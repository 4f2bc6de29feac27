"""Contrastive training: images and captions are encoded on a stream each, and the host waits for both."""

import torch
import torch.nn.functional as F
from parts import ResNet, Transformer, twins
from torch import nn

ID = "towers-on-two-streams"
QUESTION = (
    "The host waits for both towers in the middle of each step. Is the wait to blame? "
    "(No: the backward pass is launched in time, and is most of the step.)"
)
CHANGE = "The stream of the loss waits for those of the towers, and the host does not."
CAUSE = "synchronize"
FIRST = None
STACK = False
PROFILED_STEPS = 3
ROWS, EDGE, LENGTH, WIDTH, OUTPUTS = 128, 64, 64, 512, 256


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.images = ResNet(48, classes=OUTPUTS)
        self.captions = Transformer(WIDTH, 4, tokens=4096, length=LENGTH)
        self.captions.head = nn.Linear(WIDTH, OUTPUTS)
        self.scale = nn.Parameter(torch.tensor(2.0))


def build(device):
    torch.manual_seed(1)
    images = torch.randn(ROWS, 3, EDGE, EDGE, device=device)
    captions = torch.randint(4096, (ROWS, LENGTH), device=device)
    targets = torch.arange(ROWS, device=device)

    def variant(model, does_host_wait):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        streams = [torch.cuda.Stream() for _ in range(2)]

        def step():
            for stream in streams:
                stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(streams[0]):
                seen = F.normalize(model.images(images), dim=1)
            with torch.cuda.stream(streams[1]):
                read = F.normalize(model.captions(captions).mean(1), dim=1)
            for stream in streams:
                if does_host_wait:
                    stream.synchronize()
                else:
                    torch.cuda.current_stream().wait_stream(stream)
            logits = seen @ read.T * model.scale.exp()
            loss = (F.cross_entropy(logits, targets) + F.cross_entropy(logits.T, targets)) / 2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: Towers().to(device))
    torch.cuda.synchronize()
    return variant(models[0], True), variant(models[1], False), models
