"""A thread crops and normalizes images with NumPy, and copies them on a stream of its own. The loop takes them from a queue."""

import queue
import threading

import numpy as np
import torch
from parts import ResNet, train, twins

ID = "thread-prepares-batches"
QUESTION = (
    "A thread prefetches on its own stream, and still the GPU idles before each step. What does the loop wait for? "
    "(For NumPy: the thread normalizes 256 images, and the loop waits in queue.get().)"
)
CHANGE = "The thread copies the cropped bytes; the device normalizes them, on the thread's stream."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.6
PROFILER_WARM_UP = 10
PROFILED_STEPS = 3
ROWS, STORED, EDGE, WIDTH = 256, 72, 64, 32
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def crops(images, seed):
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(images), ROWS)
    places = random.integers(0, STORED - EDGE, (ROWS, 2))
    return np.stack([images[row, y : y + EDGE, x : x + EDGE] for row, (y, x) in zip(rows, places)])


def on_host(cut, device):
    pixels = cut.astype(np.float32) / 255
    pixels = (pixels - np.float32(MEAN)) / np.float32(DEVIATION)
    planes = np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))
    return torch.from_numpy(planes).pin_memory().to(device, non_blocking=True)


class OnDevice:
    def __init__(self, device):
        self.mean, self.deviation = (torch.tensor(each, device=device) for each in (MEAN, DEVIATION))

    def __call__(self, cut, device):
        pixels = torch.from_numpy(cut).pin_memory().to(device, non_blocking=True)
        return ((pixels.float() / 255 - self.mean) / self.deviation).permute(0, 3, 1, 2).contiguous()


class Prefetcher(threading.Thread):
    def __init__(self, images, labels, device, normalized):
        super().__init__(daemon=True)
        self.images, self.labels, self.device, self.normalized = images, labels, device, normalized
        self.stream = torch.cuda.Stream()
        self.ready = queue.Queue(maxsize=1)
        self.start()

    def run(self):
        number = 0
        while True:
            with torch.cuda.stream(self.stream):
                batch = self.normalized(crops(self.images, number % 64), self.device)
                labels = self.labels.to(self.device, non_blocking=True)
                copied = torch.cuda.Event()
                copied.record()
            self.ready.put((batch, labels, copied))
            number += 1

    def next(self):
        batch, labels, copied = self.ready.get()
        current = torch.cuda.current_stream()
        current.wait_event(copied)
        batch.record_stream(current)
        labels.record_stream(current)
        return batch, labels


def build(device):
    images = np.random.default_rng(1).integers(0, 256, (512, STORED, STORED, 3), dtype=np.uint8)
    labels = torch.randint(10, (ROWS,)).pin_memory()

    def learner():
        model = ResNet(WIDTH).to(device)
        return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    ours, theirs = twins(learner)
    normalized_there = OnDevice(device)
    torch.cuda.synchronize()
    here, there = (Prefetcher(images, labels, device, each) for each in (on_host, normalized_there))

    def found():
        train(*ours, *here.next())

    def changed():
        train(*theirs, *there.next())

    return found, changed, (ours[0], theirs[0])
