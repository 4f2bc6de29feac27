"""A trainer that accumulates gradients and reads its losses. Each micro-batch is the first one again."""

from loops import filters_nan_losses as pair

ID = "collates-once"
QUESTION = (
    "filters-nan-losses reads the loss of each micro-batch. Is the collator, which is Python, more to blame? "
    "(Yes: the GPU is idle while it looks up words.)"
)
CHANGE = "Collated once, the first micro-batch comes again and again."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False
PROFILED_STEPS = 2


def build(device):
    found, _, _ = pair.build(device)

    class Once(pair.Collator):
        def __init__(self):
            super().__init__()
            self.batch = super().next()

        def next(self):
            return self.batch

    whole, pair.Collator = pair.Collator, Once
    changed, _, _ = pair.build(device)
    pair.Collator = whole
    return found, changed
