"""Each step writes a record of settings and counters as JSON. Recorded with Python stacks."""

import json
import os

import torch
from parts import mlp, train, twins

ID = "json-logging"
QUESTION = "log_record() takes most of the host's time. Does it slow the loop? (No: it runs while the GPU computes.)"
CHANGE = "One step in a hundred is logged."
CAUSE = "host-code:log_record"
FIRST = None
STACK = True
PROFILED_STEPS = 3


def log_record(log, step, settings):
    record = {"step": step, "lr": 1e-3, "settings": settings}
    log.write(json.dumps(record, indent=1, sort_keys=True) + "\n")


def build(device):
    def learner():
        model = mlp(4096, 3, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    inputs = torch.randn(1024, 4096, device=device)
    targets = torch.randint(1000, (1024,), device=device)
    settings = {f"layer-{index}": {"width": 4096, "dropout": index / 100} for index in range(200)}
    log = open(os.devnull, "w")
    step = 0

    def found():
        nonlocal step
        step += 1
        train(*ours, inputs, targets)
        log_record(log, step, settings)

    def changed():
        nonlocal step
        step += 1
        train(*theirs, inputs, targets)
        if step % 100 == 0:
            log_record(log, step, settings)

    return found, changed, (ours[0], theirs[0])
