"""A thread acts in environments while the loop learns. Whoever uses the GPU holds a lock, 'as CUDA is not thread-safe'."""

import contextlib
import queue
import threading

import numpy as np
import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "actor-with-a-lock"
QUESTION = (
    "An actor thread and the learner have a stream each, and yet nothing overlaps. What does the host wait for? "
    "(For a lock: the learner holds it until its loss is read.)"
)
CHANGE = "No lock: the actor has a copy of the weights anyway."
CAUSE = "unknown"
FIRST = "unknown"
STACK = False
ROUND_S = 0.2
ENVIRONMENTS, SIZE, ACTIONS, ROLLOUT, SUBSTEPS = 512, 16, 8, 8, 40


class Springs:
    """Chains of masses on springs; an action pushes one of the masses."""

    def __init__(self):
        self.places = np.random.default_rng(1).standard_normal((ENVIRONMENTS, SIZE), dtype=np.float32)
        self.speeds = np.zeros_like(self.places)
        self.rows = np.arange(ENVIRONMENTS)

    def advance(self, actions):
        self.speeds[self.rows, actions] += 0.1
        for _ in range(SUBSTEPS):
            left, right = np.roll(self.places, 1, 1), np.roll(self.places, -1, 1)
            self.speeds += 0.005 * (left + right - 2 * self.places - 0.1 * self.speeds)
            self.places += 0.005 * self.speeds

    def observations(self):
        return torch.from_numpy(np.concatenate([self.places, self.speeds], 1))


class Actor(threading.Thread):
    def __init__(self, policy, lock, device):
        super().__init__(daemon=True)
        self.policy, self.lock, self.device = policy, lock, device
        self.stream, self.springs = torch.cuda.Stream(priority=-1), Springs()
        self.asked, self.seen = queue.SimpleQueue(), queue.SimpleQueue()
        self.start()

    @torch.no_grad()
    def run(self):
        while True:
            self.stream.wait_event(self.asked.get())
            rollout = []
            for _ in range(ROLLOUT):
                observations = self.springs.observations()
                with self.lock, torch.cuda.stream(self.stream):
                    actions = self.policy(observations.to(self.device)).argmax(1).cpu()
                self.springs.advance(actions.numpy())
                rollout.append(observations)
            self.seen.put(torch.cat(rollout).pin_memory())


def build(device):
    torch.manual_seed(1)
    advantages = torch.randn(ROLLOUT * ENVIRONMENTS, device=device)
    taken = torch.randint(ACTIONS, (ROLLOUT * ENVIRONMENTS,), device=device)

    def variant(model, policy, lock):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        weights = [[parameter.detach() for parameter in each.parameters()] for each in (policy, model)]
        actor = Actor(policy, lock, device)
        rollout = torch.zeros(ROLLOUT * ENVIRONMENTS, 2 * SIZE).pin_memory()
        running = 0.0

        def learn():
            chances = F.log_softmax(model(rollout.to(device, non_blocking=True)), 1)
            loss = -(chances.gather(1, taken[:, None]).squeeze(1) * advantages).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.item()

        def step():
            nonlocal rollout, running
            torch._foreach_copy_(*weights)
            actor.asked.put(torch.cuda.current_stream().record_event())
            with lock:
                running += learn()
            rollout = actor.seen.get()

        return step

    models = twins(lambda: mlp(2048, 4, ACTIONS, 2 * SIZE).to(device))
    policies = twins(lambda: mlp(2048, 4, ACTIONS, 2 * SIZE).to(device))
    torch.cuda.synchronize()
    found = variant(models[0], policies[0], threading.Lock())
    return found, variant(models[1], policies[1], contextlib.nullcontext()), models
