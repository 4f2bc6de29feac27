"""Pageable, pinned and managed memory, and the caching allocator: the PyTorch side of staging-buffers.

`points`: for each size, BATCHES batches of float32, one after the other, one wait at the end; ms of one batch by the host's clock:

  pageableMs  .copy_() from ordinary memory
  pinnedMs    .copy_(non_blocking=True) from memory that was pinned before
  pinAnewMs   the batch is copied into memory that is pinned for it (cudaHostAlloc), sent, and the memory freed again
  ringMs      two pinned buffers in turn, each filled again when its copy has ended
  pinMemoryMs the batch's own .pin_memory(), sent: PyTorch keeps pinned memory that was freed, and gives it out again
  allocMs     cudaHostAlloc of so much, nothing else
  freeMs      cudaFreeHost of it, nothing else
  fillMs      a copy of the batch into pinned memory that was touched before, nothing else

`pinMemory`: .pin_memory() of FIRST_MIB alone, ms: firstMs with the cache of pinned memory emptied before, cachedMs once more.
emptyingMs empties that cache. `loader`: a DataLoader whose batch of FIRST_MIB is a copy of one at hand, and the upload, ms of a step; pageable and pinned by
num_workers 0 and 4. Pinned with num_workers=0 the loop's thread pins, with workers another one (overlapped_uploads_loader.py).

`late`: batches of LATE_MIB that the loop makes before it sends each, as inlineMs of overlapped_uploads_loader.py does, with so many
augmentations that makeMs is about the awaited pageable upload, uploadMs. pageableMs, ringMs as above; oneBufferMs with one pinned buffer.

`managed`: cudaMallocManaged, ms:

  firstTouchMs, secondTouchMs  the host writes all of it: new memory, and once more
  faultsMs, residentMs         the GPU sums it up, its pages on the host; and once more
  prefetchMs, prefetchedMs     cudaMemPrefetchAsync to the GPU, pages on the host; the same sum after it
  deviceFirstTouchMs           the GPU is the first to write to new memory

`allocator`: with a limit on the process's memory, one block is cut into pieces, and every second piece is freed. A request for two pieces
then fails though the free pieces together are many times as large: `failed`, and the bytes as memory_snapshot() has them. The same in a process
with expandable segments: `expandableFailed`. `freshMs` and `cachedMs` are torch.empty() with cudaMalloc behind it and without.

Each part runs by itself, and one that cannot run says why and is left out. Data is compared word by word. CUDA 12 and 13.

python3 staging_buffers.py [--out torch-staging-buffers.json] [--device cuda]
"""

import argparse
import ctypes
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

EXPANDABLE = "--expandable-part"
# The holes are those of the allocator as it is by default; PyTorch reads these when it is imported.
for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"):  # the older name and the newer
    os.environ.pop(name, None)
    if EXPANDABLE in sys.argv:
        os.environ[name] = "expandable_segments:True"

import torch  # noqa: E402
import torch.utils.data  # noqa: E402
from measuring import host_ms, interval, keep_busy, rounds, synchronize, write  # noqa: E402

MIB = 2**20
SIZES_MIB = (1, 4, 16, 64, 256)
BATCHES = 8
REPEATS = 5, 21  # at least, at most
SECONDS = 2.0  # for each size
FIRST_MIB = 64
LATE_MIB = 64
MANAGED_MIB = 256
PIECES, PIECE_MIB = 16, 64

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-staging-buffers.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument(EXPANDABLE, action="store_true", help="used by the script itself")
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)


class Location(ctypes.Structure):
    """cudaMemLocation: a type, and which one of it."""

    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


ON_DEVICE = 1  # cudaMemLocationTypeDevice
GLOBAL = 1  # cudaMemAttachGlobal


