"""Fine-tuning of a text classifier: each batch is a dictionary of small tensors."""

import torch
import torch.nn.functional as F
from parts import Transformer, twins

ID = "dictionary-to-device"
QUESTION = (
    "Six pageable copies in each step, and the host waits in the first. Are they to blame? "
    "(No: GPU-bound.)"
)
CHANGE = "The batches lie in pinned memory, and the copies do not block."
CAUSE = "pageable-copies"
FIRST = None
STACK = False


def build(device):
    def make():
        batch = {"tokens": torch.randint(1024, (16, 512)), "mask": torch.ones(16, 512)}
        batch |= {"types": torch.zeros(16, 512), "special": torch.zeros(16, 512)}
        batch |= {"labels": torch.randint(2, (16,)), "weights": torch.rand(16)}
        return batch

    batches = [make() for _ in range(4)]
    pinned = [{name: part.pin_memory() for name, part in batch.items()} for batch in batches]

    def variant(model, given, is_blocking):
        optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, fused=True)
        count = 0

        def step():
            nonlocal count
            batch = given[count % len(given)]
            count += 1
            batch = {
                name: part.to(device, non_blocking=not is_blocking) for name, part in batch.items()
            }
            ours = (batch["mask"] - batch["special"] - batch["types"])[..., None]
            logits = (model(batch["tokens"]) * ours).sum(1)[:, :2] / ours.sum(1)
            loss = F.cross_entropy(logits, batch["labels"], reduction="none") * batch["weights"]
            optimizer.zero_grad()
            loss.mean().backward()
            optimizer.step()

        return step

    models = twins(lambda: Transformer(512, 4).to(device))
    return variant(models[0], batches, True), variant(models[1], pinned, False), models
