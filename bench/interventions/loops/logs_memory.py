"""A trainer with mixed precision, an average of the weights, and a callback that logs the memory of the device."""

import json
from collections import deque

import torch
from parts import Transformer, next_token_loss, twins

ID = "logs-memory"
QUESTION = "log_memory() formats a page of statistics in each step. Does it slow the loop? (No: the GPU is behind anyway.)"
CHANGE = "The callback runs once in a thousand steps."
CAUSE = "host-code:log_memory"
FIRST = None
STACK = True
PROFILED_STEPS = 3
ROWS, LENGTH, WIDTH, LAYERS = 24, 512, 1024, 4


def log_memory(log, number, rate):
    statistics = {name: value for name, value in torch.cuda.memory_stats().items() if "pool" in name}
    log.append(json.dumps({"step": number, "rate": rate, **statistics, "table": torch.cuda.memory_summary()}))


def build(device):
    torch.manual_seed(1)
    tokens = torch.randint(1024, (ROWS, LENGTH + 1), device=device)

    def variant(model, every):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda number: min(1.0, (number + 1) / 1000))
        average = [parameter.detach().clone() for parameter in model.parameters()]
        log = deque(maxlen=100)
        number = 0

        def step():
            nonlocal number
            number += 1
            with torch.autocast("cuda", torch.bfloat16):
                loss = next_token_loss(model, tokens)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                torch._foreach_lerp_(average, list(model.parameters()), 0.001)
            if number % every == 0:
                log_memory(log, number, schedule.get_last_lr()[0])

        return step

    models = twins(lambda: Transformer(WIDTH, LAYERS, 16).to(device))
    return variant(models[0], 1), variant(models[1], 1000), models
