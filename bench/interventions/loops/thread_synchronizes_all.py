"""A thread copies the next batch on a stream of its own, and then calls torch.cuda.synchronize() before it hands it over."""

import queue
import threading

import numpy as np
import torch
from parts import mlp, train, twins

ID = "thread-synchronizes-all"
QUESTION = (
    "The thread that prefetches waits for the whole device, so for the kernels of the loop as well. Is it to blame? "
    "(No: the next batch comes when the GPU runs out of work, and launches are quick beside the kernels.)"
)
CHANGE = "The thread waits for its own stream only."
CAUSE = "synchronize"
FIRST = None
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 6
ROWS, COLUMNS = 2048, 1024


def prefetch(table, device, ready, does_wait_for_all):
    stream, random = torch.cuda.Stream(), np.random.default_rng(1)
    while True:
        rows = table[random.integers(0, len(table), ROWS)]
        with torch.cuda.stream(stream):
            inputs = torch.from_numpy(rows).pin_memory().to(device, non_blocking=True)
        if does_wait_for_all:
            torch.cuda.synchronize()
        else:
            stream.synchronize()
        ready.put(inputs)


def build(device):
    table = np.random.default_rng(2).standard_normal((8192, COLUMNS), dtype=np.float32)
    targets = torch.randint(1000, (ROWS,), device=device)

    def variant(learner, does_wait_for_all):
        ready = queue.Queue(maxsize=1)
        threading.Thread(target=prefetch, args=(table, device, ready, does_wait_for_all), daemon=True).start()

        def step():
            inputs = ready.get()
            inputs.record_stream(torch.cuda.current_stream())
            train(*learner, inputs, targets)

        return step

    def learner():
        model = mlp(4096, 3, 1000, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    return variant(ours, True), variant(theirs, False), (ours[0], theirs[0])
