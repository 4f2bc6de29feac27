"""A script."""

STEPS = 16


def stalled(step: int) -> None:
    c.addmm_(a, b)  # launches
    c[0, 0].item()  # waits
    log()


def mended(step: int) -> None:
    c.addmm_(a, b)

    log()


def twice(step: int) -> None:
    with stream:
        c.addmm_(a, b)
    log()


for name, step in (("stalled", stalled), ("mended", mended)):
    record(name, STEPS, step)
more = {"on-stream": twice, "made": ring(1)}
