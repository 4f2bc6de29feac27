"""Reinforcement learning with environments in another process, as vectorized environments run them. The loss is not read."""

import numpy as np
import torch
import torch.nn.functional as F
from loops.asks_the_environment import ACTIONS, BATCH, ENVIRONMENTS, MEMORY, SIZE, WIDTH, Environments
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
