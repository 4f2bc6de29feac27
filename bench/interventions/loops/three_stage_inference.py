"""A service of three threads: one inflates images, one runs the network, one sorts the answers. Two requests are under way."""

import queue
import threading
import zlib

import numpy as np
import torch
from parts import ResNet

ID = "three-stage-inference"
QUESTION = (
    "Three threads work on three requests at once, and yet the GPU idles most of the time. Which stage holds the others? "
    "(The first: it inflates and unfilters images on the host.)"
)
CHANGE = "The first thread keeps the pixels of images that it has decoded before."
CAUSE = "unknown"
FIRST = "unknown"
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 6
IMAGES, EDGE, CLASSES, REQUESTS, BEST = 24, 128, 100, 6, 5


def encoded(pixels):
    """Like a PNG: each row keeps differences of neighbours, and all is deflated."""
    before = np.zeros_like(pixels)
    before[:, 1:] = pixels[:, :-1]
    return zlib.compress((pixels - before).tobytes(), 3)


def decoded(image):
    differences = np.frombuffer(zlib.decompress(image), np.uint8).reshape(EDGE, EDGE, 3)
    return np.cumsum(differences, axis=1, dtype=np.uint8)


class Service:
    def __init__(self, network, device, does_keep):
        self.network, self.device = network, device
        self.kept = {} if does_keep else None
        self.requests, self.images, self.scores, self.answers = (queue.Queue() for _ in range(4))
        for stage in (self.decode, self.compute, self.sort):
            threading.Thread(target=stage, daemon=True).start()

    def pixels(self, image):
        if self.kept is None:
            return decoded(image)
        if image not in self.kept:
            self.kept[image] = decoded(image)
        return self.kept[image]

    def decode(self):
        stream = torch.cuda.Stream()
        while True:
            pixels = np.stack([self.pixels(image) for image in self.requests.get()])
            with torch.cuda.stream(stream):
                images = torch.from_numpy(pixels).pin_memory().to(self.device, non_blocking=True)
            self.images.put((images, stream.record_event()))

    @torch.inference_mode()
    def compute(self):
        stream = torch.cuda.Stream()
        while True:
            images, copied = self.images.get()
            stream.wait_event(copied)
            images.record_stream(stream)
            with torch.cuda.stream(stream):
                planes = images.permute(0, 3, 1, 2).to(torch.bfloat16) / 255 - 0.5
                scores = self.network(planes).float()
            self.scores.put((scores, stream.record_event()))

    @torch.inference_mode()
    def sort(self):
        stream = torch.cuda.Stream()
        while True:
            scores, computed = self.scores.get()
            stream.wait_event(computed)
            scores.record_stream(stream)
            with torch.cuda.stream(stream):
                best = scores.softmax(1).topk(BEST)
                chances, classes = best.values.tolist(), best.indices.tolist()
            self.answers.put([dict(zip(*each)) for each in zip(classes, chances)])


def build(device):
    torch.manual_seed(1)
    network = ResNet(32, classes=CLASSES).to(device, torch.bfloat16).eval()
    random = np.random.default_rng(1)
    steps = random.integers(0, 9, (REQUESTS, IMAGES, EDGE, EDGE, 3), dtype=np.uint8)
    requests = [[encoded(pixels) for pixels in each] for each in np.cumsum(steps, axis=3, dtype=np.uint8)]
    torch.cuda.synchronize()

    def variant(does_keep):
        service = Service(network, device, does_keep)
        chances = torch.zeros(IMAGES, BEST)
        number = 0
        service.requests.put(requests[0])

        def step():
            nonlocal number
            number += 1
            service.requests.put(requests[number % REQUESTS])
            chances.copy_(torch.tensor([list(answer.values()) for answer in service.answers.get()]))

        return step, [chances]

    (found, ours), (changed, theirs) = variant(False), variant(True)
    return found, changed, (ours, theirs)
