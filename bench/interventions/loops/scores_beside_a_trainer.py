"""A thread trains, and the main one scores transcripts by edit distance in Python meanwhile. Recorded with Python stacks."""

import queue
import random
import threading

import torch
from parts import mlp, train, twins

ID = "scores-beside-a-trainer"
QUESTION = (
    "A thread trains while the main one scores transcripts. The scores use no GPU: do they slow the training? "
    "(Yes: edit_distance() holds the interpreter's lock, so that the thread launches late.)"
)
CHANGE = "One step in a hundred is scored."
CAUSE = "host-code:edit_distance"
FIRST = "host-code:edit_distance"
STACK = True
ROUND_S = 0.3
ROWS, WIDTH, LAYERS, PAIRS, WORDS = 256, 1024, 6, 12, 80


def edit_distance(said, heard):
    row = list(range(len(heard) + 1))
    for at, word in enumerate(said, 1):
        corner, row[0] = row[0], at
        for to, other in enumerate(heard, 1):
            above, left = row[to], row[to - 1]
            least = above if above < left else left
            if word == other:
                row[to] = corner
            else:
                row[to] = 1 + (corner if corner < least else least)
            corner = above
    return row[-1]


def trainer(learner, inputs, targets, asked, done):
    while True:
        asked.get()
        done.put(train(*learner, inputs, targets))


def build(device):
    inputs = torch.randn(ROWS, WIDTH, device=device)
    targets = torch.randint(10, (ROWS,), device=device)
    dice = random.Random(1)
    transcripts = [[[dice.randrange(50) for _ in range(WORDS)] for _ in range(2)] for _ in range(PAIRS)]

    def variant(learner, every):
        asked, done = queue.SimpleQueue(), queue.SimpleQueue()
        threading.Thread(target=trainer, args=(learner, inputs, targets, asked, done), daemon=True).start()
        number = errors = 0

        def step():
            nonlocal number, errors
            number += 1
            asked.put(number)
            if number % every == 0:
                errors += sum(edit_distance(said, heard) for said, heard in transcripts)
            return done.get()

        return step

    def learner():
        model = mlp(WIDTH, LAYERS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    return variant(ours, 1), variant(theirs, 100), (ours[0], theirs[0])
