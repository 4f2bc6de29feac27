"""Mixed precision in float16: GradScaler.step() reads whether a gradient is infinite, unless the optimizer is fused."""

import torch
import torch.nn.functional as F
from parts import PythonWork, mlp, twins

ID = "grad-scaler-reads"
QUESTION = "No .item() in the code, and yet the host waits in each step. Does it cost anything? (Yes: GradScaler reads, then the host works.)"
CHANGE = "The optimizer is fused, so that GradScaler needs no read."
CAUSE = "read-back"
FIRST = "host-code"  # measured: scaler-without-plan
STACK = False


def build(device):
    def learner(fused):
        torch.manual_seed(1)
        model = mlp(4096, 6, 1000).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.1, fused=fused), torch.amp.GradScaler("cuda", init_scale=1024.0)

    ours, theirs = learner(False), learner(True)
    inputs = torch.randn(4096, 4096, device=device)
    targets = torch.randint(1000, (4096,), device=device)
    plan_next_step = PythonWork(3.0)

    def train(model, optimizer, scaler):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        plan_next_step()

    return lambda: train(*ours), lambda: train(*theirs), (ours[0], theirs[0])
