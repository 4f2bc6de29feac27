"""Inference: the classes of each batch are read, and looked up and counted in Python, before the next batch is launched."""

import torch
from parts import Transformer

ID = "inference-results"
QUESTION = "Results are read batch by batch and handled in Python. Is the read to blame? (Yes: nothing is queued meanwhile.)"
CHANGE = "Results are read one batch later, so that the device computes the next batch while the host handles them."
CAUSE = "read-back"
FIRST = "read-back"
STACK = False

ROWS, LENGTH = 16, 256


def build(device):
    torch.manual_seed(1)
    model = Transformer(1024, 4, 16).to(device, torch.bfloat16).eval()
    tokens = torch.randint(1024, (ROWS, LENGTH), device=device)
    counts = [0] * 1024
    words = [f"word-{index}" for index in range(1024)]
    before = None

    def handle(chosen):
        lengths = 0
        for row in chosen:
            for token in row:
                counts[token] += 1
                lengths += len(words[token])
        for row in chosen:
            sorted(words[token] for token in row)
        return lengths

    @torch.inference_mode()
    def predict():
        return model(tokens).argmax(-1)

    def found():
        handle(predict().tolist())

    def changed():
        nonlocal before
        following = predict().to("cpu", non_blocking=True), torch.cuda.Event()
        following[1].record()
        if before:
            before[1].synchronize()
            handle(before[0].tolist())
        before = following

    return found, changed
