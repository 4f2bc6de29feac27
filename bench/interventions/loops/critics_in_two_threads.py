"""Twin critics of TD3: a thread for each one trains it on a stream of its own, and the loop waits for both."""

import queue
import threading

import torch
from parts import as_graph, mlp, train, twins
from torch import nn

ID = "critics-in-two-threads"
QUESTION = (
    "Two threads train a small network each, side by side on two streams, and the GPU is idle most of the time. "
    "Is it because they wait for each other? (No: their launches are slow, and take turns with the interpreter's lock.)"
)
CHANGE = "No threads: the step of each critic is a CUDA graph, and the loop replays both."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3
ROWS, WIDTH, LAYERS = 256, 256, 10


class Trainer(threading.Thread):
    def __init__(self, update):
        super().__init__(daemon=True)
        self.update, self.stream = update, torch.cuda.Stream()
        self.asked, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        self.start()

    def run(self):
        while True:
            self.stream.wait_event(self.asked.get())
            with torch.cuda.stream(self.stream):
                self.update()
            self.done.put(self.stream.record_event())


def build(device):
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(10, (ROWS,), device=device)
    models = twins(lambda: nn.ModuleList(mlp(WIDTH, LAYERS) for _ in range(2)).to(device))
    updates = [
        [lambda pair=(critic, torch.optim.SGD(critic.parameters(), lr=0.01)): train(*pair, inputs, targets) for critic in both]
        for both in models
    ]
    torch.cuda.synchronize()
    replays = [as_graph(update, critic) for update, critic in zip(updates[1], models[1])]
    torch.cuda.synchronize()
    trainers = [Trainer(update) for update in updates[0]]

    def found():
        begun = torch.cuda.current_stream().record_event()
        for trainer in trainers:
            trainer.asked.put(begun)
        for trainer in trainers:
            torch.cuda.current_stream().wait_event(trainer.done.get())

    def changed():
        for replay in replays:
            replay()

    return found, changed, models
