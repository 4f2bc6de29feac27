"""Transfers over sizes, from and to pageable and pinned memory: the PyTorch side of transfer-cost.

For each size, one awaited copy into memory that is there already, ms by the host's clock, as medians with intervals, and the
median once more with 'Ms' behind its name, for charts:

  pageableUp    ordinary host memory -> device
  pinnedUp      pinned host memory -> device, non_blocking, one wait
  pageableDown  device -> ordinary host memory
  pinnedDown    device -> pinned host memory, non_blocking, one wait

As programs call it, in each size, with intervals: toMs is x.to("cuda") of ordinary memory, and cpuCallMs x.cpu(). Both allocate their result and
free the one before.

`pieces`: the same bytes in 64 pieces of 16 KiB from pinned memory, with one wait and with a wait behind each; `whole`: at once. The same
pieces by .to("cuda"), which allocates: toPieces from ordinary memory and toPiecesAwaited with torch.cuda.synchronize() behind each;
toPinnedPieces from pinned memory with non_blocking=True, and toPinnedPiecesAwaited.
`holds`: when a copy of HOLDS_MIB holds the host, ms until the call has returned. Alone nothing else is queued, behindWork products of about
workMs are. copyMs is until the copy alone has ended, by the host:

  pageable, pinned                          x.to("cuda")
  pageableNonBlocking, pinnedNonBlocking    x.to("cuda", non_blocking=True)
  down, downNonBlocking                     pageable.copy_(x) on the device's x, and the same with non_blocking=True
  pinnedDown, pinnedDownNonBlocking         the same into pinned memory

`link`: generation and lanes of the GPU's PCI Express link while it copies, where nvidia-smi knows them.
Each copy is compared with what was sent, word by word.

python3 transfer_cost.py [--out torch-transfer-cost.json] [--device cuda]
"""

import argparse
import subprocess
from collections.abc import Callable
from time import perf_counter

import torch
from measuring import host_ms, interval, keep_busy, rounds, synchronize, write

KIB = (4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
PIECES, PIECE_KIB = 64, 16
HOLDS_MIB, HOLDS_PRODUCTS = 64, 8
HOLDS_N = {"cuda": 4096, "cpu": 256}  # products of 22 ms on an H200, longer than any of the copies takes
REPEATS = 5, 101  # at least, at most
SECONDS = 1.0  # for each size

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-transfer-cost.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument("--most-kib", type=int, default=KIB[-1])
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)


def pinned(like: torch.Tensor) -> torch.Tensor:
    return like.pin_memory() if on_cuda else like.clone()


def copy(to: torch.Tensor, source: torch.Tensor, non_blocking: bool) -> float:
    def work() -> None:
        to.copy_(source, non_blocking=non_blocking)
        synchronize(device)

    return host_ms(work, device)


def point(kib: int) -> dict[str, object]:
    sent = torch.randint(-(2**31), 2**31 - 1, (kib * 256,), dtype=torch.int32)  # 256 words are 1 KiB
    sent_pinned = pinned(sent)
    up, up_pinned = (torch.zeros_like(sent, device=device) for _ in range(2))
    there = sent.to(device, copy=True)
    back = torch.zeros_like(sent)
    back_pinned = pinned(back)
    called: dict[str, torch.Tensor] = {}

    def call(name: str, work: Callable[[], torch.Tensor]) -> float:
        called.pop(name, None)
        synchronize(device)
        begun = perf_counter()
        called[name] = work()
        synchronize(device)
        return (perf_counter() - begun) * 1e3

    times = rounds(
        {
            "toMs": lambda: call("to", lambda: sent.to(device, copy=True)),
            "cpuCallMs": lambda: call("cpu", lambda: there.to("cpu", copy=not on_cuda)),
            "pageableUp": lambda: copy(up, sent, False),
            "pinnedUp": lambda: copy(up_pinned, sent_pinned, True),
            "pageableDown": lambda: copy(back, there, False),
            "pinnedDown": lambda: copy(back_pinned, there, True),
        },
        *REPEATS,
        SECONDS,
    )
    for got in (up, up_pinned, back, back_pinned, called["to"], called["cpu"]):
        assert torch.equal(got.cpu(), sent), f"{kib} KiB: what arrived is not what was sent"
    intervals = {way: interval(values) for way, values in times.items()}
    medians = {f"{way}Ms": value["median"] for way, value in intervals.items() if not way.endswith("Ms")}
    return {"kib": kib} | intervals | medians


