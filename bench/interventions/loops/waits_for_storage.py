"""The loop fetches each batch's metadata from a slow store, which is a sleep here, after it has read the loss."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import torch
from parts import mlp, train, twins

ID = "waits-for-storage"
QUESTION = "Nothing is recorded for most of the step, on either side. What is the loop doing? (It waits for storage.)"
CHANGE = "A thread fetches the metadata of the next step meanwhile."
CAUSE = "unknown"
FIRST = "unknown"
STACK = False

FETCH_S = 0.006


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)
    pool = ThreadPoolExecutor(1)
    running = 0.0

    def fetch():
        sleep(FETCH_S)
        return 1.0

    following = pool.submit(fetch)

    def found():
        nonlocal running
        running += fetch() * train(*ours, inputs, targets).item()

    def changed():
        nonlocal running, following
        weight = following.result()
        following = pool.submit(fetch)
        running += weight * train(*theirs, inputs, targets).item()

    return found, changed, (ours[0], theirs[0])
