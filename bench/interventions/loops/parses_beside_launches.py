"""A thread parses lines of JSON for the next batch, while the loop launches the small kernels of this one."""

import json
import queue
import threading

import numpy as np
import torch
from parts import mlp, train, twins

ID = "parses-beside-launches"
QUESTION = (
    "Each call of a small network takes long, and its thread does nothing else. Are the launches to blame? "
    "(Not alone: another thread parses JSON and holds the interpreter's lock.)"
)
CHANGE = "The lines were parsed before, into one array. The thread picks rows and copies them as before."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROUND_S = 0.3
PROFILER_WARM_UP = 6
ROWS, COLUMNS, LINES = 256, 40, 4096


class Parsed:
    """Rows of features, out of lines of JSON. At most one batch is ahead of the loop."""

    def __init__(self, lines, is_parsed_before, device):
        self.lines, self.device, self.random = lines, device, np.random.default_rng(1)
        self.table = np.stack([self.row(line) for line in lines]) if is_parsed_before else None
        self.stream = torch.cuda.Stream()
        self.changes, self.batch = threading.Condition(), None
        threading.Thread(target=self.work, daemon=True).start()

    def row(self, line):
        record = json.loads(line)
        values = [feature["value"] * feature["scale"] for feature in record["features"] if feature["kind"] != "unused"]
        return np.array(values, dtype=np.float32)

    def work(self):
        while True:
            picked = self.random.integers(0, LINES, ROWS)
            if self.table is None:
                rows = np.stack([self.row(self.lines[at]) for at in picked])
            else:
                rows = self.table[picked]
            with torch.cuda.stream(self.stream):
                inputs = torch.from_numpy(rows).pin_memory().to(self.device, non_blocking=True)
            copied = self.stream.record_event()
            with self.changes:
                self.changes.wait_for(lambda: self.batch is None)
                self.batch = inputs, copied
                self.changes.notify()

    def next(self):
        with self.changes:
            self.changes.wait_for(lambda: self.batch is not None)
            (inputs, copied), self.batch = self.batch, None
            self.changes.notify()
        torch.cuda.current_stream().wait_event(copied)
        inputs.record_stream(torch.cuda.current_stream())
        return inputs


def build(device):
    random = np.random.default_rng(2)
    lines = []
    for number in range(LINES):
        features = [{"kind": "number", "value": value, "scale": 0.5} for value in random.standard_normal(COLUMNS).round(4)]
        lines.append(json.dumps({"id": number, "features": features}))
    targets = torch.randint(10, (ROWS,), device=device)

    def learner():
        model = mlp(512, 10, 10, COLUMNS).to(device)
        return model, torch.optim.AdamW(model.parameters(), fused=True)

    ours, theirs = twins(learner)
    torch.cuda.synchronize()
    in_time, before = (Parsed(lines, is_before, device) for is_before in (False, True))

    def found():
        train(*ours, in_time.next(), targets)

    def changed():
        train(*theirs, before.next(), targets)

    return found, changed, (ours[0], theirs[0])
