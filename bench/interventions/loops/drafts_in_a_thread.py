"""Speculative decoding of two groups of sequences: a thread drafts for one, while the loop verifies the other."""

import queue
import threading

import torch
from parts import Transformer, as_graph

ID = "drafts-in-a-thread"
QUESTION = (
    "A thread drafts five tokens ahead, and the loop verifies them and reads how many agree. What sets the pace? "
    "(Launches: both models are short on the GPU, and the two threads launch in turn.)"
)
CHANGE = "Drafting and verifying are CUDA graphs, replayed by the same threads. The loop reads as before."
CAUSE = "dispatch"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, LENGTH, DRAFTED, TOKENS = 4, 64, 5, 1024


class Group:
    """Sequences that are decoded together, and what drafting and verifying write."""

    def __init__(self, context):
        self.context = context.clone()
        self.drafted = torch.zeros_like(context[:, :DRAFTED])
        self.chosen = torch.zeros_like(context[:, : DRAFTED + 1])
        self.agreed = torch.zeros_like(context[0, 0])

    def accept(self):
        """Moves on by the drafted tokens that all rows agree with, and by one of the large model's own."""
        agreed = int(self.agreed.item())
        accepted = torch.cat([self.drafted[:, :agreed], self.chosen[:, agreed : agreed + 1]], 1)
        self.context.copy_(torch.cat([self.context[:, agreed + 1 :], accepted], 1))


@torch.no_grad()
def draft(model, group):
    window = group.context
    for at in range(DRAFTED):
        token = model(window)[:, -1:].argmax(2)
        group.drafted[:, at : at + 1] = token
        window = torch.cat([window[:, 1:], token], 1)


@torch.no_grad()
def verify(model, group):
    logits = model(torch.cat([group.context, group.drafted], 1))
    group.chosen.copy_(logits[:, LENGTH - 1 :].argmax(2))
    is_same = group.chosen[:, :DRAFTED] == group.drafted
    group.agreed.copy_(is_same.long().cumprod(1).sum(1).min())


class Drafter(threading.Thread):
    def __init__(self, drafts):
        super().__init__(daemon=True)
        self.drafts, self.stream = drafts, torch.cuda.Stream()
        self.asked, self.drafted = queue.SimpleQueue(), queue.SimpleQueue()
        self.start()

    def run(self):
        while True:
            at, is_known = self.asked.get()
            self.stream.wait_event(is_known)
            with torch.cuda.stream(self.stream):
                self.drafts[at]()
            self.drafted.put(self.stream.record_event())


def build(device):
    torch.manual_seed(1)
    small = Transformer(256, 2, 4, TOKENS, LENGTH).to(device, torch.bfloat16).eval()
    large = Transformer(1024, 6, 16, TOKENS, LENGTH + DRAFTED).to(device, torch.bfloat16).eval()
    contexts = torch.randint(TOKENS, (2, ROWS, LENGTH), device=device)
    groups = [[Group(context) for context in contexts] for _ in range(2)]
    drafts = [[lambda group=group: draft(small, group) for group in each] for each in groups]
    checks = [[lambda group=group: verify(large, group) for group in each] for each in groups]
    # No other thread may allocate while a graph is captured, so the threads start later.
    drafts[1] = [as_graph(each, small) for each in drafts[1]]
    checks[1] = [as_graph(each, large) for each in checks[1]]
    torch.cuda.synchronize()

    def variant(groups, drafts, checks):
        drafter = Drafter(drafts)
        for at in range(2):
            drafter.asked.put((at, torch.cuda.current_stream().record_event()))

        def step():
            for at, (group, check) in enumerate(zip(groups, checks)):
                torch.cuda.current_stream().wait_event(drafter.drafted.get())
                check()
                group.accept()
                drafter.asked.put((at, torch.cuda.current_stream().record_event()))

        return step

    found, changed = (variant(*each) for each in zip(groups, drafts, checks))
    return found, changed
