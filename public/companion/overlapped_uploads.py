"""The PyTorch twin of the experiment overlapped-uploads: 64 MiB to the device and one product a step, in three ways.

  pageable    .to("cuda") from ordinary memory: the host copies through a staging buffer of the driver, and waits
  pinned      from pinned memory, non_blocking, on the one stream: the host is free, but copy and product still take turns
  overlapped  a second stream for the copies, two batches, events in both directions: they run beside each other

python3 overlapped_uploads.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 4096
STEPS = 10
DEPTH = 2

device = torch.device("cuda")
torch.manual_seed(1)
weights = torch.randn(N, N, device=device)
total = torch.zeros(N, N, device=device)
sources = [torch.randn(N, N) for _ in range(DEPTH)]
pinned = [source.pin_memory() for source in sources]
batches = [torch.empty(N, N, device=device) for _ in range(DEPTH)]

compute = torch.cuda.current_stream()
copy = torch.cuda.Stream()  # its copies need not wait for kernels
copied = [torch.cuda.Event() for _ in range(DEPTH)]
used = [torch.cuda.Event() for _ in range(DEPTH)]


def pageable(index: int) -> None:
    batch = sources[index % DEPTH].to(device)
    total.addmm_(weights, batch)


def one_stream(index: int) -> None:
    slot = index % DEPTH
    batches[slot].copy_(pinned[slot], non_blocking=True)
    total.addmm_(weights, batches[slot])


def overlapped(index: int) -> None:
    slot = index % DEPTH
    with torch.cuda.stream(copy):
        copy.wait_event(used[slot])  # the device waits until this batch has been used
        batches[slot].copy_(pinned[slot], non_blocking=True)
        copied[slot].record()
    compute.wait_event(copied[slot])
    total.addmm_(weights, batches[slot])
    used[slot].record()


row = weights[:1].double().cpu()
uses = [sum(index % DEPTH == slot for index in range(WARM_UP_STEPS + STEPS)) for slot in range(DEPTH)]
expected = sum(count * (row @ source.double()) for count, source in zip(uses, sources))

for name, step in (("pageable", pageable), ("pinned", one_stream), ("overlapped", overlapped)):
    total.zero_()
    torch.cuda.synchronize()
    record(f"torch-overlapped-uploads-{name}", STEPS, step)
    check(f"overlapped_uploads, {name}", total[:1], expected)
