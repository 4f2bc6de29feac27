"""A thread prefetches and is ahead. The loop reads its loss and writes a JSON record. Recorded with Python stacks."""

import json
import os
import queue
import threading

import numpy as np
import torch
from parts import mlp, train, twins

ID = "logs-beside-a-prefetcher"
QUESTION = (
    "A thread prepares batches with NumPy, and the GPU idles for ms in each step. Is the thread too slow? "
    "(No: its batch is there. write_record() runs after the loss was read.)"
)
CHANGE = "One step in a hundred is logged. The loss is still read."
CAUSE = "host-code:write_record"
FIRST = "host-code:write_record"
STACK = True
ROUND_S = 0.3
PROFILED_STEPS = 3
ROWS, COLUMNS = 1024, 1024


def write_record(log, step, loss, settings):
    record = {"step": step, "loss": loss, "settings": settings}
    log.write(json.dumps(record, indent=1, sort_keys=True) + "\n")


def prefetch(table, targets, device, ready):
    stream = torch.cuda.Stream()
    order = np.random.default_rng(1)
    while True:
        rows = table[order.permutation(len(table))[:ROWS]]
        rows -= rows.mean(1, keepdims=True)
        with torch.cuda.stream(stream):
            inputs = torch.from_numpy(rows).pin_memory().to(device, non_blocking=True)
            copied = torch.cuda.Event()
            copied.record()
        ready.put((inputs, targets, copied))


def build(device):
    table = np.random.default_rng(2).standard_normal((4096, COLUMNS), dtype=np.float32)
    targets = torch.randint(1000, (ROWS,), device=device)
    settings = {
        f"parameter-{index}": {"shape": [3072, 1024], "dropout": index / 100, "rate": 1e-3, "betas": [0.9, 0.999]}
        for index in range(1200)
    }
    log = open(os.devnull, "w")

    def variant(learner, every):
        ready = queue.Queue(maxsize=1)
        threading.Thread(target=prefetch, args=(table, targets, device, ready), daemon=True).start()
        number = 0

        def step():
            nonlocal number
            inputs, labels, copied = ready.get()
            torch.cuda.current_stream().wait_event(copied)
            inputs.record_stream(torch.cuda.current_stream())
            loss = train(*learner, inputs, labels).item()
            number += 1
            if number % every == 0:
                write_record(log, number, loss, settings)

        return step

    def learner():
        model = mlp(3072, 3, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    return variant(ours, 1), variant(theirs, 100), (ours[0], theirs[0])
