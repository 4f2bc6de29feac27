"""A language model reads random pieces of a file of tokens, as small repositories do."""

import tempfile

import numpy as np
import torch
from parts import Transformer, next_token_loss, twins

ID = "batches-from-a-file"
QUESTION = (
    "get_batch() cuts 16 pieces of a mapped file and pins them, in each step. Is it to blame? "
    "(No: the GPU is busy.)"
)
CHANGE = "The same batches lie on the device already."
CAUSE = "host-code:get_batch"
FIRST = None
STACK = True
LENGTH = 513


def get_batch(file, starts, device):
    data = np.memmap(file, dtype=np.uint16, mode="r")
    pieces = [torch.from_numpy(data[at : at + LENGTH].astype(np.int64)) for at in starts]
    return torch.stack(pieces).pin_memory().to(device, non_blocking=True)


def build(device):
    numbers = np.random.default_rng(1)
    file = tempfile.TemporaryFile()
    file.write(numbers.integers(0, 1024, 1 << 22, dtype=np.uint16).tobytes())
    file.flush()
    starts = numbers.integers(0, (1 << 22) - LENGTH, (8, 16)).tolist()
    ready = [get_batch(file, each, device) for each in starts]

    def variant(model, batch_of):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        count = 0

        def step():
            nonlocal count
            tokens = batch_of(count % len(starts))
            count += 1
            next_token_loss(model, tokens).backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    models = twins(lambda: Transformer(512, 4).to(device))
    found = variant(models[0], lambda at: get_batch(file, starts[at], device))
    return found, variant(models[1], lambda at: ready[at]), models
