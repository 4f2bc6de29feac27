"""print(loss) instead of print(loss.item()): the text of a tensor on the device."""

import os

import torch
from parts import mlp, train, twins

ID = "prints-the-loss"
QUESTION = (
    "A small network is launch-bound, and print(loss) is one line. Does it matter? "
    "(Yes: it is ten kernels and reads.)"
)
CHANGE = "The losses are kept on the device and not printed."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False


def build(device):
    inputs = torch.randn(256, 128, device=device)
    targets = torch.randint(10, (256,), device=device)
    log = open(os.devnull, "w")

    def variant(model, is_printed):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        total = torch.zeros((), device=device)

        def step():
            loss = train(model, optimizer, inputs, targets)
            if is_printed:
                print("loss:", loss, file=log)
            else:
                total.add_(loss)

        return step

    models = twins(lambda: mlp(256, 4, inputs=128).to(device))
    return variant(models[0], True), variant(models[1], False), models
