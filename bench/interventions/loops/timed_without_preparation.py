"""The loop times each step with torch.cuda.synchronize(), and prepares nothing on the host."""

from time import perf_counter

import torch
from parts import PythonWork, mlp, train, twins

ID = "timed-without-preparation"
QUESTION = (
    "synchronize-to-time waits in each step. Is the Python after it more to blame? "
    "(Yes: without the wait it still takes as long as the kernels.)"
)
CHANGE = "The next step is not prepared. The loop still waits, to time the step."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(512, 4096, device=device)
    targets = torch.randint(1000, (512,), device=device)
    prepare = PythonWork(2.5)
    took = 0.0

    def timed(learner):
        nonlocal took
        start = perf_counter()
        train(*learner, inputs, targets)
        torch.cuda.synchronize()
        took += perf_counter() - start

    def found():
        timed(ours)
        prepare()

    return found, lambda: timed(theirs), (ours[0], theirs[0])
