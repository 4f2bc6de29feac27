"""After each step a thread brings the weights to the host, for actors on CPUs. The optimizer waits until it has them."""

import queue
import threading

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "publishes-weights"
QUESTION = (
    "Before the optimizer the loop waits for ms, and the profile of its thread says nothing of why. What takes so long? "
    "(The .cpu() of another thread: copies of the weights into fresh, pageable memory.)"
)
CHANGE = "The thread copies into pinned memory that it uses again, and waits for its stream once."
CAUSE = "pageable-copies"
FIRST = "pageable-copies"
STACK = False
ROUND_S = 0.2
ROWS, WIDTH, LAYERS = 1024, 1024, 8


class Publisher(threading.Thread):
    def __init__(self, weights, is_pinned):
        super().__init__(daemon=True)
        self.weights, self.published = weights, None
        self.pinned = [torch.empty(weight.shape).pin_memory() for weight in weights] if is_pinned else None
        self.stream = torch.cuda.Stream()
        self.updated, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        self.done.put(None)  # nothing is being published yet
        self.start()

    def run(self):
        while True:
            self.stream.wait_event(self.updated.get())
            with torch.cuda.stream(self.stream):
                if self.pinned:
                    for place, weight in zip(self.pinned, self.weights):
                        place.copy_(weight, non_blocking=True)
                    self.stream.synchronize()
                    self.published = self.pinned
                else:
                    self.published = [weight.cpu() for weight in self.weights]
            self.done.put(None)


def build(device):
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(10, (ROWS,), device=device)

    def variant(model, is_pinned):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        publisher = Publisher([parameter.detach() for parameter in model.parameters()], is_pinned)

        def step():
            loss = F.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            publisher.done.get()
            optimizer.step()
            publisher.updated.put(torch.cuda.current_stream().record_event())

        return step

    models = twins(lambda: mlp(WIDTH, LAYERS).to(device))
    torch.cuda.synchronize()
    return variant(models[0], False), variant(models[1], True), models
