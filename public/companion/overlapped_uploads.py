"""The PyTorch twin of the experiment overlapped-uploads: 64 MiB to the device and products on it, step after step.

The experiment's own variants. The host fills a pinned buffer, then one stream copies it and multiplies PRODUCTS times, for longer than
filling and copying take. Filling runs beside the device's work, the copy does not: one stream, as one queue.

  serial        one buffer; the host waits for each step
  ring-1..3     so many buffers; the host waits for the step that last used the buffer, its copy and its products

What CUDA has and WebGPU has not, with one product a step and nothing filled:

  pageable      .to("cuda") from ordinary memory: the host copies through a staging buffer of the driver, and waits
  pinned        from pinned memory, non_blocking, on the one stream: the host is free, copy and product take turns
  pinned-waits  as pinned, and a number of the result is read after each step
  overlapped    a second stream for the copies, two batches, events in both directions: they run beside each other

The parts of the experiment's step, each by itself:

  compute-alone  the products, on batches that are there
  upload-alone   filling and copying, awaited

python3 overlapped_uploads.py [folder for the traces]
"""

from collections.abc import Callable

import torch
from profiling import WARM_UP_STEPS, check, record

N = 4096
STEPS = 10
BATCHES = 2
PRODUCTS = 7  # 19 ms on an H200: about 1.5 times as long as filling and copying

device = torch.device("cuda")
torch.manual_seed(1)
torch.set_num_threads(1)  # one thread fills, as in a page
weights = torch.randn(N, N, device=device)
total = torch.zeros(N, N, device=device)
sources = [torch.randn(N, N) for _ in range(BATCHES)]
batches = [torch.empty(N, N, device=device) for _ in range(BATCHES)]


def twin(depth: int, wait_each: bool) -> Callable[[int], None]:
    staging = [torch.empty(N, N, pin_memory=True) for _ in range(depth)]
    used = [torch.cuda.Event() for _ in range(depth)]

    def step(index: int) -> None:
        slot, batch = index % depth, batches[index % BATCHES]
        used[slot].synchronize()  # the host waits until the step that used this buffer is done
        staging[slot].copy_(sources[index % BATCHES])  # the host fills it
        batch.copy_(staging[slot], non_blocking=True)
        for _ in range(PRODUCTS):
            total.addmm_(weights, batch)
        used[slot].record()  # after the products, not after the copy
        if wait_each:
            used[slot].synchronize()

    return step


pinned = [source.pin_memory() for source in sources]
compute = torch.cuda.current_stream()
copy = torch.cuda.Stream()  # its copies need not wait for kernels
copied = [torch.cuda.Event() for _ in range(BATCHES)]
used = [torch.cuda.Event() for _ in range(BATCHES)]


def pageable(index: int) -> None:
    batch = sources[index % BATCHES].to(device)
    total.addmm_(weights, batch)


def one_stream(index: int) -> None:
    slot = index % BATCHES
    batches[slot].copy_(pinned[slot], non_blocking=True)
    total.addmm_(weights, batches[slot])


def waits(index: int) -> None:
    one_stream(index)
    total[0, 0].item()


def overlapped(index: int) -> None:
    slot = index % BATCHES
    with torch.cuda.stream(copy):
        copy.wait_event(used[slot])  # the device waits until this batch has been used
        batches[slot].copy_(pinned[slot], non_blocking=True)
        copied[slot].record()
    compute.wait_event(copied[slot])
    total.addmm_(weights, batches[slot])
    used[slot].record()


row = weights[:1].double().cpu()
uses = [sum(index % BATCHES == slot for index in range(WARM_UP_STEPS + STEPS)) for slot in range(BATCHES)]
expected = sum(count * (row @ source.double()) for count, source in zip(uses, sources))

twins = {"serial": twin(1, True)} | {f"ring-{depth}": twin(depth, False) for depth in (1, 2, 3)}
only_cuda = {"pageable": pageable, "pinned": one_stream, "pinned-waits": waits, "overlapped": overlapped}


def compute_alone(index: int) -> None:
    for _ in range(PRODUCTS):
        total.addmm_(weights, batches[index % BATCHES])


def upload_alone(index: int) -> None:
    batches[index % BATCHES].copy_(pinned[0].copy_(sources[index % BATCHES]), non_blocking=True)
    torch.cuda.synchronize()


parts = {"compute-alone": compute_alone, "upload-alone": upload_alone}
for name, step in (twins | only_cuda | parts).items():
    total.zero_()
    torch.cuda.synchronize()
    record(f"torch-overlapped-uploads-{name}", STEPS, step)
    if name == "upload-alone":
        assert all(torch.equal(batch.cpu(), source) for batch, source in zip(batches, sources)), name
        continue
    times = 1 if name in only_cuda else PRODUCTS
    check(f"overlapped_uploads, {name}", total[:1], times * expected)
