"""Eight layers whose results stay on the GPU, go to the host and back, or leave one number: the PyTorch side of stay-on-device.

For each n, a chain of eight products x @ w with n x n matrices:

  residentMs    all on the device, one wait at the end
  scalarBackMs  all on the device, and x.mean().item() after each layer
  oneAtEndMs    all on the device, and one x.mean().item() after the last layer
  pageableMs    x.to("cuda") before and .cpu() after each layer, in ordinary memory
  pinnedMs      the same with pinned memory, non_blocking, and one wait a layer

Milliseconds of the whole chain by the host's clock, its wait for the device included. Medians with intervals.
Each way's result is checked against float64.

python3 stay_on_device.py [--out torch-stay-on-device.json] [--device cuda]
"""

import argparse

import torch
from measuring import host_ms, interval, keep_busy, rounds, synchronize, write

LAYERS = 8
SIZES = (256, 512, 1024, 2048, 4096)
REPEATS = 5, 21  # at least, at most
SECONDS = 2.0  # for each size

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-stay-on-device.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32


def check(what: str, got: torch.Tensor, first: torch.Tensor, weights: torch.Tensor, tolerance: float = 1e-3) -> None:
    """The first and the last row of the last result, relative to the largest expected entry: a layer less shows."""
    rows = [0, first.shape[0] - 1]
    expected = first[rows].double()
    for _ in range(LAYERS):
        expected = expected @ weights
    error = ((got[rows].double().cpu() - expected).abs().max() / expected.abs().max()).item()
    assert error < tolerance, f"{what}: off by {error:.1e}"


def point(n: int) -> dict[str, object]:
    first = torch.rand(n, n) * 2 - 1
    host_weights = (torch.rand(n, n) * 2 - 1) * (3 / n) ** 0.5  # results stay as large as their input
    weights = host_weights.to(device)
    there = first.to(device, copy=True)
    pinned = [first.pin_memory() if on_cuda else first.clone() for _ in range(2)]  # the first x, and each result
    results: dict[str, torch.Tensor] = {}

    def resident() -> None:
        x = there
        for _ in range(LAYERS):
            x = x @ weights
        synchronize(device)
        results["residentMs"] = x

    def scalar_back() -> None:
        x = there
        for _ in range(LAYERS):
            x = x @ weights
            x.mean().item()  # waits
        synchronize(device)
        results["scalarBackMs"] = x

    def one_at_end() -> None:
        x = there
        for _ in range(LAYERS):
            x = x @ weights
        x.mean().item()  # waits
        results["oneAtEndMs"] = x

    def pageable() -> None:
        x = first
        for _ in range(LAYERS):
            x = (x.to(device) @ weights).cpu()  # .cpu() waits
        results["pageableMs"] = x

    def by_pinned() -> None:
        x = pinned[0]
        for _ in range(LAYERS):
            pinned[1].copy_(x.to(device, non_blocking=True) @ weights, non_blocking=True)
            synchronize(device)  # before the host, or the next upload, may read pinned[1]
            x = pinned[1]
        results["pinnedMs"] = x

    times = rounds(
        {
            "residentMs": lambda: host_ms(resident, device),
            "scalarBackMs": lambda: host_ms(scalar_back, device),
            "oneAtEndMs": lambda: host_ms(one_at_end, device),
            "pageableMs": lambda: host_ms(pageable, device),
            "pinnedMs": lambda: host_ms(by_pinned, device),
        },
        *REPEATS,
        SECONDS,
    )
    for way, result in results.items():
        check(f"{way}, n = {n}", result, first, host_weights.double())
    return {"n": n, "layers": LAYERS} | {way: interval(values) for way, values in times.items()}


keep_busy(device, 0.5)
points = []
for n in SIZES:
    points.append(point(n))
    ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
    print(f"n {n:>4}: " + ", ".join(f"{way} {value['median']:.3f}" for way, value in ways.items()))
write(arguments.out, device, {"points": points})
