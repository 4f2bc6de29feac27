"""Policy gradient: discounted returns are summed up in a Python loop before each update. Recorded with Python stacks."""

import numpy as np
import torch
from parts import mlp, twins

ID = "returns-in-python"
QUESTION = "The GPU idles most of the step. Is the small network to blame, or the host? (The host: discount() is a Python loop.)"
CHANGE = "Returns come from one product with a matrix of discounts, made before the loop."
CAUSE = "host-code:discount"
FIRST = "host-code:discount"
STACK = True

EPISODES, STEPS, GAMMA = 128, 256, 0.99


def discount(rewards):
    returns = np.empty_like(rewards)
    for episode, row in enumerate(rewards.tolist()):
        total = 0.0
        for step in range(STEPS - 1, -1, -1):
            total = row[step] + GAMMA * total
            returns[episode, step] = total
    return returns


def build(device):
    def learner():
        policy = mlp(256, 3, 8).to(device)
        return policy, torch.optim.AdamW(policy.parameters(), fused=True)

    ours, theirs = twins(learner)
    rewards = np.random.default_rng(1).random((EPISODES, STEPS), dtype=np.float32)
    states = torch.randn(EPISODES * STEPS, 256, device=device)
    actions = torch.randint(8, (EPISODES * STEPS, 1), device=device)
    ages = np.subtract.outer(np.arange(STEPS), np.arange(STEPS))
    discounts = np.where(ages >= 0, GAMMA ** np.maximum(ages, 0), 0).astype(np.float32)

    def update(policy, optimizer, returns):
        weights = torch.from_numpy(returns).flatten().to(device)
        chosen = policy(states).log_softmax(1).gather(1, actions).squeeze(1)
        loss = -(chosen * weights).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def found():
        update(*ours, discount(rewards))

    def changed():
        update(*theirs, rewards @ discounts)

    return found, changed, (ours[0], theirs[0])
