"""Data-parallel training on any number of ranks, with the collectives written out: what DistributedDataParallel and FSDP do.

Every rank has a batch of its own; the gradients of all are summed before the optimizer steps.

  --fault late-rank  the last rank's images are larger than the model's input, and its host shrinks them in every step
  --overlap          the gradients of a layer are sent while the backward pass is at the layers before it (the default)
  --no-overlap       they are sent after the backward pass: collectives and kernels take turns
  --sharded          each rank keeps its part of every matrix only: parts are gathered for the forward pass, and the sum of the
                     gradients is scattered (FSDP would also free what it gathered)

A line at fault ends with a comment that names its fault. NCCL where every rank has a GPU of its own, else Gloo. Each rank writes
its own profile.

torchrun --nproc-per-node 2 ranks.py --fault late-rank --out traces/    # stacks.py must lie beside it
"""

import argparse
import os
from itertools import cycle
from pathlib import Path

import torch
import torch.distributed as dist
from stacks import record
from torch import Tensor, nn

STEPS = 5

parser = argparse.ArgumentParser()
parser.add_argument("--fault", choices=("none", "late-rank"), default="none")
parser.add_argument("--overlap", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--sharded", action="store_true")
parser.add_argument("--out", type=Path, default=Path("."))
parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
options = parser.parse_args()
on_cuda = options.device == "cuda"

SIZE, CLASSES, BATCH = 32, 1000, 512
WIDTH, LAYERS = (4096, 4) if on_cuda else (64, 2)

store, rank, world = next(dist.rendezvous("env://"))
backend = "nccl" if on_cuda and torch.cuda.device_count() >= world else "gloo"
device = torch.device("cpu")
if on_cuda:
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
    torch.cuda.set_device(device)
dist.init_process_group(backend, store=store, rank=rank, world_size=world)

torch.manual_seed(1)  # the same weights on every rank
hidden = [layer for _ in range(LAYERS) for layer in (nn.Linear(WIDTH, WIDTH, bias=False), nn.ReLU())]
model = nn.Sequential(
    nn.Flatten(),
    nn.Linear(3 * SIZE * SIZE, WIDTH, bias=False),
    nn.ReLU(),
    *hidden,
    nn.Linear(WIDTH, CLASSES, bias=False),
).to(device)
matrices = list(model.parameters())  # one a layer: what a collective sends at once
parts = matrices
if options.sharded:
    assert all(len(matrix) % world == 0 for matrix in matrices), f"rows cannot be shared out evenly among {world} ranks"
    parts = [nn.Parameter(matrix.detach().chunk(world)[rank].clone()) for matrix in matrices]
part_of = dict(zip(matrices, parts))
optimizer = torch.optim.AdamW(parts, fused=True)
criterion = nn.CrossEntropyLoss()


def pinned(tensor: Tensor) -> Tensor:
    return tensor.pin_memory() if on_cuda else tensor


torch.manual_seed(2 + rank)  # other images on every rank
is_late = options.fault == "late-rank" and rank == world - 1
stored = 2 * SIZE if is_late else SIZE
batches = cycle(
    [(pinned(torch.randn(BATCH, 3, stored, stored)), pinned(torch.randint(CLASSES, (BATCH,)))) for _ in range(4)]
)


def shrink(images: Tensor) -> Tensor:
    return nn.functional.avg_pool2d(images, images.shape[-1] // SIZE)  # fault: late-rank


def load() -> tuple[Tensor, Tensor]:
    images, labels = next(batches)
    if images.shape[-1] > SIZE:
        images = pinned(shrink(images))
    return images.to(device, non_blocking=True), labels.to(device, non_blocking=True)


gathers: dict[Tensor, dist.Work] = {}
sums: list[dist.Work] = []


def gather(matrix: Tensor) -> None:
    """Starts it. The layer waits."""
    gathers[matrix] = dist.all_gather_into_tensor(matrix.data, part_of[matrix].data, async_op=True)
    if not options.overlap:
        gathers[matrix].wait()


def sum_gradients(matrix: Tensor) -> None:
    """Starts it. The optimizer waits."""
    if options.sharded:
        part = part_of[matrix]
        part.grad = torch.empty_like(part)
        sums.append(dist.reduce_scatter_tensor(part.grad, matrix.grad, async_op=True))
    else:
        sums.append(dist.all_reduce(matrix.grad, async_op=True))


def wait_for_weights(layer: nn.Module, _: object) -> None:
    gathers.pop(layer.weight).wait()


if options.sharded:
    for layer in model:
        if isinstance(layer, nn.Linear):
            layer.register_forward_pre_hook(wait_for_weights)
if options.overlap:
    for matrix in matrices:
        matrix.register_post_accumulate_grad_hook(sum_gradients)


def train_step() -> Tensor:
    images, labels = load()
    if options.sharded:
        for matrix in matrices:
            gather(matrix)
    loss = criterion(model(images), labels)
    (loss / world).backward()  # the sum of all ranks' gradients is their mean then
    if not options.overlap:
        for matrix in matrices:
            sum_gradients(matrix)
    for work in sums:
        work.wait()  # with NCCL the stream waits and the host goes on
    sums.clear()
    optimizer.step()
    model.zero_grad()
    return loss.detach()


def meet() -> None:
    """All ranks go on together, and no collective is recorded for it."""
    if store.add("arrived", 1) == world:
        store.set("all arrived", "")
    store.wait(["all arrived"])


words = ["torch", backend if backend == "nccl" else f"gloo-{options.device}"]
words += ["in-step" if options.fault == "none" else options.fault]
words += ["sharded"] * options.sharded + ["no-overlap"] * (not options.overlap) + [f"rank{rank}.json.gz"]
record(options.out / "-".join(words), device, STEPS, train_step, meet)

print(f"rank {rank}: loss {train_step().item():.4f}")
sums_of_weights = [0.0] * world
dist.all_gather_object(sums_of_weights, sum(matrix.double().sum().item() for matrix in matrices))
assert len(set(sums_of_weights)) == 1, f"the ranks' weights differ: {sums_of_weights}"
dist.destroy_process_group()
