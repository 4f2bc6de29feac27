"""The same product by the CPU and by the GPU, from host memory and back, by size: the PyTorch side of worth-it.

For each n, and for 1 and 16 products on each upload:

  cpuMs       a @ b on the CPU, with torch's threads
  pageableMs  a.to("cuda") @ b.to("cuda") and .cpu(), from ordinary memory
  pinnedMs    the same from pinned memory into pinned memory, non_blocking, and one wait
  residentMs  the product on the device, all three matrices there, queued behind others

Milliseconds of all products of one upload, by the host's clock; residentMs by the device's. Medians with intervals.
Each way's product is checked against float64.

python3 worth_it.py [--out torch-worth-it.json] [--device cuda]
"""

import argparse

import torch
from measuring import check, device_ms, host_ms, interval, keep_busy, rounds, synchronize, write

SIZES = {
    1: (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072),
    16: (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024),
}
REPEATS = 5, 21  # at least, at most
SECONDS = 1.0  # for each size
QUEUED = 8

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-worth-it.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32 on both sides, no TF32


def products(a: torch.Tensor, b: torch.Tensor, uses: int) -> torch.Tensor:
    for _ in range(uses):
        c = a @ b
    return c


def point(n: int, uses: int) -> dict[str, object]:
    a, b = torch.randn(n, n), torch.randn(n, n)
    pinned_a, pinned_b, pinned_c = (
        tensor.pin_memory() if on_cuda else tensor.clone() for tensor in (a, b, torch.zeros(n, n))
    )
    on_device = a.to(device, copy=True), b.to(device, copy=True)
    results: dict[str, torch.Tensor] = {}

    def cpu() -> None:
        results["cpuMs"] = products(a, b, uses)

    def pageable() -> None:
        results["pageableMs"] = products(a.to(device), b.to(device), uses).cpu()  # .cpu() waits

    def pinned() -> None:
        there = pinned_a.to(device, non_blocking=True), pinned_b.to(device, non_blocking=True)
        pinned_c.copy_(products(*there, uses), non_blocking=True)
        synchronize(device)
        results["pinnedMs"] = pinned_c

    def resident() -> None:
        results["residentMs"] = products(*on_device, uses)

    times = rounds(
        {
            "cpuMs": lambda: host_ms(cpu, device),
            "pageableMs": lambda: host_ms(pageable, device),
            "pinnedMs": lambda: host_ms(pinned, device),
            "residentMs": lambda: device_ms(resident, QUEUED, device),
        },
        *REPEATS,
        SECONDS,
    )
    for way, result in results.items():
        check(f"{way}, n = {n}", result, a, b)
    return {"uses": uses, "n": n} | {way: interval(values) for way, values in times.items()}


keep_busy(device, 0.5)
points = []
for uses, sizes in SIZES.items():
    for n in sizes:
        points.append(point(n, uses))
        ways = {way: value for way, value in points[-1].items() if isinstance(value, dict)}
        print(f"uses {uses:>2}, n {n:>4}: " + ", ".join(f"{way} {value['median']:.4f}" for way, value in ways.items()))
write(arguments.out, device, {"points": points})
