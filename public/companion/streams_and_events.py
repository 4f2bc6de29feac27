"""Streams and events in CUDA: what a second stream gains, and what a forgotten event costs. The PyTorch side of streams-and-events.

  first         eight products on one stream; behind each a copy of `words` of its numbers into pinned memory, and then an event:
                firstMs until event.synchronize() on the first returns, allMs until all have ended. What the first wait is for: launchMs until
                all is queued, waitMs in the wait itself, productMs one product on the device, firstEndMs from the first product's begin to
                the end of its copy on the device
  points        for each n, sixteen independent products:
                oneMs on one stream, twoMs in turn on two, eventMs on two where each waits for the one before by an event
  race          a product is made on one stream and read by another kernel:
                on the same stream, on two with an event, on two with the event forgotten; how many of `checked` numbers were wrong
  recordStream  a tensor is freed while another stream has yet to read it, and its memory asked for again at once:
                with record_stream, with its own stream waiting for the other before that, and with neither; how many of `checked`
                numbers were wrong

Milliseconds by the host's clock, the wait at the end included. Medians with intervals. Products are checked against float64. The script
fails where an ordered way has wrong numbers, or where none of its attempts got wrong numbers out of a forgotten order: it is to be seen.

python3 streams_and_events.py [--out torch-streams-and-events.json]
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import check, device_ms, host_ms, interval, keep_busy, rounds, synchronize, write

COUNT = 8
FIRST_N = 4096
# As many as the lab's program reads of each result.
FIRST_WORDS = 32
PRODUCTS = 16
SIZES = (128, 256, 512, 960, 1024, 2048, 4096)  # 960: a product that leaves part of an H200 unused, and outlasts its launch
REPEATS = 5, 21  # at least, at most
SECONDS = 2.0  # for each size
RACE_N = 2048  # 16 MiB: a block of its own in the allocator
ATTEMPTS = 5

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-streams-and-events.json")
arguments = parser.parse_args()
assert torch.cuda.is_available(), "streams are CUDA's: this needs a GPU"
device = torch.device("cuda")
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32
main = torch.cuda.default_stream()
# Of the highest priority: what is ready there need not wait until the other stream leaves the GPU some room.
side = torch.cuda.Stream(priority=-1)


def operands(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.rand(n, n, device=device) * 2 - 1, torch.rand(n, n, device=device) * 2 - 1


def first_of_eight() -> dict[str, object]:
    a, b = operands(FIRST_N)
    results = [torch.empty_like(a) for _ in range(COUNT)]
    begin = torch.cuda.Event(enable_timing=True)
    done = [torch.cuda.Event(enable_timing=True) for _ in range(COUNT)]
    hosts = [torch.zeros(FIRST_WORDS, pin_memory=True) for _ in range(COUNT)]
    firsts: list[float] = []
    parts: dict[str, list[float]] = {"launchMs": [], "waitMs": [], "firstEndMs": []}

    def work() -> None:
        begun = perf_counter()
        begin.record()
        for result, host, event in zip(results, hosts, done):
            torch.mm(a, b, out=result)
            host.copy_(result[0, :FIRST_WORDS], non_blocking=True)
            event.record()
        queued = perf_counter()
        done[0].synchronize()
        waited = perf_counter()
        firsts.append((waited - begun) * 1e3)
        synchronize(device)
        parts["launchMs"].append((queued - begun) * 1e3)
        parts["waitMs"].append((waited - queued) * 1e3)
        parts["firstEndMs"].append(begin.elapsed_time(done[0]))

    product = lambda: device_ms(lambda: torch.mm(a, b, out=results[0]), COUNT, device)  # noqa: E731
    times = rounds({"allMs": lambda: host_ms(work, device), "productMs": product}, *REPEATS, SECONDS)
    for result in (results[0], results[-1]):
        check(f"product of n = {FIRST_N}", result, a, b)
    for result, host in zip(results, hosts):
        if not torch.equal(host, result[0, :FIRST_WORDS].cpu()):
            raise SystemExit("a copy behind its product has other numbers than the product")
    firsts = firsts[1:]  # the first round is not measured
    sizes = {"n": FIRST_N, "count": COUNT, "words": FIRST_WORDS}
    figures = {"firstMs": firsts, **{name: values[1:] for name, values in parts.items()}, **times}
    return sizes | {name: interval(values) for name, values in figures.items()}


def point(n: int) -> dict[str, object]:
    a, b = operands(n)
    results = [torch.empty_like(a) for _ in range(PRODUCTS)]
    done = [torch.cuda.Event() for _ in range(PRODUCTS)]

    def on_one() -> None:
        for result in results:
            torch.mm(a, b, out=result)
        synchronize(device)

    def on_two(with_events: bool) -> Callable[[], None]:
        streams = torch.cuda.Stream(), torch.cuda.Stream()

        def work() -> None:
            for index, result in enumerate(results):
                with torch.cuda.stream(streams[index % 2]):
                    if with_events and index > 0:
                        done[index - 1].wait()
                    torch.mm(a, b, out=result)
                    if with_events:
                        done[index].record()
            synchronize(device)

        return work

    works = {"oneMs": on_one, "twoMs": on_two(False), "eventMs": on_two(True)}
    synchronize(device)  # a and b are made on the default stream: the two others do not wait for it
    times = rounds({way: lambda work=work: host_ms(work, device) for way, work in works.items()}, *REPEATS, SECONDS)
    for result in (results[0], results[-1]):
        check(f"product of n = {n}", result, a, b)
    return {"n": n, "products": PRODUCTS} | {way: interval(values) for way, values in times.items()}


def busy(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor, products: int) -> None:
    """So much work ahead on the current stream: what comes behind it is late."""
    for _ in range(products):
        torch.mm(a, b, out=out)


def race() -> dict[str, object]:
    a, b = operands(RACE_N)
    spare, x, y = torch.empty_like(a), torch.empty_like(a), torch.empty_like(a)
    event = torch.cuda.Event()

    def wrong(consumer: torch.cuda.Stream, ordered: bool, late: int) -> int:
        x.zero_()
        y.zero_()
        synchronize(device)
        busy(a, b, spare, late)
        torch.mm(a, b, out=x)  # the producer, on the default stream
        if ordered:
            event.record()
        with torch.cuda.stream(consumer):
            if ordered:
                event.wait()  # this stream waits; the host does not
            y.copy_(x)  # the consumer
        synchronize(device)
        check(f"product of n = {RACE_N}", x, a, b)
        return int((y != x).sum().item())

    one_stream = sum(wrong(main, False, 64) for _ in range(ATTEMPTS))
    with_event = sum(wrong(side, True, 64) for _ in range(ATTEMPTS))
    forgotten, attempts = 0, 0
    while forgotten == 0 and attempts < ATTEMPTS:
        forgotten = wrong(side, False, 64 << attempts)
        attempts += 1
    assert one_stream == 0, f"one stream: {one_stream} numbers are wrong"
    assert with_event == 0, f"with an event: {with_event} numbers are wrong"
    assert forgotten > 0, f"the event was forgotten {attempts} times and nothing went wrong"
    return {
        "checked": x.numel(),
        "oneStreamWrong": one_stream,
        "eventWrong": with_event,
        "forgottenWrong": forgotten,
        "attempts": attempts,
    }


def record_stream() -> dict[str, object]:
    a, b = operands(RACE_N)
    spare, y = torch.empty_like(a), torch.empty_like(a)
    owner, reader = side, torch.cuda.Stream()
    synchronize(device)
    torch.cuda.empty_cache()  # so that the memory given away is what is asked for next

    def wrong(kept_by: str, late: int) -> tuple[int, bool]:
        """How many numbers were wrong, and whether the next tensor of the owner got the memory of the one that was freed."""
        y.zero_()
        synchronize(device)
        with torch.cuda.stream(owner):
            x = torch.full_like(a, 1.0)
            address = x.data_ptr()
            reader.wait_stream(owner)  # x is made before it is read: that much is ordered
            with torch.cuda.stream(reader):
                busy(a, b, spare, late)
                y.copy_(x)
            if kept_by == "record_stream":
                x.record_stream(reader)
            if kept_by == "wait_stream":
                owner.wait_stream(reader)  # whoever gets the memory next on this stream comes behind the reader
            del x  # its memory goes back to the pool of the stream that it was made on
            other = torch.full_like(a, 2.0)  # which that stream need not wait for anybody to fill
            reused = other.data_ptr() == address
        synchronize(device)
        return int((y != 1.0).sum().item()), reused

    with_wrong, wait_wrong = (
        sum(wrong(way, 64)[0] for _ in range(ATTEMPTS)) for way in ("record_stream", "wait_stream")
    )
    without_wrong, attempts, reused = 0, 0, False
    while without_wrong == 0 and attempts < ATTEMPTS:
        without_wrong, reused = wrong("nothing", 64 << attempts)
        attempts += 1
    assert with_wrong == 0, f"with record_stream: {with_wrong} numbers are wrong"
    assert wait_wrong == 0, f"with wait_stream: {wait_wrong} numbers are wrong"
    assert reused, "without record_stream the allocator gave other memory: is its caching off?"
    assert without_wrong > 0, f"record_stream was forgotten {attempts} times and nothing went wrong"
    return {
        "checked": y.numel(),
        "withWrong": with_wrong,
        "waitWrong": wait_wrong,
        "withoutWrong": without_wrong,
        "attempts": attempts,
    }


keep_busy(device, 0.5)
first = first_of_eight()
print(f"first of {COUNT}: {first['firstMs']['median']:.3f} of {first['allMs']['median']:.3f} ms")
points = []
for n in SIZES:
    points.append(point(n))
    ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
    print(f"n {n:>5}: " + ", ".join(f"{way} {value['median']:.4f}" for way, value in ways.items()))
raced, freed = race(), record_stream()
print(f"race: {raced}")
print(f"record_stream: {freed}")
write(arguments.out, device, {"first": first, "points": points, "race": raced, "recordStream": freed})
