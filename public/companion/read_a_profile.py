"""One training loop that keeps a GPU busy, and the same loop with one of four faults: what the lesson read-a-profile shows.

  none           the next batch is copied while the kernels of this one run, and the host waits for nothing
  read           the host reads how large each gradient is, in every step
  pageable       batches come from ordinary memory, which the driver copies piece by piece while the host waits
  no-overlap     batches are pinned, but copied on the stream of the kernels: copies and kernels take turns
  small-kernels  images are brightened one by one: each kernel is over before the host has launched the next

A line at fault ends with a comment that names its fault. Every fault has its own function, because a profile with Python stacks
names functions and the lines where they begin.

python3 read_a_profile.py --fault read --out traces/    # stacks.py must lie beside it; --device cpu shows only that it runs
"""

import argparse
import random
from itertools import cycle
from pathlib import Path

import torch
from stacks import record
from torch import Tensor, nn

FAULTS = ("none", "read", "pageable", "no-overlap", "small-kernels")
STEPS = 4

parser = argparse.ArgumentParser()
parser.add_argument("--fault", choices=FAULTS, required=True)
parser.add_argument("--out", type=Path, default=Path("."))
parser.add_argument("--device", type=torch.device, default=torch.device("cuda"))
options = parser.parse_args()
device: torch.device = options.device
cuda = torch.get_device_module(device)  # torch.cuda; of a CPU, what answers to the same calls

SIZE, CLASSES, LAYERS = 128, 1000, 6
BATCH, WIDTH = (512, 1024) if device.type == "cuda" else (16, 64)  # 512 images are 100 MB

random.seed(1)
torch.manual_seed(1)
batches = [[torch.randn(BATCH, 3, SIZE, SIZE), torch.randint(CLASSES, (BATCH,))] for _ in range(4)]
if device.type == "cuda" and options.fault != "pageable":
    batches = [[part.pin_memory() for part in batch] for batch in batches]

hidden = [layer for _ in range(LAYERS) for layer in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
model = nn.Sequential(
    nn.Flatten(), nn.Linear(3 * SIZE * SIZE, WIDTH), nn.ReLU(), *hidden, nn.Linear(WIDTH, CLASSES)
).to(device)
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
criterion = nn.CrossEntropyLoss()


class Prefetch:
    """Two places on the device: kernels read the batch in one while the next is copied into the other, on another stream."""

    def __init__(self) -> None:
        self.stream = cuda.Stream()
        self.places = cycle([[torch.empty_like(part, device=device) for part in batches[0]] for _ in range(2)])
        self.batches = cycle(batches)
        self.following = self.copy_next()

    def copy_next(self) -> list[Tensor]:
        place = next(self.places)
        self.stream.wait_stream(cuda.current_stream())  # the device waits for the step that has read what was here
        with cuda.stream(self.stream):
            for target, part in zip(place, next(self.batches)):
                target.copy_(part, non_blocking=True)
        return place

    def __call__(self) -> list[Tensor]:
        cuda.current_stream().wait_stream(self.stream)  # the device waits for the copy of this batch
        batch, self.following = self.following, self.copy_next()
        return batch


in_turn = cycle(batches)


def load_pageable() -> list[Tensor]:
    return [part.to(device) for part in next(in_turn)]  # fault: pageable


def load_on_one_stream() -> list[Tensor]:
    return [part.to(device, non_blocking=True) for part in next(in_turn)]  # fault: no-overlap


def brighten_all(images: Tensor) -> Tensor:
    return images * torch.empty(len(images), 1, 1, 1, device=device).uniform_(0.8, 1.2)


def brighten_one_by_one(images: Tensor) -> Tensor:
    return torch.stack([image * random.uniform(0.8, 1.2) for image in images])  # fault: small-kernels


def read_ratios() -> list[float]:
    """How large the gradient of each parameter is beside the parameter."""
    return [(parameter.grad.norm() / parameter.norm()).item() for parameter in model.parameters()]  # fault: read


load = {"pageable": load_pageable, "no-overlap": load_on_one_stream}.get(options.fault) or Prefetch()
brighten = brighten_one_by_one if options.fault == "small-kernels" else brighten_all


def train_step() -> Tensor:
    images, labels = load()
    loss = criterion(model(brighten(images)), labels)
    loss.backward()
    if options.fault == "read":
        read_ratios()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


record(options.out / f"torch-read-a-profile-{options.fault}.json.gz", device, STEPS, train_step)

print(f"loss {train_step().item():.4f}")  # of all but small-kernels the same: they draw the same numbers
for images in [load()[0].cpu() for _ in batches]:
    assert any(torch.equal(images, batch[0]) for batch in batches), "a batch arrived changed"
