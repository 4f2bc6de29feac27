"""Greedy decoding, as written first: the whole sequence anew for each token, until the end token."""

import torch
from parts import Transformer

ID = "greedy-decoding"
QUESTION = (
    "Each token is read to see whether it ends the text. Is the read to blame? "
    "(Barely: launches are.)"
)
CHANGE = "Eight tokens are made in any case, and none is read."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False
END = -1  # no text ends here, so both variants make the same tokens
NEW = 8


def build(device):
    model = Transformer(256, 6).to(device).eval()
    prompt = torch.randint(1024, (1, 32), device=device)

    def variant(is_read):
        @torch.no_grad()
        def step():
            tokens = prompt
            for _ in range(NEW):
                best = model(tokens)[:, -1].argmax(-1, keepdim=True)
                tokens = torch.cat((tokens, best), 1)
                if is_read and best.item() == END:
                    break
            return tokens

        return step

    return variant(True), variant(False)
