"""Two threads compute gradients of half a batch each, with a replica and a stream of their own, and meet at a barrier."""

import copy
import threading

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "replicas-meet-at-a-barrier"
QUESTION = (
    "Each thread synchronizes its stream before the barrier, and then the loop averages gradients. Is that what costs? "
    "(No: by the time that all is launched, nearly all has run. Launches set the pace.)"
)
CHANGE = "The threads record events, and the stream of the loop waits for these."
CAUSE = "synchronize"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3
ROWS, WIDTH, LAYERS = 128, 512, 10


class Replica(threading.Thread):
    def __init__(self, model, inputs, targets, barrier, does_synchronize):
        super().__init__(daemon=True)
        self.model = copy.deepcopy(model)
        self.inputs, self.targets, self.barrier, self.does_synchronize = inputs, targets, barrier, does_synchronize
        self.stream = torch.cuda.Stream()
        self.updated = self.computed = None
        self.start()

    def run(self):
        while True:
            self.barrier.wait()
            self.stream.wait_event(self.updated)
            with torch.cuda.stream(self.stream):
                self.model.zero_grad()
                F.cross_entropy(self.model(self.inputs), self.targets).backward()
            self.computed = self.stream.record_event()
            if self.does_synchronize:
                self.stream.synchronize()
            self.barrier.wait()


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(2, ROWS, WIDTH, device=device)
    targets = torch.randint(10, (2, ROWS), device=device)
    models = twins(lambda: mlp(WIDTH, LAYERS).to(device))
    torch.cuda.synchronize()

    def variant(model, does_synchronize):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        barrier = threading.Barrier(3)
        replicas = [Replica(model, *each, barrier, does_synchronize) for each in zip(inputs, targets)]
        weights = [parameter.detach() for parameter in model.parameters()]
        copies = [[parameter.detach() for parameter in replica.model.parameters()] for replica in replicas]

        def step():
            current = torch.cuda.current_stream()
            for replica in replicas:
                replica.updated = current.record_event()
            barrier.wait()
            barrier.wait()
            if not does_synchronize:
                for replica in replicas:
                    current.wait_event(replica.computed)
            first, second = ([parameter.grad for parameter in replica.model.parameters()] for replica in replicas)
            for parameter, gradient in zip(model.parameters(), torch._foreach_lerp(first, second, 0.5)):
                parameter.grad = gradient
            optimizer.step()
            for each in copies:
                torch._foreach_copy_(each, weights)

        return step

    return variant(models[0], True), variant(models[1], False), models
