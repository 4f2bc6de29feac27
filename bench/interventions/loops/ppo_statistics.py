"""Four updates of PPO on a small network, with the statistics that every implementation logs."""

import torch
from parts import mlp, twins
from torch import nn
from torch.distributions import Categorical

ID = "ppo-statistics"
QUESTION = (
    "PPO reads KL, clip fraction and losses in each update. Are the reads to blame? "
    "(No: launches.)"
)
CHANGE = "Statistics are summed on the device, and early stopping reads them once in 100 steps."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False
CLIP = 0.2
ROWS = 1024


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = mlp(256, 2, outputs=6, inputs=32)
        self.critic = mlp(256, 2, outputs=1, inputs=32)

    def forward(self, seen):
        return Categorical(logits=self.actor(seen), validate_args=False), self.critic(seen).squeeze(1)


def build(device):
    seen = torch.randn(4 * ROWS, 32, device=device)
    actions = torch.randint(6, (4 * ROWS,), device=device)
    advantages, returns = torch.randn(2, 4 * ROWS, device=device)
    old = torch.full((4 * ROWS,), -1.79, device=device)
    parts = torch.arange(4 * ROWS, device=device).view(4, ROWS)

    def variant(agent, is_read):
        optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
        log, sums = {}, torch.zeros(5, device=device)
        count = 0

        def step():
            nonlocal count
            count += 1
            for rows in parts:
                policy, value = agent(seen[rows])
                ratio_log = policy.log_prob(actions[rows]) - old[rows]
                ratio = ratio_log.exp()
                with torch.no_grad():
                    kl = ((ratio - 1) - ratio_log).mean()
                    clipped = ((ratio - 1).abs() > CLIP).float().mean()
                gain = advantages[rows]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                near = ratio.clamp(1 - CLIP, 1 + CLIP)
                loss_policy = torch.max(-gain * ratio, -gain * near).mean()
                loss_value = 0.5 * (value - returns[rows]).square().mean()
                entropy = policy.entropy().mean()
                loss = loss_policy - 0.01 * entropy + 0.5 * loss_value
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
                if is_read:
                    log["clipped"] = clipped.item()
                    log["policy"], log["value"] = loss_policy.item(), loss_value.item()
                    log["entropy"] = entropy.item()
                    if kl.item() > 50:
                        break
                else:
                    each = (clipped, loss_policy, loss_value, entropy, kl)
                    sums.add_(torch.stack(each).detach())
            if not is_read and count % 100 == 0:
                log["kl"] = sums[4].item()

        return step

    models = twins(lambda: ActorCritic().to(device))
    return variant(models[0], True), variant(models[1], False), models
