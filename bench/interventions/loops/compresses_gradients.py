"""A thread makes bytes of each gradient, once backward has it, for other hosts. The optimizer gets the rounded ones."""

import queue
import threading

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "compresses-gradients"
QUESTION = (
    "A thread reads the largest value of each gradient, and the optimizer waits until it has read all. Is it to blame? "
    "(No: it reads while backward runs, and the GPU idles only shortly after the last one.)"
)
CHANGE = "The scales stay on the device. The thread launches the same otherwise."
CAUSE = "read-back"
FIRST = None
STACK = False
ROUND_S = 0.2
PROFILED_STEPS = 3
ROWS, WIDTH, LAYERS = 2048, 3072, 6


class Compressor(threading.Thread):
    def __init__(self, parameters, does_read):
        super().__init__(daemon=True)
        self.does_read = does_read
        self.sent = [torch.empty(parameter.shape, dtype=torch.int8).pin_memory() for parameter in parameters]
        self.scales = [0.0] * len(parameters)
        self.stream = torch.cuda.Stream(priority=-1)
        self.computed = queue.SimpleQueue()
        self.changes, self.left, self.compressed = threading.Condition(), len(parameters), None
        for at, parameter in enumerate(parameters):
            parameter.register_post_accumulate_grad_hook(lambda parameter, at=at: self.hand_over(at, parameter.grad))
        self.start()

    def hand_over(self, at, gradient):
        self.computed.put((at, gradient, torch.cuda.current_stream().record_event()))

    @torch.no_grad()
    def run(self):
        while True:
            at, gradient, is_computed = self.computed.get()
            self.stream.wait_event(is_computed)
            with torch.cuda.stream(self.stream):
                scale = gradient.abs().amax() / 127
                if self.does_read:
                    scale = scale.item()
                rounded = (gradient / scale).round().to(torch.int8)
                self.sent[at].copy_(rounded, non_blocking=True)
                torch.mul(rounded, scale, out=gradient)
            self.scales[at] = scale
            with self.changes:
                self.left -= 1
                self.compressed = self.stream.record_event()
                self.changes.notify()

    def wait(self):
        """Waits until the gradients of all parameters are launched; returns the event after the last one."""
        with self.changes:
            self.changes.wait_for(lambda: self.left == 0)
            self.left = len(self.sent)
            return self.compressed


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(1000, (ROWS,), device=device)
    models = twins(lambda: mlp(WIDTH, LAYERS, 1000).to(device))
    torch.cuda.synchronize()

    def variant(model, does_read):
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        compressor = Compressor(list(model.parameters()), does_read)

        def step():
            optimizer.zero_grad()
            F.cross_entropy(model(inputs), targets).backward()
            torch.cuda.current_stream().wait_event(compressor.wait())
            optimizer.step()

        return step

    return variant(models[0], True), variant(models[1], False), models
