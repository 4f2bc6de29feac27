"""Reinforcement learning with environments in another process, as vectorized environments run them."""

import multiprocessing
import os

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "asks-the-environment"
QUESTION = (
    "For ms of each step neither the host nor the GPU does anything that the profile shows. What do they wait for? "
    "(For another process: it advances the environments only when it is asked.)"
)
CHANGE = "The environments are asked before the network is trained, and their answer is fetched afterwards."
CAUSE = "unknown"
FIRST = "read-back"  # measured: asks-and-reads-nothing
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
    def variant(model, is_asked_early):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)
        environments, explorer = Environments(), np.random.default_rng(2)
        memory = torch.zeros(MEMORY, ENVIRONMENTS, 2 * SIZE, device=device)
        dice = torch.Generator(device).manual_seed(1)
        log, number = 0.0, 0

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
            return loss.item()

        if is_asked_early:
            ask()

        def step():
            nonlocal log, number
            if not is_asked_early:
                ask()
            memory[number % MEMORY].copy_(environments.answer(), non_blocking=True)
            number += 1
            if is_asked_early:
                ask()
            log = 0.99 * log + 0.01 * learn()

        return step

    models = twins(lambda: mlp(WIDTH, 5, 2 * SIZE, 2 * SIZE).to(device))
    return variant(models[0], False), variant(models[1], True), models
