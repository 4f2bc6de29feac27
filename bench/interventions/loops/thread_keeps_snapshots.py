"""A snapshot of the weights is made on the device after each step, and a thread brings it to the host meanwhile."""

import queue
import threading

import torch
from parts import Transformer, next_token_loss, twins

ID = "thread-keeps-snapshots"
QUESTION = (
    "A thread is held for ms in pageable copies, and the loop waits for it before the next snapshot. Is it to blame? "
    "(No: the GPU computes longer than that, and the loop launches in time.)"
)
CHANGE = "The thread copies into pinned memory that it uses again."
CAUSE = "pageable-copies"
FIRST = None
STACK = False
PROFILED_STEPS = 3


class Keeper:
    def __init__(self, weights, is_pinned):
        self.weights = weights
        self.snapshot = [torch.empty_like(weight) for weight in weights]
        self.pinned = [torch.empty(weight.shape).pin_memory() for weight in weights] if is_pinned else None
        self.kept = None
        self.stream = torch.cuda.Stream()
        self.taken, self.is_free = queue.SimpleQueue(), threading.Semaphore(1)
        threading.Thread(target=self.work, daemon=True).start()

    def take(self):
        self.is_free.acquire()
        torch._foreach_copy_(self.snapshot, self.weights)
        self.taken.put(torch.cuda.current_stream().record_event())

    def work(self):
        while True:
            self.stream.wait_event(self.taken.get())
            with torch.cuda.stream(self.stream):
                if self.pinned is None:
                    self.kept = [part.cpu() for part in self.snapshot]
                else:
                    for place, part in zip(self.pinned, self.snapshot):
                        place.copy_(part, non_blocking=True)
                    self.stream.synchronize()
            self.is_free.release()


def build(device):
    tokens = torch.randint(1024, (32, 513), device=device)

    def variant(model, is_pinned):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
        keeper = Keeper([parameter.detach() for parameter in model.parameters()], is_pinned)

        def step():
            optimizer.zero_grad()
            next_token_loss(model, tokens).backward()
            optimizer.step()
            keeper.take()

        return step

    models = twins(lambda: Transformer(512, 2).to(device))
    torch.cuda.synchronize()
    return variant(models[0], False), variant(models[1], True), models
