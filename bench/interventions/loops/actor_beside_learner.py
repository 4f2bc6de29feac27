"""An actor and a learner share the GPU: the actor has a stream of its own, and NumPy advances its environments."""

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "actor-beside-learner"
QUESTION = (
    "The host waits in synchronize() for the actions, then advances the environments. Is the wait to blame? "
    "(Yes: it waits for the learner as well.)"
)
CHANGE = "The host waits for the event after the copy of the actions only."
CAUSE = "synchronize"
FIRST = "host-code"  # measured: actor-without-environments
STACK = False
ENVIRONMENTS, SIZE, ACTIONS, ROLLOUT, WIDTH, SUBSTEPS = 2048, 16, 8, 8, 1024, 50


class Pendulums:
    """Chains of masses on springs; an action pushes one of the masses."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.places = random.standard_normal((ENVIRONMENTS, SIZE), dtype=np.float32)
        self.speeds = np.zeros_like(self.places)
        self.rows = np.arange(ENVIRONMENTS)

    def advance(self, actions):
        self.speeds[self.rows, actions] += 0.1
        for _ in range(SUBSTEPS):
            left, right = np.roll(self.places, 1, 1), np.roll(self.places, -1, 1)
            force = left + right - 2 * self.places - np.sin(self.places)
            self.speeds += 0.005 * (force - 0.1 * self.speeds)
            self.places += 0.005 * self.speeds

    def observations(self):
        return torch.from_numpy(np.concatenate([self.places, self.speeds], 1)).pin_memory()


def build(device):
    torch.manual_seed(1)
    actor = mlp(256, 2, ACTIONS, 2 * SIZE).to(device)
    advantages = torch.randn(ROLLOUT * ENVIRONMENTS, device=device)
    taken = torch.randint(ACTIONS, (ROLLOUT * ENVIRONMENTS,), device=device)

    def variant(model, does_wait_for_all):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        rollouts = torch.zeros(ROLLOUT, ENVIRONMENTS, 2 * SIZE, device=device)
        stream, copied = torch.cuda.Stream(priority=-1), torch.cuda.Event()
        actions = torch.zeros(ENVIRONMENTS, dtype=torch.int64).pin_memory()
        pendulums = Pendulums()
        number = 0

        def learn():
            chances = F.log_softmax(model(rollouts.flatten(0, 1)), 1)
            chosen = chances.gather(1, taken[:, None]).squeeze(1)
            entropy = -(chances.exp() * chances).sum(1)
            optimizer.zero_grad()
            (-(chosen * advantages).mean() - 0.01 * entropy.mean()).backward()
            optimizer.step()

        def step():
            nonlocal number
            observations = pendulums.observations()
            rollouts[number % ROLLOUT].copy_(observations, non_blocking=True)
            number += 1
            learn()
            with torch.cuda.stream(stream), torch.no_grad():
                best = actor(observations.to(device, non_blocking=True)).argmax(1)
                actions.copy_(best, non_blocking=True)
                copied.record()
            if does_wait_for_all:
                torch.cuda.synchronize()
            else:
                copied.synchronize()
            pendulums.advance(actions.numpy())

        return step

    models = twins(lambda: mlp(WIDTH, 3, ACTIONS, 2 * SIZE).to(device))
    torch.cuda.synchronize()
    return variant(models[0], True), variant(models[1], False), models