class Runtime:
    """The CUDA runtime that PyTorch has loaded into this process, and no other: both share one context and its streams."""

    def __init__(self) -> None:
        torch.cuda.init()
        mapped = (line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libcudart" in line)
        loaded = sorted(set(mapped))
        major = (torch.version.cuda or "0").split(".")[0]
        self.library = ctypes.CDLL(loaded[0] if loaded else f"libcudart.so.{major}")
        version = ctypes.c_int()
        self.call("cudaRuntimeGetVersion", ctypes.byref(version))
        self.version: int = version.value

    def call(self, name: str, *arguments: object) -> None:
        function = getattr(self.library, name)
        function.restype = ctypes.c_int
        error = function(*arguments)
        if error != 0:
            self.library.cudaGetErrorString.restype = ctypes.c_char_p
            raise RuntimeError(f"{name}: {self.library.cudaGetErrorString(error).decode()}")

    def managed(self, size: int) -> int:
        pointer = ctypes.c_void_p()
        self.call("cudaMallocManaged", ctypes.byref(pointer), ctypes.c_size_t(size), ctypes.c_uint(GLOBAL))
        assert pointer.value
        return pointer.value

    def free(self, pointer: int) -> None:
        self.call("cudaFree", ctypes.c_void_p(pointer))

    def pinned(self, size: int) -> int:
        pointer = ctypes.c_void_p()
        self.call("cudaHostAlloc", ctypes.byref(pointer), ctypes.c_size_t(size), ctypes.c_uint(0))
        assert pointer.value
        return pointer.value

    def free_pinned(self, pointer: int) -> None:
        self.call("cudaFreeHost", ctypes.c_void_p(pointer))

    def copy_up(self, to: torch.Tensor, source: int, size: int) -> None:
        """cudaMemcpyAsync on PyTorch's current stream; 1 is cudaMemcpyHostToDevice."""
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self.call(
            "cudaMemcpyAsync", ctypes.c_void_p(to.data_ptr()), ctypes.c_void_p(source), ctypes.c_size_t(size), 1, stream
        )

    def prefetch(self, pointer: int, size: int, index: int) -> None:
        """To the GPU of this index. Since CUDA 13 it takes a cudaMemLocation and flags, before it took the index."""
        start, count, stream = ctypes.c_void_p(pointer), ctypes.c_size_t(size), ctypes.c_void_p(0)
        if self.version >= 13_000:
            self.call("cudaMemPrefetchAsync", start, count, Location(ON_DEVICE, index), ctypes.c_uint(0), stream)
        else:
            self.call("cudaMemPrefetchAsync", start, count, ctypes.c_int(index), stream)


def on_host(pointer: int, count: int) -> torch.Tensor:
    """int32 there, as a tensor of the CPU. Nothing is copied, and nothing is freed with it."""
    return torch.frombuffer((ctypes.c_int32 * count).from_address(pointer), dtype=torch.int32)


def on_device(pointer: int, count: int) -> torch.Tensor:
    """The same as a tensor of the GPU."""

    class Words:
        __cuda_array_interface__ = {"shape": (count,), "typestr": "<i4", "data": (pointer, False), "version": 2}

    try:
        view = torch.as_tensor(Words(), device=device)
    except (RuntimeError, TypeError, ValueError):  # PyTorch reads that interface by NumPy, which may not be there
        here = torch.device("cuda", torch.cuda.current_device())
        storage = torch._C._construct_storage_from_data_pointer(pointer, here, 4 * count)
        view = torch.empty(0, dtype=torch.int32, device=here).set_(storage, 0, (count,), (1,))
    assert view.numel() == count
    assert view.data_ptr() == pointer, "the managed memory was copied"
    return view


def point(mib: int, runtime: Runtime | None) -> dict[str, object]:
    count = mib * MIB // 4
    batches = [torch.randint(-(2**31), 2**31 - 1, (count,), dtype=torch.int32) for _ in range(2)]
    pinned = [each.pin_memory() if on_cuda else each.clone() for each in batches]
    ring = [torch.zeros(count, dtype=torch.int32, pin_memory=on_cuda) for _ in range(2)]
    copied = [torch.cuda.Event() if on_cuda else None for _ in range(2)]
    there: dict[str, torch.Tensor] = {}

    def target(way: str) -> torch.Tensor:
        if way not in there:
            there[way] = torch.zeros(count, dtype=torch.int32, device=device)
        return there[way]

    def by_ring(step: int) -> None:
        slot, event = step % 2, copied[step % 2]
        if event is not None:
            event.synchronize()  # the copy of two steps ago has left the buffer
        ring[slot].copy_(batches[step % 2])
        target("ringMs").copy_(ring[slot], non_blocking=True)
        if event is not None:
            event.record()

    def pinned_anew(step: int) -> None:
        assert runtime is not None
        to = target("pinAnewMs")
        memory = runtime.pinned(4 * count)
        on_host(memory, count).copy_(batches[step % 2])
        runtime.copy_up(to, memory, 4 * count)
        torch.cuda.synchronize()  # or the memory would be freed under the copy
        runtime.free_pinned(memory)

    def kept(step: int) -> None:  # freed memory is given out again when the copy out of it has ended
        target("pinMemoryMs").copy_(batches[step % 2].pin_memory(), non_blocking=True)

    ways: dict[str, Callable[[int], object]] = {
        "pageableMs": lambda step: target("pageableMs").copy_(batches[step % 2]),
        "pinnedMs": lambda step: target("pinnedMs").copy_(pinned[step % 2], non_blocking=True),
        "ringMs": by_ring,
        "fillMs": lambda step: ring[0].copy_(batches[step % 2]),
    }
    if runtime is not None:
        ways |= {"pinAnewMs": pinned_anew, "pinMemoryMs": kept}

    def repeated(work: Callable[[int], object]) -> Callable[[], None]:
        def all_batches() -> None:
            for step in range(BATCHES):
                work(step)
            synchronize(device)

        return all_batches

    freed: list[float] = []

    def pinning() -> float:
        """cudaHostAlloc by itself; the memory is freed behind it, and that is timed apart."""
        begun = perf_counter()
        memory = runtime.pinned(4 * count)
        pinned_at = perf_counter()
        runtime.free_pinned(memory)
        freed.append((perf_counter() - pinned_at) * 1e3)
        return (pinned_at - begun) * 1e3

    works = {way: repeated(work) for way, work in ways.items()}
    timed = {way: lambda work=work: host_ms(work, device) / BATCHES for way, work in works.items()}
    times = rounds(timed | ({"allocMs": pinning} if runtime else {}), *REPEATS, SECONDS)
    if freed:
        times["freeMs"] = freed[1:]
    for way, got in there.items():
        assert torch.equal(got.cpu(), batches[(BATCHES - 1) % 2]), f"{way}, {mib} MiB: another batch arrived"
    return {"mib": mib, "batches": BATCHES} | {way: interval(values) for way, values in times.items()}


def transfers() -> dict[str, object]:
    runtime = Runtime() if on_cuda else None
    points = []
    for mib in SIZES_MIB:
        points.append(point(mib, runtime))
        ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
        print(f"{mib:>4} MiB: " + ", ".join(f"{way} {value['median']:.3f}" for way, value in ways.items()))
    return {"points": points}


def pin_memory() -> dict[str, object]:
    """PyTorch's cache of pinned memory: a call that has to pin, and one that finds pinned memory of the size."""
    batch = torch.ones(FIRST_MIB * MIB // 4)
    empty = torch._C._host_emptyCache if hasattr(torch._C, "_host_emptyCache") else torch._C._cuda_hostEmptyCache
    first, cached, emptying = [], [], []
    for _ in range(REPEATS[1]):
        synchronize(device)
        emptying.append(host_ms(empty, device))
        first.append(host_ms(batch.pin_memory, device))
        cached.append(host_ms(batch.pin_memory, device))
    figures = {"mib": FIRST_MIB, "firstMs": interval(first[1:]), "cachedMs": interval(cached[1:]), "emptyingMs": interval(emptying[1:])}
    print(f"pin_memory(): {figures}")
    return {"pinMemory": figures}


class AtHand(torch.utils.data.Dataset):
    """Batches that are made already: what is left is to send and to pin them."""

    def __init__(self) -> None:
        self.batch = torch.ones(FIRST_MIB * MIB // 4)

    def __len__(self) -> int:
        return 4 * BATCHES

    def __getitem__(self, index: int) -> torch.Tensor:
        return self.batch.clone()


def loaders() -> dict[str, object]:
    """A step is a batch of the loader and its upload; the first half of an epoch warms up."""
    last: dict[str, torch.Tensor] = {}

    def epoch(name: str, workers: int, pinned: bool) -> float:
        begun, half = 0.0, 2 * BATCHES
        batches = torch.utils.data.DataLoader(AtHand(), batch_size=None, num_workers=workers, pin_memory=pinned)
        for step, batch in enumerate(batches):
            if step == half:
                synchronize(device)
                begun = perf_counter()
            last[name] = batch.to(device, non_blocking=True)
        synchronize(device)
        return (perf_counter() - begun) * 1e3 / half

    ways = {
        f"{kind}{workers}Ms": lambda name=f"{kind}{workers}Ms", workers=workers, kind=kind: epoch(name, workers, kind == "pinned")
        for workers in (0, 4)
        for kind in ("pageable", "pinned")
    }
    times = rounds(ways, REPEATS[0], REPEATS[0], 0)
    assert all(bool((x == 1).all()) for x in last.values()), "another batch arrived"
    figures = {name: interval(values) for name, values in times.items()}
    print(f"loader: {figures}")
    return {"loader": {"mib": FIRST_MIB} | figures}


def late() -> dict[str, object]:
    count = LATE_MIB * MIB // 4
    samples = torch.randint(0, 256, (count + BATCHES,), dtype=torch.uint8)
    made = torch.empty(count)
    pinned = torch.empty(count, pin_memory=on_cuda)
    ring = [torch.empty(count, pin_memory=on_cuda) for _ in range(2)]
    copied = [torch.cuda.Event() if on_cuda else None for _ in range(2)]
    there = torch.empty(count, device=device)

    def make(step: int, augmentations: int, out: torch.Tensor) -> torch.Tensor:
        out.copy_(samples[step : step + count]).sub_(127.5).div_(127.5)
        for augmentation in range(augmentations):
            out.mul_(1 + 0.001 * ((step + augmentation) % 7)).add_(0.001 * (step % 5))
        return out

    def median_ms(work: Callable[[], object]) -> float:
        return interval([host_ms(work, device) for _ in range(5)][1:])["median"]

    upload_ms = median_ms(lambda: (there.copy_(made), synchronize(device)))
    without, each = median_ms(lambda: make(0, 0, made)), median_ms(lambda: make(0, 1, made))
    augmentations = max(0, round((upload_ms - without) / max(each - without, 1e-3)))
    make_ms = interval([host_ms(lambda: make(0, augmentations, made), device) for _ in range(7)][1:])

    def by_ring(step: int) -> None:
        make(step, augmentations, made)
        slot, event = step % 2, copied[step % 2]
        if event is not None:
            event.synchronize()
        ring[slot].copy_(made)
        there.copy_(ring[slot], non_blocking=True)
        if event is not None:
            event.record()

    def by_pinned(step: int) -> None:
        make(step, augmentations, made)
        if copied[0] is not None:
            copied[0].synchronize()  # the one buffer is free when its copy has ended
        pinned.copy_(made)
        there.copy_(pinned, non_blocking=True)
        if copied[0] is not None:
            copied[0].record()

    ways: dict[str, Callable[[int], object]] = {
        "pageableMs": lambda step: there.copy_(make(step, augmentations, made)),
        "oneBufferMs": by_pinned,
        "ringMs": by_ring,
    }

    def all_batches(work: Callable[[int], object]) -> Callable[[], None]:
        return lambda: ([work(step) for step in range(BATCHES)], synchronize(device))

    works = {way: all_batches(work) for way, work in ways.items()}
    found: dict[str, object] = {"mib": LATE_MIB, "uploadMs": upload_ms, "makeMs": make_ms, "augmentations": augmentations}
    times = rounds(
        {way: lambda work=work: host_ms(work, device) / BATCHES for way, work in works.items()}, *REPEATS, SECONDS
    )
    expected = make(BATCHES - 1, augmentations, made)
    assert torch.equal(there.cpu(), expected), "another batch arrived"
    found |= {way: interval(values) for way, values in times.items()}
    print(f"late: {found}")
    return {"late": found}


def managed() -> dict[str, object]:
    runtime = Runtime()
    index = torch.cuda.current_device()
    size, count = MANAGED_MIB * MIB, MANAGED_MIB * MIB // 4
    times: dict[str, list[float]] = {}
    # Its kernel and the memory that it needs are made before anything is timed.
    torch.ones(count, dtype=torch.int32, device=device).sum().item()

    def timed(name: str, work: Callable[[], object]) -> None:
        times.setdefault(name, []).append(host_ms(lambda: (work(), synchronize(device)), device))

    for repeat in range(REPEATS[0] + 1):
        first, second = runtime.managed(size), runtime.managed(size)
        try:
            host, there = on_host(first, count), on_device(first, count)
            sums: list[torch.Tensor] = []
            timed("firstTouchMs", lambda: host.fill_(repeat + 1))
            timed("secondTouchMs", lambda: host.fill_(repeat + 2))
            timed("faultsMs", lambda: sums.append(there.sum()))
            timed("residentMs", lambda: sums.append(there.sum()))
            host.fill_(repeat + 3)  # back to the host
            timed("prefetchMs", lambda: runtime.prefetch(first, size, index))
            timed("prefetchedMs", lambda: sums.append(there.sum()))
            expected = [count * (repeat + each) for each in (2, 2, 3)]
            got = [int(each.item()) for each in sums]
            assert got == expected, f"managed memory: the sums are {got}, not {expected}"
            new = on_device(second, count)
            timed("deviceFirstTouchMs", lambda: new.fill_(5))
            assert bool((on_host(second, count) == 5).all()), "managed memory: the host does not see what the GPU wrote"
            del host, there, new
        finally:
            synchronize(device)
            runtime.free(first)
            runtime.free(second)
    # The first round warms up.
    figures = {name: interval(values[1:]) for name, values in times.items()}
    print("managed: " + ", ".join(f"{name} {value['median']:.3f}" for name, value in figures.items()))
    return {"managed": {"mib": MANAGED_MIB, "runtime": runtime.version} | figures}


def blocks() -> list[dict[str, object]]:
    return [block for segment in torch.cuda.memory_snapshot() for block in segment["blocks"]]


def holes() -> dict[str, object]:
    """One block cut into pieces, every second one freed, and a request for two pieces."""
    torch.cuda.init()
    torch.cuda.empty_cache()
    stats = torch.cuda.memory_stats
    before = stats().get("num_ooms", 0)
    piece = PIECE_MIB * MIB
    whole = torch.empty(PIECES * piece, dtype=torch.uint8, device=device)
    _, total = torch.cuda.mem_get_info()
    # No room for another piece: what is asked for has to come out of what is held.
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + piece // 2) / total)
    try:
        del whole
        pieces = [torch.full((piece,), at, dtype=torch.uint8, device=device) for at in range(PIECES)]
        kept = pieces[::2]
        del pieces
        free = [int(block["size"]) for block in blocks() if block["state"] == "inactive"]
        found = {
            "reservedMiB": torch.cuda.memory_reserved() // MIB,
            "allocatedMiB": torch.cuda.memory_allocated() // MIB,
            "freeMiB": sum(free) // MIB,
            "largestFreeMiB": max(free, default=0) // MIB,
            "askedMiB": 2 * PIECE_MIB,
            "inactiveSplitMiB": stats().get("inactive_split_bytes.all.current", 0) // MIB,
        }
        try:
            asked = torch.full((2 * piece,), 255, dtype=torch.uint8, device=device)
            failed = False
            assert bool((asked == 255).all())
            del asked
        except torch.cuda.OutOfMemoryError:
            failed = True
        for at, each in enumerate(kept):
            assert bool((each[:: 2**16] == 2 * at).all()), f"piece {2 * at} is not as it was"
        return found | {"failed": failed, "ooms": stats().get("num_ooms", 0) - before}
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)


def allocation() -> dict[str, object]:
    """torch.empty(), with the memory to be had from the driver and with a block of the size in the cache."""
    bytes_of_piece = PIECE_MIB * MIB

    def allocate() -> None:
        torch.empty(bytes_of_piece, dtype=torch.uint8, device=device)

    fresh, cached = [], []
    for _ in range(REPEATS[1]):
        torch.cuda.empty_cache()
        fresh.append(host_ms(allocate, device))
        cached.append(host_ms(allocate, device))
    return {"freshMs": interval(fresh[1:]), "cachedMs": interval(cached[1:])}


def allocator() -> dict[str, object]:
    found = holes()
    asked, free, largest = (int(str(found[name])) for name in ("askedMiB", "freeMiB", "largestFreeMiB"))
    assert free >= 2 * asked, f"only {free} MiB are free, in all"
    assert largest < asked, f"a hole of {largest} MiB is large enough"
    assert found["failed"] and found["ooms"], "the request did not fail"
    torch.cuda.empty_cache()
    run = [sys.executable, os.path.abspath(__file__), EXPANDABLE]
    child = subprocess.run(run, capture_output=True, text=True, cwd=os.path.dirname(os.path.abspath(__file__)))
    lines = child.stdout.splitlines()
    # Where the driver has no such segments nothing is said of them.
    expandable = {"expandableFailed": json.loads(lines[-1])["failed"]} if child.returncode == 0 and lines else {}
    if not expandable:
        print(f"no expandable segments: {child.stderr.strip()[-300:]}")
    figures = found | expandable | allocation()
    print(f"allocator: {figures}")
    return {"allocator": figures}


if arguments.expandable_part:
    print(json.dumps(holes()))
    sys.exit(0)

keep_busy(device, 0.5)
figures: dict[str, object] = {}
broken = []
for part in (transfers, pin_memory, loaders, late, managed, allocator) if on_cuda else (transfers, loaders, late):
    try:
        figures |= part()
    except Exception:
        broken.append(part.__name__)
        traceback.print_exc()
if figures:
    write(arguments.out, device, figures)
if broken:
    sys.exit(f"not recorded: {', '.join(broken)}")
