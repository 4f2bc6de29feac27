"""The weights are kept on the host after each step, to go back to when the loss explodes."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "snapshot-each-step"
QUESTION = (
    "The weights are copied to pinned memory after each step, and the host waits for nothing. "
    "Do the copies cost time? (Yes: the kernels of the next step wait for them.)"
)
CHANGE = "They are copied on a stream of their own; the optimizer waits until they are kept."
CAUSE = "copies-in-line"
FIRST = "copies-in-line"
STACK = False
ROWS, WIDTH, LAYERS = 1024, 2048, 12


def build(device):
    class Loop:
        def __init__(self):
            self.model = mlp(WIDTH, LAYERS, 1000).to(device)
            self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
            self.weights = [parameter.detach() for parameter in self.model.parameters()]
            self.kept = [torch.empty(part.shape).pin_memory() for part in self.weights]

    ours, theirs = twins(Loop)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(1000, (ROWS,), device=device)
    copying = torch.cuda.Stream()

    def keep(loop):
        for place, weight in zip(loop.kept, loop.weights):
            place.copy_(weight, non_blocking=True)

    def backward(loop):
        loss = F.cross_entropy(loop.model(inputs), targets)
        loop.optimizer.zero_grad()
        loss.backward()

    def found():
        backward(ours)
        ours.optimizer.step()
        keep(ours)

    def changed():
        backward(theirs)
        torch.cuda.current_stream().wait_stream(copying)
        theirs.optimizer.step()
        copying.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(copying):
            keep(theirs)

    return found, changed, (ours.model, theirs.model)
