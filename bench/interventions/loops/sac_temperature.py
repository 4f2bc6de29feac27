"""Soft actor-critic as single-file implementations have it, with a temperature that is learned."""

import torch
import torch.nn.functional as F
from parts import mlp, twins
from torch import nn

ID = "sac-temperature"
QUESTION = (
    "Every update ends with alpha = log_alpha.exp().item(). Does the read slow it? "
    "(Barely: hundreds of launches of tiny kernels set the pace.)"
)
CHANGE = "alpha stays a tensor on the device."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
SEEN, ACTIONS, WIDTH, BATCH, MEMORY = 17, 6, 256, 256, 100_000
GAMMA, TAU = 0.99, 0.005


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(WIDTH, 2, 2 * ACTIONS, SEEN)

    def forward(self, seen, dice):
        mean, log_std = self.net(seen).chunk(2, -1)
        log_std = -5 + 3.5 * (torch.tanh(log_std) + 1)
        std = log_std.exp()
        raw = mean + std * torch.randn(mean.shape, generator=dice, device=mean.device)
        action = torch.tanh(raw)
        log_prob = -0.5 * ((raw - mean) / std).square() - log_std - 0.919 - torch.log(1 - action.square() + 1e-6)
        return action, log_prob.sum(1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(WIDTH, 2, 1, SEEN + ACTIONS)

    def forward(self, seen, action):
        return self.net(torch.cat([seen, action], 1)).squeeze(1)


def build(device):
    torch.manual_seed(1)
    memory = torch.randn(MEMORY, 2 * SEEN + ACTIONS + 1, device=device)

    def make():
        model = nn.ModuleDict({"actor": Actor(), "critic1": Critic(), "critic2": Critic()})
        return model.to(device)

    def variant(model, is_read):
        actor, critics = model["actor"], [model["critic1"], model["critic2"]]
        targets = [Critic().to(device) for _ in critics]
        for target, critic in zip(targets, critics):
            target.load_state_dict(critic.state_dict())
        log_alpha = torch.zeros(1, requires_grad=True, device=device)
        q_optimizer = torch.optim.Adam([*critics[0].parameters(), *critics[1].parameters()], lr=1e-3)
        actor_optimizer = torch.optim.Adam(actor.parameters(), lr=3e-4)
        alpha_optimizer = torch.optim.Adam([log_alpha], lr=1e-3)
        dice = torch.Generator(device).manual_seed(1)
        alpha = 1.0 if is_read else torch.ones(1, device=device)

        def step():
            nonlocal alpha
            rows = memory[torch.randint(MEMORY, (BATCH,), generator=dice, device=device)]
            seen, following, actions, reward = rows.split([SEEN, SEEN, ACTIONS, 1], 1)
            with torch.no_grad():
                next_actions, next_log = actor(following, dice)
                least = torch.min(*(target(following, next_actions) for target in targets))
                wanted = reward.squeeze(1) + GAMMA * (least - alpha * next_log)
            q_loss = sum(F.mse_loss(critic(seen, actions), wanted) for critic in critics)
            q_optimizer.zero_grad()
            q_loss.backward()
            q_optimizer.step()

            chosen, log = actor(seen, dice)
            actor_loss = (alpha * log - torch.min(*(critic(seen, chosen) for critic in critics))).mean()
            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()

            with torch.no_grad():
                _, log = actor(seen, dice)
            alpha_loss = (-log_alpha.exp() * (log - ACTIONS)).mean()
            alpha_optimizer.zero_grad()
            alpha_loss.backward()
            alpha_optimizer.step()
            alpha = log_alpha.exp().item() if is_read else log_alpha.detach().exp()

            with torch.no_grad():
                for critic, target in zip(critics, targets):
                    for ours, slow in zip(critic.parameters(), target.parameters()):
                        slow.copy_(TAU * ours + (1 - TAU) * slow)

        return step

    models = twins(make)
    return variant(models[0], True), variant(models[1], False), models
