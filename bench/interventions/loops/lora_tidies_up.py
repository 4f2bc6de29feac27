"""LoRA: a frozen bfloat16 model with small adapters, and a trainer that is careful with memory."""

import torch
import torch.nn.functional as F
from parts import Transformer, next_token_loss, twins
from torch import nn

ID = "lora-tidies-up"
QUESTION = (
    "The trainer calls empty_cache() after each micro-batch, so that memory never runs out. Does that cost time? "
    "(Yes: the next micro-batch asks the driver for the same memory.)"
)
CHANGE = "No empty_cache()."
CAUSE = "allocation"
FIRST = "allocation"
STACK = False
PROFILED_STEPS = 2
ROUND_S = 0.3  # the first step of a round without empty_cache() still has to allocate
MICRO_BATCHES, ROWS, LENGTH, WIDTH, LAYERS, VOCABULARY, RANK, SCALE = 2, 8, 512, 1024, 5, 16_384, 16, 2.0


class LoRA(nn.Module):
    """A frozen linear layer, and a product of two thin matrices that is trained."""

    def __init__(self, base):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(RANK, base.in_features) / base.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, RANK))

    def forward(self, x):
        low = F.linear(F.linear(x, self.down.to(x.dtype)), self.up.to(x.dtype))
        return self.base(x) + SCALE * low


def adapted(device):
    model = Transformer(WIDTH, LAYERS, 16, VOCABULARY).to(torch.bfloat16).requires_grad_(False)
    for block in model.blocks:
        block.qkv, block.out = LoRA(block.qkv), LoRA(block.out)
        block.mlp[0], block.mlp[2] = LoRA(block.mlp[0]), LoRA(block.mlp[2])
    return model.to(device)


def build(device):
    torch.manual_seed(1)
    batches = [torch.randint(VOCABULARY, (ROWS, LENGTH + 1), device=device) for _ in range(MICRO_BATCHES)]

    def variant(model, is_emptied):
        adapters = [parameter for parameter in model.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(adapters, lr=2e-4)
        mean = torch.zeros((), device=device)

        def step():
            for batch in batches:
                loss = next_token_loss(model, batch) / MICRO_BATCHES
                loss.backward()
                mean.lerp_(loss.detach(), 0.01)
                del loss
                if is_emptied:
                    torch.cuda.empty_cache()
            nn.utils.clip_grad_norm_(adapters, 1.0)
            optimizer.step()
            optimizer.zero_grad()

        return step, adapters

    models = twins(lambda: adapted(device))
    (found, ours), (changed, theirs) = variant(models[0], True), variant(models[1], False)
    return found, changed, (ours, theirs)
