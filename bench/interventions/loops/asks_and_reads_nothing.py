"""Reinforcement learning with environments in another process, as vectorized environments run them. The loss is not read."""

import multiprocessing
import os

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "asks-and-reads-nothing"
QUESTION = (
    "asks-the-environment waits for another process, and reads its loss. Is the read as much to blame? "
    "(Yes: without it, the network is trained while the environments advance.)"
)
CHANGE = "The loss is summed on the device. The environments are asked as before."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False
ENVIRONMENTS, SIZE, ACTIONS, WIDTH, BATCH, SUBSTEPS, MEMORY = 512, 32, 8, 2048, 2048, 10, 32


def advance_forever(pipe, other):
    """A chain of springs for each environment; an action pushes one of the masses."""
    other.close()
    places = np.random.default_rng(1).standard_normal((ENVIRONMENTS, SIZE))
    speeds = np.zeros_like(places)
    rows = np.arange(ENVIRONMENTS)
    try:
        while True:
            actions = np.frombuffer(pipe.recv_bytes(), np.int64)
            speeds[rows, actions] += 0.1
            for _ in range(SUBSTEPS):
                force = np.roll(places, 1, 1) + np.roll(places, -1, 1) - 2 * places - np.sin(places)
                speeds += 0.005 * (force - 0.1 * speeds)
                places += 0.005 * speeds
            pipe.send_bytes(np.concatenate([places, speeds], 1).astype(np.float32).tobytes())
    except (EOFError, OSError):
        os._exit(0)


class Environments:
    def __init__(self):
        fork = multiprocessing.get_context("fork")
        self.pipe, other = fork.Pipe()
        fork.Process(target=advance_forever, args=(other, self.pipe), daemon=True).start()
        other.close()

    def ask(self, actions):
        self.pipe.send_bytes(actions.tobytes())

    def answer(self):
        seen = np.frombuffer(self.pipe.recv_bytes(), np.float32).reshape(ENVIRONMENTS, 2 * SIZE)
        return torch.tensor(seen).pin_memory()


def build(device):
    def variant(model, is_read):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)
        environments, explorer = Environments(), np.random.default_rng(2)
        memory = torch.zeros(MEMORY, ENVIRONMENTS, 2 * SIZE, device=device)
        dice = torch.Generator(device).manual_seed(1)
        log, total, number = 0.0, torch.zeros((), device=device), 0

        def ask():
            environments.ask(explorer.integers(ACTIONS, size=ENVIRONMENTS))

        def learn():
            """A model of the world: from what was seen, it predicts what is seen next."""
            rows = (number + torch.randint(MEMORY - 1, (BATCH,), generator=dice, device=device)) % MEMORY
            columns = torch.randint(ENVIRONMENTS, (BATCH,), generator=dice, device=device)
            loss = F.mse_loss(model(memory[rows, columns]), memory[(rows + 1) % MEMORY, columns])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.detach()

        def step():
            nonlocal log, number
            ask()
            memory[number % MEMORY].copy_(environments.answer(), non_blocking=True)
            number += 1
            loss = learn()
            if is_read:
                log = 0.99 * log + 0.01 * loss.item()
            else:
                total.mul_(0.99).add_(loss, alpha=0.01)

        return step

    models = twins(lambda: mlp(WIDTH, 5, 2 * SIZE, 2 * SIZE).to(device))
    return variant(models[0], True), variant(models[1], False), models
