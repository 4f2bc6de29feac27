"""A policy acts in 1024 simulated carts with poles, and learns from four steps of them."""

import numpy as np
import torch
from parts import mlp, twins

ID = "simulator-in-python"
QUESTION = (
    "Four times a step the loop reads actions with .cpu(). Is the read to blame? "
    "(No: advance() is.)"
)
CHANGE = "NumPy advances all carts at once. The reads stay."
CAUSE = "host-code:advance"
FIRST = "host-code:advance"
STACK = True
CARTS, STEPS = 1024, 4


def advance(carts, actions):
    moved, rewards = carts.tolist(), [1.0] * CARTS
    for at, action in enumerate(actions.tolist()):
        x, speed, angle, turn = moved[at]
        force = 10.0 if action else -10.0
        cos, sin = 1 - angle * angle / 2, angle - angle * angle * angle / 6
        push = (force + 0.05 * turn * turn * sin) / 1.1
        turned = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1))
        pushed = push - 0.05 * turned * cos / 1.1
        x, speed = x + 0.02 * speed, speed + 0.02 * pushed
        angle, turn = angle + 0.02 * turn, turn + 0.02 * turned
        if -2.4 < x < 2.4 and -0.21 < angle < 0.21:
            moved[at] = [x, speed, angle, turn]
        else:
            moved[at], rewards[at] = [0.01, 0.0, 0.02, 0.0], 0.0
    carts[:] = moved
    return np.array(rewards)


def all_at_once(carts, actions):
    x, speed, angle, turn = carts.T
    cos, sin = 1 - angle * angle / 2, angle - angle * angle * angle / 6
    push = (np.where(actions > 0, 10.0, -10.0) + 0.05 * turn * turn * sin) / 1.1
    turned = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1))
    pushed = push - 0.05 * turned * cos / 1.1
    moved = x + 0.02 * speed, speed + 0.02 * pushed, angle + 0.02 * turn, turn + 0.02 * turned
    after = np.stack(moved, 1)
    fell = (np.abs(after[:, 0]) > 2.4) | (np.abs(after[:, 2]) > 0.21)
    after[fell] = 0.01, 0.0, 0.02, 0.0
    carts[:] = after
    return np.where(fell, 0.0, 1.0)


def build(device):
    begin = np.random.default_rng(1).uniform(-0.05, 0.05, (CARTS, 4))

    def variant(policy, move, carts):
        optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
        dice = torch.Generator(device).manual_seed(1)

        def step():
            logs, rewards = [], []
            for _ in range(STEPS):
                seen = torch.as_tensor(carts, dtype=torch.float32).to(device)
                log = policy(seen).log_softmax(1)
                actions = torch.multinomial(log.exp(), 1, generator=dice)
                logs.append(log.gather(1, actions).squeeze(1))
                rewards.append(move(carts, actions.squeeze(1).cpu().numpy()))
            gained = torch.tensor(np.stack(rewards), dtype=torch.float32).to(device)
            returns = gained.flip(0).cumsum(0).flip(0)
            loss = -(torch.stack(logs) * (returns - returns.mean())).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: mlp(64, 2, outputs=2, inputs=4).to(device))
    found = variant(models[0], advance, begin.copy())
    return found, variant(models[1], all_at_once, begin.copy()), models
