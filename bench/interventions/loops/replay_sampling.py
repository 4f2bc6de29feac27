"""Q-learning from a replay buffer of single transitions, with a target network that follows slowly."""

import random

import numpy as np
import torch
import torch.nn.functional as F
from parts import twins
from torch import nn

ID = "replay-sampling"
QUESTION = (
    "Frames are copied from pageable memory. Is the copy to blame? "
    "(Partly; sample() costs more: it stacks 512 frames.)"
)
CHANGE = "The same batches are stacked once, before the loop. The copy stays."
CAUSE = "host-code:sample"
FIRST = "host-code:sample"
STACK = True
BATCH = 256


def sample(transitions):
    states, actions, rewards, following = zip(*transitions)
    arrays = np.stack(states), np.array(actions), np.array(rewards, np.float32), np.stack(following)
    return [torch.from_numpy(array) for array in arrays]


def network():
    convolutions = nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU()
    last = nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten()
    return nn.Sequential(*convolutions, *last, nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 6))


def build(device):
    frames = np.random.default_rng(1).integers(0, 255, (1001, 4, 84, 84), dtype=np.uint8)
    buffer = [(frames[at], at % 6, float(at % 3), frames[at + 1]) for at in range(1000)]
    chosen = random.Random(1)
    picks = [chosen.sample(buffer, BATCH) for _ in range(4)]
    stacked = [sample(pick) for pick in picks]

    def variant(pair, batch_of):
        online, target = pair
        optimizer = torch.optim.Adam(online.parameters(), lr=1e-4)
        count = 0

        def step():
            nonlocal count
            batch = batch_of(count % len(picks))
            count += 1
            states, actions, rewards, following = [part.to(device) for part in batch]
            with torch.no_grad():
                best = rewards + 0.99 * target(following.float() / 255).max(1).values
            value = online(states.float() / 255).gather(1, actions[:, None]).squeeze(1)
            loss = F.smooth_l1_loss(value, best)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                for slow, quick in zip(target.parameters(), online.parameters()):
                    slow.mul_(0.995).add_(quick, alpha=0.005)

        return step

    pairs = twins(lambda: nn.ModuleList((network(), network())).to(device))
    found = variant(pairs[0], lambda at: sample(picks[at]))
    return found, variant(pairs[1], lambda at: stacked[at]), (pairs[0][0], pairs[1][0])
