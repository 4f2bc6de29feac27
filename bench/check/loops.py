"""Eleven training loops with lines that make the host wait, for bench/check/truth.py. Each trains a small model on synthetic data, a few steps."""

import logging
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.WARNING)
logger = logging.getLogger(__name__)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
STEPS = 8


def images(count=STEPS * 32):
    return TensorDataset(torch.randn(count, 3, 32, 32), torch.randint(0, 10, (count,)))


def small_net():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 10)
    )


def classify():
    """The loop of most tutorials: blocking copies, a number read and a line printed in every step."""
    model = small_net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = DataLoader(images(), batch_size=32)
    total, correct = 0.0, 0
    for x, y in loader:
        x = x.to(device)
        y = y.to(device)
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        correct += (out.argmax(1) == y).sum().item()
        line = f"loss {loss:.3f}"
    return total, correct, line


def autoencode():
    """Made on the host and copied; a branch on the loss."""
    model = nn.Sequential(nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 64)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    best = torch.tensor(1e9).to(device)
    for step in range(STEPS):
        x = torch.randn(32, 64).to(device)
        noise = 0.1 * torch.randn(32, 64, device=device)
        loss = F.mse_loss(model(x + noise), x)
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        if loss < best:
            best = loss.detach()
        if torch.isnan(loss):
            raise RuntimeError("NaN")
    return best


class Gan:
    """Two networks, methods of a class, labels made in every step."""

    def __init__(self):
        self.generator = nn.Linear(16, 64).to(device)
        self.critic = nn.Linear(64, 1).to(device)
        self.optimizer_g = torch.optim.Adam(self.generator.parameters())
        self.optimizer_d = torch.optim.Adam(self.critic.parameters())
        self.losses = []

    def report(self, loss_d, loss_g):
        self.losses.append((loss_d.item(), loss_g.item()))

    def train(self):
        for step in range(STEPS):
            real = torch.randn(32, 64, device=device)
            label = torch.tensor([1.0] * 32, device=device).unsqueeze(1)
            fake = self.generator(torch.randn(32, 16, device=device))
            loss_d = F.binary_cross_entropy_with_logits(self.critic(real), label)
            loss_d = loss_d + F.binary_cross_entropy_with_logits(self.critic(fake.detach()), 1 - label)
            self.optimizer_d.zero_grad()
            loss_d.backward()
            self.optimizer_d.step()
            loss_g = F.binary_cross_entropy_with_logits(self.critic(fake), label)
            self.optimizer_g.zero_grad()
            loss_g.backward()
            self.optimizer_g.step()
            self.report(loss_d, loss_g)


def gan():
    Gan().train()


def language():
    """Words with padding: masks, nonzero, a perplexity by math."""
    vocabulary, length = 100, 16
    embedding = nn.Embedding(vocabulary, 32).to(device)
    rnn = nn.GRU(32, 32, batch_first=True).to(device)
    head = nn.Linear(32, vocabulary).to(device)
    parameters = [*embedding.parameters(), *rnn.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(parameters)
    perplexities = []
    for step in range(STEPS):
        tokens = torch.randint(0, vocabulary, (8, length), device=device)
        keep = tokens != 0
        out, _ = rnn(embedding(tokens))
        logits = head(out)[keep]
        targets = tokens[keep]
        loss = F.cross_entropy(logits, targets)
        rare = (targets < 5).nonzero()
        kinds = targets.unique()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        perplexities.append(math.exp(loss))
        logger.warning("%s", loss) if step < 0 else None
    return perplexities, rare, kinds


def mixed():
    """float16 with a scaler, a norm that is checked, pinned batches."""
    model = small_net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda")
    loader = DataLoader(images(), batch_size=32, num_workers=0, pin_memory=True)
    for step, (x, y) in enumerate(loader):
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1e9, error_if_nonfinite=False)
        scaler.step(optimizer)
        scaler.update()
        if step % 4 == 0:
            print(f"mixed {loss.item():.3f}")


def accumulate():
    """Micro-batches, a number in each, a norm that is printed where the optimizer steps."""
    model = small_net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total = 0.0
    for step in range(STEPS):
        x = torch.randn(8, 3, 32, 32, device=device)
        y = torch.randint(0, 10, (8,), device=device)
        loss = F.cross_entropy(model(x), y) / 4
        loss.backward()
        total += loss.item()
        if (step + 1) % 4 == 0:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
            optimizer.step()
            optimizer.zero_grad()
            total += float(norm)
    return total


def graph():
    """Indices on the host, rows picked by a list, counts by bincount, repeated rows."""
    x = torch.randn(200, 16, device=device)
    model = nn.Linear(16, 4).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    labels = torch.randint(0, 4, (200,), device=device)
    for step in range(STEPS):
        rows = torch.randperm(200)[:64]
        out = model(x[rows])
        target = labels[rows]
        extra = out[[0, 1, 2]].sum()
        counts = torch.bincount(target, minlength=4)
        repeats = torch.ones(64, dtype=torch.long, device=device)
        longer = torch.repeat_interleave(out, repeats, dim=0)
        wide = F.one_hot(target)
        loss = F.cross_entropy(longer, target) + 0 * extra + 0 * wide.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return counts


def timed():
    """Timing, a synchronize, an emptied cache, a moving average by a Python loop."""
    model = small_net().to(device)
    average = small_net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    times = []
    for step in range(STEPS):
        x = torch.randn(32, 3, 32, 32, device=device)
        y = torch.randint(0, 10, (32,), device=device)
        torch.cuda.synchronize()
        start = time.perf_counter()
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
        with torch.no_grad():
            for old, new in zip(average.parameters(), model.parameters()):
                old.mul_(0.9).add_(new, alpha=0.1)
        torch.cuda.empty_cache()
    return times


def select_action(policy, state):
    with torch.no_grad():
        return policy(state).argmax().item()


def reinforce():
    """An agent that acts on the host's side of every step."""
    policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.Adam(policy.parameters())
    for episode in range(2):
        rewards, logs = [], []
        for step in range(4):
            state = torch.randn(4).to(device)
            action = select_action(policy, state)
            logs.append(F.log_softmax(policy(state), dim=0)[action])
            rewards.append(1.0)
        returns = torch.tensor(rewards, device=device)
        loss = -(torch.stack(logs) * returns).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def detect():
    """Boxes of a few sizes: numbers to lists, copies to the host, a bar of progress."""
    model = nn.Linear(16, 5).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    kept, lists = [], []
    for step in range(STEPS):
        features = torch.randn(100, 16, device=device)
        out = model(features)
        scores = out[:, 4].sigmoid()
        order = scores.argsort(descending=True)
        good = torch.masked_select(scores, scores > 0.5)
        lists.append(order[:3].tolist())
        kept.append(out.detach().cpu())
        loss = out.pow(2).mean() + 0 * good.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert torch.isfinite(loss).all()
        worst = max(loss.detach(), torch.zeros((), device=device))
    return kept, lists, worst


def followed():
    """A module of its own, whose forward reads a number; losses summed by Python's sum."""

    class Gate(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(16, 16)

        def forward(self, x):
            y = self.linear(x)
            if y.abs().mean() > 1e6:
                y = y * 0
            mask = y > 0
            y[mask] = 0
            return y

    model = Gate().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(STEPS):
        out = model(torch.randn(8, 16, device=device))
        loss = sum([out.mean(), out.pow(2).mean()])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        value = loss.detach().to("cpu", non_blocking=True)
    return value


LOOPS = [classify, autoencode, gan, language, mixed, accumulate, graph, timed, reinforce, detect, followed]
