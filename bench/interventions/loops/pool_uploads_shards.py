"""A pool of four threads uploads eight shards of the next batch with non_blocking=True, while the loop trains on this one."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import torch
from parts import mlp, train, twins

ID = "pool-uploads-shards"
QUESTION = (
    "Shards lie in pageable memory, so that non_blocking copies hold the threads of the pool. Is it to blame? "
    "(No: only these threads wait, and the GPU computes for longer than they take.)"
)
CHANGE = "The shards lie in pinned memory."
CAUSE = "pageable-copies"
FIRST = None
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 6
SHARDS, THREADS, ROWS, WIDTH, LAYERS, BATCHES = 8, 4, 2048, 4096, 4, 3


class Uploads:
    """Two batches on the device: one is trained on, and the other one is filled."""

    def __init__(self, batches, device):
        self.batches, self.number = batches, 0
        self.places = [torch.empty(ROWS, WIDTH, device=device).chunk(SHARDS) for _ in range(2)]
        self.whole = [place[0]._base for place in self.places]
        self.local, self.is_free = threading.local(), [None, None]
        self.pool = ThreadPoolExecutor(THREADS, initializer=self.begin)
        self.under_way = self.start()

    def begin(self):
        self.local.stream = torch.cuda.Stream()

    def upload(self, place, shard, is_free):
        if is_free:
            self.local.stream.wait_event(is_free)
        with torch.cuda.stream(self.local.stream):
            place.copy_(shard, non_blocking=True)
        return self.local.stream.record_event()

    def start(self):
        to, shards = self.number % 2, self.batches[self.number % BATCHES]
        return [self.pool.submit(self.upload, *each, self.is_free[to]) for each in zip(self.places[to], shards)]

    def next(self):
        """The next batch. The pool starts to upload the one after it."""
        wait(self.under_way)
        for future in self.under_way:
            torch.cuda.current_stream().wait_event(future.result())
        batch = self.whole[self.number % 2]
        self.number += 1
        self.under_way = self.start()
        return batch

    def free(self):
        self.is_free[(self.number - 1) % 2] = torch.cuda.current_stream().record_event()


def build(device):
    torch.manual_seed(1)
    pageable = [[torch.randn(ROWS // SHARDS, WIDTH) for _ in range(SHARDS)] for _ in range(BATCHES)]
    pinned = [[shard.pin_memory() for shard in batch] for batch in pageable]
    targets = torch.randint(1000, (ROWS,), device=device)

    def learner():
        model = mlp(WIDTH, LAYERS, 1000).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()

    def variant(learner, uploads):
        def step():
            train(*learner, uploads.next(), targets)
            uploads.free()

        return step

    return variant(ours, Uploads(pageable, device)), variant(theirs, Uploads(pinned, device)), (ours[0], theirs[0])
