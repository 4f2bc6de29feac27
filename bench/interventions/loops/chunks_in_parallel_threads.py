"""A batch in four chunks, and a new thread for each: what parallel_apply does for several GPUs, on one."""

import threading

import torch
import torch.nn.functional as F
from parts import Transformer, twins

ID = "chunks-in-parallel-threads"
QUESTION = (
    "Four threads run the model on a quarter of the batch each, and are joined. Does starting them cost so much? "
    "(Hardly: each launches the whole model, and launches set the pace.)"
)
CHANGE = "No threads: the model gets the whole batch at once."
CAUSE = "dispatch"
PARTIAL = True
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, LENGTH, WIDTH, LAYERS, CHUNKS = 16, 64, 256, 3, 4


def parallel_apply(model, chunks):
    outputs, errors = [None] * len(chunks), []

    def work(at, stream):
        try:
            with torch.cuda.stream(stream):
                outputs[at] = model(chunks[at])
        except Exception as error:
            errors.append(error)

    stream = torch.cuda.current_stream()
    threads = [threading.Thread(target=work, args=(at, stream), daemon=True) for at in range(len(chunks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return outputs


def build(device):
    tokens = torch.randint(1024, (ROWS, LENGTH + 1), device=device)

    def variant(model, does_split):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

        def step():
            if does_split:
                logits = torch.cat(parallel_apply(model, tokens[:, :-1].chunk(CHUNKS)))
            else:
                logits = model(tokens[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: Transformer(WIDTH, LAYERS, length=LENGTH).to(device))
    return variant(models[0], True), variant(models[1], False), models
