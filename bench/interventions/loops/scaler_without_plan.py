"""Mixed precision in float16 with GradScaler, and 3 ms of Python that plans the next step. The plan is left out."""

import torch
import torch.nn.functional as F
from parts import PythonWork, mlp

ID = "scaler-without-plan"
QUESTION = (
    "grad-scaler-reads waits in GradScaler.step(). Is the Python behind it more to blame? "
    "(Yes: it takes 3 ms, in which the GPU is idle.)"
)
CHANGE = "The next step is not planned."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False


def build(device):
    def learner():
        torch.manual_seed(1)
        model = mlp(4096, 6, 1000).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cuda", init_scale=1024.0)

    ours, theirs = learner(), learner()
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

    def found():
        train(*ours)
        plan_next_step()

    return found, lambda: train(*theirs), (ours[0], theirs[0])
