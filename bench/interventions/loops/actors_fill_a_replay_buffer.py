"""Two actor threads slide over ice in Python and fill a replay buffer on the GPU, from which the loop learns."""

import queue
import random
import threading

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "actors-fill-a-replay-buffer"
QUESTION = (
    "Two actors and a learner launch small kernels from three threads. Do they wait for each other's launches? "
    "(For the lock of the interpreter: advance() of both actors holds it. Launches come second.)"
)
CHANGE = "Where each move ends was computed before: an actor looks it up."
CAUSE = "host-code:advance"
FIRST = "host-code:advance"
STACK = True
ROUND_S = 0.3
PROFILED_STEPS = 3
EDGE, ACTORS, ENVIRONMENTS, ROLLOUT, SLOTS, ROWS = 64, 2, 512, 4, 32, 512
MOVES = (1, -1, EDGE, -EDGE)
GOAL = EDGE * EDGE // 2 + EDGE // 2
PRICES = [1 + place * place % 5 for place in range(EDGE * EDGE)]


def advance(walls, places, actions):
    """Each one slides until the next cell is a wall, or until it is at the goal, and pays for the cells on its way."""
    ends, paid = list(places), [0] * len(places)
    for at, action in enumerate(actions):
        place, move, total = places[at], MOVES[action], 0
        for _ in range(EDGE):
            if place == GOAL or walls[place + move]:
                break
            place += move
            total += PRICES[place]
        ends[at], paid[at] = place, total
    return ends, paid


class Table:
    def __init__(self, walls):
        cells = [cell for cell, is_wall in enumerate(walls) if not is_wall]
        self.ends, self.paid = np.zeros((2, EDGE * EDGE, len(MOVES)), dtype=np.int64)
        for action in range(len(MOVES)):
            self.ends[cells, action], self.paid[cells, action] = advance(walls, cells, [action] * len(cells))

    def __call__(self, _walls, places, actions):
        return self.ends[places, actions].tolist(), self.paid[places, actions].tolist()


class Actor(threading.Thread):
    def __init__(self, number, policy, buffer, walls, move, device):
        super().__init__(daemon=True)
        self.number, self.policy, self.buffer, self.walls, self.move = number, policy, buffer, walls, move
        self.device, self.stream, self.dice = device, torch.cuda.Stream(), random.Random(number)
        self.free = [cell for cell, is_wall in enumerate(walls) if not is_wall]
        self.places = self.dice.choices(self.free, k=ENVIRONMENTS)
        self.asked, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        self.start()

    @torch.no_grad()
    def run(self):
        while True:
            slot, copied = self.asked.get()
            self.stream.wait_event(copied)
            for at in range(ROLLOUT):
                self.act(self.buffer[slot, self.number, at])
            self.done.put(self.stream.record_event())

    def act(self, seen):
        with torch.cuda.stream(self.stream):
            actions = self.policy(torch.tensor(self.places).to(self.device)).argmax(1).tolist()
        ends, paid = self.move(self.walls, self.places, actions)
        with torch.cuda.stream(self.stream):
            seen.copy_(torch.tensor([self.places, actions, ends, paid]))
        starts = self.dice.choices(self.free, k=ENVIRONMENTS)
        self.places = [start if end == place else end for place, end, start in zip(self.places, ends, starts)]


def build(device):
    dice = random.Random(1)
    walls = [
        min(divmod(cell, EDGE)) == 0 or max(divmod(cell, EDGE)) == EDGE - 1 or (cell != GOAL and dice.random() < 0.02)
        for cell in range(EDGE * EDGE)
    ]

    def network():
        layers = [layer for _ in range(3) for layer in (nn.Linear(256, 256), nn.ReLU())]
        return nn.Sequential(nn.Embedding(EDGE * EDGE, 256), *layers, nn.Linear(256, 4)).to(device)

    def variant(model, policy, move):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        weights = [[parameter.detach() for parameter in each.parameters()] for each in (policy, model)]
        shape = SLOTS, ACTORS, ROLLOUT, 4, ENVIRONMENTS
        buffer = torch.zeros(shape, dtype=torch.int64, device=device)
        torch.cuda.synchronize()
        actors = [Actor(number, policy, buffer, walls, move, device) for number in range(ACTORS)]
        draws = torch.Generator(device).manual_seed(1)
        per_slot = ACTORS * ROLLOUT * ENVIRONMENTS
        slot = 0

        def learn():
            """Learns from any slot but the one that the actors fill meanwhile."""
            drawn = torch.randint((SLOTS - 1) * per_slot, (ROWS,), generator=draws, device=device)
            drawn = (drawn + (slot + 1) * per_slot) % (SLOTS * per_slot)
            rows = buffer.movedim(3, 4).reshape(-1, 4)[drawn]
            places, actions, ends, paid = rows.unbind(1)
            with torch.no_grad():
                wanted = 10.0 * (ends == GOAL) - 0.01 * paid + 0.95 * model(ends).amax(1)
            loss = F.smooth_l1_loss(model(places).gather(1, actions[:, None]).squeeze(1), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        def step():
            nonlocal slot
            current = torch.cuda.current_stream()
            torch._foreach_copy_(*weights)
            for actor in actors:
                actor.asked.put((slot, current.record_event()))
            learn()
            for actor in actors:
                current.wait_event(actor.done.get())
            slot = (slot + 1) % SLOTS

        return step

    models, policies = twins(network), twins(network)
    torch.cuda.synchronize()
    return variant(models[0], policies[0], advance), variant(models[1], policies[1], Table(walls)), models