def together() -> dict[str, object]:
    """The same bytes at once and in pieces, ms."""
    sent = torch.randint(-(2**31), 2**31 - 1, (PIECES, PIECE_KIB * 256), dtype=torch.int32)
    source = pinned(sent)
    there = {way: torch.zeros_like(sent, device=device) for way in ("whole", "pieces", "piecesAwaited")}

    def whole() -> None:
        there["whole"].copy_(source, non_blocking=True)
        synchronize(device)

    def pieces() -> None:
        for to, piece in zip(there["pieces"], source):
            to.copy_(piece, non_blocking=True)
        synchronize(device)

    def awaited() -> None:
        for to, piece in zip(there["piecesAwaited"], source):
            to.copy_(piece, non_blocking=True)
            synchronize(device)

    results: dict[str, list[torch.Tensor]] = {}

    def to(name: str, memory: torch.Tensor, non_blocking: bool, waits: bool) -> Callable[[], None]:
        def work() -> None:
            results[name] = []
            for piece in memory:
                results[name].append(piece.to(device, non_blocking=non_blocking, copy=True))
                if waits:
                    synchronize(device)
            synchronize(device)

        return work

    works = {
        "whole": whole,
        "pieces": pieces,
        "piecesAwaited": awaited,
        "toPieces": to("toPieces", sent, False, False),
        "toPiecesAwaited": to("toPiecesAwaited", sent, False, True),
        "toPinnedPieces": to("toPinnedPieces", source, True, False),
        "toPinnedPiecesAwaited": to("toPinnedPiecesAwaited", source, True, True),
    }
    times = rounds({way: lambda work=work: host_ms(work, device) for way, work in works.items()}, *REPEATS, SECONDS)
    for way, got in (there | {name: torch.stack(pieces) for name, pieces in results.items()}).items():
        assert torch.equal(got.cpu(), sent), f"{way}: what arrived is not what was sent"
    return {way: interval(values) for way, values in times.items()}


def holds() -> dict[str, object]:
    """How long the call of each copy lasts, alone and behind work; and the copy."""
    n = HOLDS_N[device.type]
    a = torch.ones(n, n, device=device)
    out = torch.empty_like(a)
    sent = torch.randint(-(2**31), 2**31 - 1, (HOLDS_MIB * 2**18,), dtype=torch.int32)
    sent_pinned, there = pinned(sent), sent.to(device, copy=True)
    back, back_pinned = torch.zeros_like(sent), pinned(sent)
    got: dict[str, torch.Tensor] = {}

    def up(way: str, source: torch.Tensor, non_blocking: bool) -> None:
        got[way] = source.to(device, non_blocking=non_blocking, copy=True)  # copy: without CUDA there is none else

    def down(to: torch.Tensor, non_blocking: bool) -> None:
        to.copy_(there, non_blocking=non_blocking)

    calls = {
        "pageable": lambda: up("pageable", sent, False),
        "pageableNonBlocking": lambda: up("pageableNonBlocking", sent, True),
        "pinned": lambda: up("pinned", sent_pinned, False),
        "pinnedNonBlocking": lambda: up("pinnedNonBlocking", sent_pinned, True),
        "down": lambda: down(back, False),
        "downNonBlocking": lambda: down(back, True),
        "pinnedDown": lambda: down(back_pinned, False),
        "pinnedDownNonBlocking": lambda: down(back_pinned, True),
    }

    def work() -> None:
        for _ in range(HOLDS_PRODUCTS):
            torch.mm(a, a, out=out)

    def held(call: Callable[[], None], behind: bool) -> float:
        synchronize(device)
        if behind:
            work()
        begun = perf_counter()
        call()
        took = (perf_counter() - begun) * 1e3
        synchronize(device)
        return took

    def whole(call: Callable[[], None]) -> float:
        return host_ms(lambda: (call(), synchronize(device)), device)

    works = {("workMs", ""): lambda: host_ms(lambda: (work(), synchronize(device)), device)}
    for way, call in calls.items():
        works |= {
            (way, "aloneMs"): lambda call=call: held(call, False),
            (way, "behindWorkMs"): lambda call=call: held(call, True),
            (way, "copyMs"): lambda call=call: whole(call),
        }
    times = rounds(works, 9, 21, 3.0)
    for way, tensor in got.items():
        assert torch.equal(tensor.cpu(), sent), f"{way}: what arrived is not what was sent"
    assert torch.equal(back, sent) and torch.equal(back_pinned, sent), "what came back is not what was sent"
    found: dict[str, object] = {"mib": HOLDS_MIB, "workMs": interval(times["workMs", ""])}
    for way in calls:
        found[way] = {name: interval(times[way, name]) for name in ("aloneMs", "behindWorkMs", "copyMs")}
        print(f"holds, {way}: " + ", ".join(f"{name} {value['median']:.3f}" for name, value in found[way].items()))
    return found


def link() -> dict[str, int] | None:
    """As it is right after copies: an idle GPU lowers its link."""
    if not on_cuda:
        return None
    query = ["nvidia-smi", "--query-gpu=pcie.link.gen.current,pcie.link.width.current", "--format=csv,noheader,nounits"]
    try:
        line = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0]
        generation, lanes = (int(field) for field in line.split(","))
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
        return None
    return {"generation": generation, "lanes": lanes}


keep_busy(device, 0.5)
points = []
for kib in KIB:
    if kib > arguments.most_kib:
        break
    points.append(point(kib))
    ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
    print(f"{kib:>7} KiB: " + ", ".join(f"{way} {value['median']:.4f} ms" for way, value in ways.items()))
found = link()
write(arguments.out, device, {"points": points, "pieces": together(), "holds": holds()} | ({} if found is None else {"link": found}))
