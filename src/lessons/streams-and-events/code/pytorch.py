import time

import torch

n, count = 4096, 8
a, b = (torch.randn(n, n, device="cuda") for _ in range(2))
results = [torch.empty(n, n, device="cuda") for _ in range(count)]
rows = [torch.empty(32, pin_memory=True) for _ in range(count)]
done = [torch.cuda.Event() for _ in range(count)]
main = torch.cuda.current_stream()
other = torch.cuda.Stream(priority=-1)


def submit(streams) -> None:
    for step, (result, row, event) in enumerate(zip(results, rows, done)):
        with torch.cuda.stream(streams[step % len(streams)]):
            torch.mm(a, b, out=result)  # returns before it has run
            row.copy_(result[0, :32], non_blocking=True)  # queued before the next product
            event.record()  # behind the copy


def timed(name: str, streams, read_first) -> None:
    for measured in (False, True):  # the first round is the warm-up
        torch.cuda.synchronize()
        start = time.perf_counter()
        submit(streams)
        read_first()
        first = time.perf_counter() - start
        torch.cuda.synchronize()
        every = time.perf_counter() - start
        if measured:
            print(f"{name:>12}: the first after {first * 1e3:6.2f} ms, all after {every * 1e3:6.2f} ms")


def wait_one() -> None:
    done[0].synchronize()  # the copy behind the first product; the others go on
    rows[0].sum()


def wait_all() -> None:
    torch.cuda.synchronize()
    rows[0].sum()


def item() -> None:
    done[0].synchronize()  # the first result exists
    results[0][0, 0].item()  # but a copy that is asked for now is queued behind all products


timed("wait-all", [main], wait_all)
timed("wait-one", [main], wait_one)
timed("item()", [main], item)
timed("two streams", [main, other], wait_one)

# Two streams race where nothing orders them.
spare, x, y = (torch.zeros(n, n, device="cuda") for _ in range(3))


def wrong_numbers(ordered: bool) -> int:
    x.zero_()
    torch.cuda.synchronize()
    for _ in range(16):
        torch.mm(a, b, out=spare)  # work ahead of x, so that x is late
    torch.mm(a, b, out=x)
    if ordered:
        other.wait_stream(main)  # an event behind x: other waits for it, the host does not
    with torch.cuda.stream(other):
        y.copy_(x)
    torch.cuda.synchronize()
    return int((y != x).sum())


print(f"forgotten: {wrong_numbers(False)} of {x.numel()} numbers are wrong; ordered: {wrong_numbers(True)}")

# Memory is given away in the order of the stream that it was made on.
other.wait_stream(main)
with torch.cuda.stream(other):
    z = x @ b
main.wait_stream(other)
total = z.sum()  # on main
z.record_stream(main)  # forget it, and z's memory may be overwritten while main still reads it
del z
print(f"the sum: {total.item():.0f}")
