"""An asyncio service: each request runs a small model in a thread of an executor, on a stream of its own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import torch
from parts import Transformer, as_graph

ID = "asyncio-with-an-executor"
QUESTION = (
    "Eight requests at once, four threads, a stream for each, and hardly two kernels overlap. Does asyncio hold them up? "
    "(No: each request launches a hundred short kernels, and the threads launch in turn.)"
)
CHANGE = "The model is a CUDA graph for each request under way. Requests are copied, and answers read, as before."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
REQUESTS, THREADS, ROWS, LENGTH, WIDTH, LAYERS, CLASSES = 8, 4, 4, 64, 256, 6, 16


class Slot:
    """Memory and a stream for one request under way."""

    def __init__(self, model, device):
        self.model, self.stream = model, torch.cuda.Stream()
        self.tokens = torch.zeros(ROWS, LENGTH, dtype=torch.int64, device=device)
        self.chances = torch.zeros(ROWS, CLASSES, device=device)
        self.run = self.compute

    @torch.no_grad()
    def compute(self):
        logits = self.model(self.tokens)[:, -1, :CLASSES]
        self.chances.copy_(logits.float().softmax(1))

    def infer(self, tokens):
        with torch.cuda.stream(self.stream):
            self.tokens.copy_(tokens, non_blocking=True)
            self.run()
            return self.chances.tolist()


def build(device):
    torch.manual_seed(1)
    model = Transformer(WIDTH, LAYERS, 4, length=LENGTH).to(device, torch.bfloat16).eval()
    requests = [torch.randint(1024, (ROWS, LENGTH)).pin_memory() for _ in range(3 * REQUESTS)]
    torch.cuda.synchronize()
    slots = [[Slot(model, device) for _ in range(REQUESTS)] for _ in range(2)]
    for slot in slots[1]:
        slot.run = as_graph(slot.compute, model)
    torch.cuda.synchronize()

    def variant(slots):
        loop, executor = asyncio.new_event_loop(), ThreadPoolExecutor(THREADS)
        answers = torch.zeros(REQUESTS, ROWS, CLASSES)
        number = 0

        async def handle(at, tokens):
            answers[at] = torch.tensor(await loop.run_in_executor(executor, slots[at].infer, tokens))

        async def handle_all(batch):
            await asyncio.gather(*(handle(at, tokens) for at, tokens in enumerate(batch)))

        def step():
            nonlocal number
            start = number % 3 * REQUESTS
            number += 1
            loop.run_until_complete(handle_all(requests[start : start + REQUESTS]))

        return step, [answers]

    (found, ours), (changed, theirs) = variant(slots[0]), variant(slots[1])
    return found, changed, (ours, theirs)
