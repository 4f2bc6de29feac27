"""A thread keeps a moving average of the weights, on a stream of its own, while the loop trains a large model."""

import copy
import queue
import threading

import torch
from parts import Transformer, next_token_loss, twins

ID = "thread-averages-weights"
QUESTION = (
    "A thread launches two kernels for each parameter while the loop launches its own. Do the two get in each other's way? "
    "(No: the GPU has enough to do.)"
)
CHANGE = "torch._foreach_lerp_ averages all parameters at once, in the same thread."
CAUSE = "dispatch"
PARTIAL = True
FIRST = None
STACK = False
PROFILED_STEPS = 3


def one_by_one(slow, quick):
    for ours, theirs in zip(slow, quick):
        ours.mul_(0.999).add_(theirs, alpha=0.001)


def all_at_once(slow, quick):
    torch._foreach_lerp_(slow, quick, 0.001)


class Averager(threading.Thread):
    def __init__(self, model, update):
        super().__init__(daemon=True)
        self.slow = list(copy.deepcopy(model).requires_grad_(False).parameters())
        self.quick, self.update = list(model.parameters()), update
        self.stream = torch.cuda.Stream()
        self.trained, self.averaged = queue.SimpleQueue(), queue.SimpleQueue()
        self.averaged.put(self.stream.record_event())
        self.start()

    @torch.no_grad()
    def run(self):
        while True:
            self.stream.wait_event(self.trained.get())
            with torch.cuda.stream(self.stream):
                self.update(self.slow, self.quick)
            self.averaged.put(self.stream.record_event())


def build(device):
    tokens = torch.randint(1024, (8, 513), device=device)

    def variant(model, update):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        averager = Averager(model, update)

        def step():
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            torch.cuda.current_stream().wait_event(averager.averaged.get())
            optimizer.step()
            averager.trained.put(torch.cuda.current_stream().record_event())

        return step

    models = twins(lambda: Transformer(1024, 3, 16).to(device))
    torch.cuda.synchronize()
    return variant(models[0], one_by_one), variant(models[1], all_at_once), models
