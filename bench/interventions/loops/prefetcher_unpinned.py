"""The prefetcher of the well-known ImageNet scripts, over batches that nobody pinned."""

import torch
from parts import ResNet, train, twins

ID = "prefetcher-unpinned"
QUESTION = (
    "Each step, the host is held in cudaMemcpyAsync of 12 MB from pageable memory. Is the copy to blame? "
    "(No: it runs beside the kernels, and the host has time.)"
)
CHANGE = "The batches lie in pinned memory."
CAUSE = "pageable-copies"
FIRST = None
STACK = False
ROWS, EDGE, WIDTH = 256, 64, 64


class Prefetcher:
    def __init__(self, batches, device):
        self.batches, self.device, self.number = batches, device, 0
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([0.485, 0.456, 0.406], device=device).view(1, 3, 1, 1)
        self.deviation = torch.tensor([0.229, 0.224, 0.225], device=device).view(1, 3, 1, 1)
        torch.cuda.synchronize()
        self.preload()

    def preload(self):
        images, targets = self.batches[self.number % len(self.batches)]
        self.number += 1
        with torch.cuda.stream(self.stream):
            images = images.to(self.device, non_blocking=True)
            self.targets = targets.to(self.device, non_blocking=True)
            self.images = images.sub_(self.mean).div_(self.deviation)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        images, targets = self.images, self.targets
        images.record_stream(torch.cuda.current_stream())
        targets.record_stream(torch.cuda.current_stream())
        self.preload()
        return images, targets


def build(device):
    torch.manual_seed(1)
    batches = [(torch.rand(ROWS, 3, EDGE, EDGE), torch.randint(10, (ROWS,))) for _ in range(4)]
    pinned = [tuple(part.pin_memory() for part in batch) for batch in batches]

    def learner():
        model = ResNet(WIDTH).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    for_us, for_them = Prefetcher(batches, device), Prefetcher(pinned, device)

    def found():
        train(*ours, *for_us.next())

    def changed():
        train(*theirs, *for_them.next())

    return found, changed, (ours[0], theirs[0])
