"""Inference of a model that does not fit: each layer's weights come from pinned memory when it is their turn."""

import torch
from parts import Block

ID = "offloaded-layers"
QUESTION = (
    "Weights of each layer are copied before it runs, pinned and without blocking. Do the copies cost time? "
    "(Yes: on the same stream, kernels and copies take turns.)"
)
CHANGE = "While a layer runs, the weights of the next one are copied on a stream of their own, into a second buffer."
CAUSE = "copies-in-line"
FIRST = "copies-in-line"
STACK = False
ROWS, LENGTH, WIDTH, HEADS, LAYERS = 8, 1024, 2048, 16, 4  # an even number of layers: they alternate between two buffers


def buffered(device):
    """A layer, and the one buffer that all its weights are views of."""
    layer = Block(WIDTH, HEADS).to(device, torch.bfloat16)
    buffer = torch.cat([parameter.detach().flatten() for parameter in layer.parameters()])
    sizes = [parameter.numel() for parameter in layer.parameters()]
    for parameter, part in zip(layer.parameters(), buffer.split(sizes)):
        parameter.data = part.view_as(parameter)
    return layer, buffer


def build(device):
    torch.manual_seed(1)
    hidden = torch.randn(ROWS, LENGTH, WIDTH, device=device, dtype=torch.bfloat16)
    weights = [buffered(device)[1].cpu().pin_memory() for _ in range(LAYERS)]
    results = [torch.zeros_like(hidden) for _ in range(2)]

    layer, buffer = buffered(device)

    @torch.no_grad()
    def found():
        x = hidden
        for each in weights:
            buffer.copy_(each, non_blocking=True)
            x = layer(x)
        results[0].copy_(x)

    stream = torch.cuda.Stream()
    slots = [buffered(device) for _ in range(2)]
    loaded, used = ([torch.cuda.Event() for _ in range(2)] for _ in range(2))

    def load(index):
        with torch.cuda.stream(stream):
            stream.wait_event(used[index % 2])
            slots[index % 2][1].copy_(weights[index % LAYERS], non_blocking=True)
            loaded[index % 2].record()

    torch.cuda.synchronize()
    load(0)

    @torch.no_grad()
    def changed():
        x = hidden
        for index in range(LAYERS):
            load(index + 1)  # after the last layer, the first one of the next step
            torch.cuda.current_stream().wait_event(loaded[index % 2])
            x = slots[index % 2][0](x)
            used[index % 2].record()
        results[1].copy_(x)

    return found, changed, ([results[0]], [results[1]])
