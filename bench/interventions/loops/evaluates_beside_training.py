"""While the loop trains, a thread evaluates the weights of the step before, for early stopping."""

import copy
from concurrent.futures import ThreadPoolExecutor

import torch
from parts import mlp, train, twins

ID = "evaluates-beside-training"
QUESTION = (
    "A thread evaluates beside the training and calls torch.cuda.synchronize() after each batch. Does it matter? "
    "(Yes: it waits for the kernels of the training, too, and evaluates the rest when they are over.)"
)
CHANGE = "No synchronize(). The number of hits is read at the end, as before."
CAUSE = "synchronize"
FIRST = "synchronize"
STACK = False
ROUND_S = 0.2
PROFILED_STEPS = 3
ROWS, WIDTH, LAYERS, EVALUATED, BATCHES = 1024, 2048, 6, 64, 16


def build(device):
    torch.manual_seed(1)
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(10, (ROWS,), device=device)
    held_out = torch.randn(BATCHES, EVALUATED, WIDTH, device=device)
    right = torch.randint(10, (BATCHES, EVALUATED), device=device)

    def learner():
        model = mlp(WIDTH, LAYERS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()

    def variant(learner, does_synchronize):
        frozen = copy.deepcopy(learner[0]).requires_grad_(False)
        weights = [[parameter.detach() for parameter in each.parameters()] for each in (frozen, learner[0])]
        stream = torch.cuda.Stream(priority=-1)
        pool = ThreadPoolExecutor(1)
        best = 0.0

        @torch.no_grad()
        def evaluate(copied):
            stream.wait_event(copied)
            with torch.cuda.stream(stream):
                hits = torch.zeros((), dtype=torch.int64, device=device)
                for batch, labels in zip(held_out, right):
                    hits += (frozen(batch).argmax(1) == labels).sum()
                    if does_synchronize:
                        torch.cuda.synchronize()  # 'keeps memory low'
                return hits.item() / (BATCHES * EVALUATED)

        def step():
            nonlocal best
            torch._foreach_copy_(*weights)
            accuracy = pool.submit(evaluate, torch.cuda.current_stream().record_event())
            train(*learner, inputs, targets)
            best = max(best, accuracy.result())

        return step

    return variant(ours, True), variant(theirs, False), (ours[0], theirs[0])
