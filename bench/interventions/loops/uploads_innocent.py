"""Small images in pinned memory, copied without blocking, on the stream that computes."""

import torch
from parts import ResNet, train, twins

ID = "uploads-innocent"
QUESTION = (
    "Each step's kernels wait for a copy on their stream. Would a stream of its own help? "
    "(No: it is short.)"
)
CHANGE = "The next batch is copied on a stream of its own, into the other of two buffers."
CAUSE = "copies-in-line"
FIRST = None
STACK = False
BATCH = 384


def build(device):
    batches = [torch.randn(BATCH, 3, 32, 32).pin_memory() for _ in range(4)]
    targets = torch.randint(10, (BATCH,), device=device)
    models = twins(lambda: ResNet(64).to(device))
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9) for model in models]
    counts = [0, 0]

    def found():
        images = batches[counts[0] % 4].to(device, non_blocking=True)
        counts[0] += 1
        train(models[0], optimizers[0], images, targets)

    side = torch.cuda.Stream()
    buffers = [batches[0].to(device), torch.empty(BATCH, 3, 32, 32, device=device)]
    copied, used = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
    main = torch.cuda.current_stream()
    for event in (*copied, *used):
        event.record(main)

    def changed():
        now, after = counts[1] % 2, 1 - counts[1] % 2
        counts[1] += 1
        with torch.cuda.stream(side):
            side.wait_event(used[after])
            buffers[after].copy_(batches[counts[1] % 4], non_blocking=True)
            copied[after].record(side)
        main.wait_event(copied[now])
        train(models[1], optimizers[1], buffers[now], targets)
        used[now].record(main)

    return found, changed, models
