"""Validation of a language model that frees all memory after each batch, to be safe."""

import torch
from parts import Transformer, next_token_loss

ID = "empty-cache-in-validation"
QUESTION = (
    "Validation reads its loss and empties the cache. Is the read to blame? "
    "(No: memory is allocated anew.)"
)
CHANGE = "No empty_cache(). The read stays."
CAUSE = "allocation"
FIRST = "allocation"
STACK = False


def build(device):
    model = Transformer(512, 4).to(device).eval()
    tokens = torch.randint(1024, (8, 513), device=device)

    def variant(is_emptied):
        losses = []

        @torch.no_grad()
        def step():
            loss = next_token_loss(model, tokens)
            losses[:] = [*losses[-99:], loss.item()]
            del loss
            if is_emptied:
                torch.cuda.empty_cache()

        return step

    return variant(True), variant(False)
