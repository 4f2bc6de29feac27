"""A naive kernel replaced by cuBLAS, and what a whole step keeps of the factor: the PyTorch side of kernel-ladder.

The naive kernel is that of the lab, in CUDA: one thread for each entry of C, a row of A times a column of B from memory, neighbouring
threads in neighbouring rows. NVRTC compiles it.

  kernels   naive, cublas: one product, all matrices on the device, queued behind others; device clock
  steps     the same product with A and B uploaded before and C read back after it, and transfers, a step with no product
              pageable  copy_ from ordinary memory, and .cpu()
              pinned    copy_ from pinned memory and into pinned memory, non_blocking, and one wait
            host clock, from a device with nothing queued to the end of the wait

Medians of REPEATS with intervals, milliseconds. Each product is checked against float64. Where torch.cuda has no compiler for kernels
or it fails, `naive` is missing, and `withoutNaive` has the reason.

python3 kernel_ladder.py [--out torch-kernel-ladder.json] [--device cuda] [--n 2048]
"""

import argparse
import ctypes
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import torch
from measuring import check, device_ms, host_ms, interval, keep_busy, rounds, synchronize, write

REPEATS = 15
QUEUED = 3
BLOCK = 16
NAIVE = """extern "C"
__global__ void naive_matmul(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 1) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
"""

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="torch-kernel-ladder.json")
parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument("--n", type=int, default=2048, help="matrices of n x n; 2048 is what the lab chooses on an H200")
arguments = parser.parse_args()
device = torch.device(arguments.device)
on_cuda = device.type == "cuda"
n = arguments.n
torch.manual_seed(1)
torch.set_float32_matmul_precision("highest")  # float32, no TF32

a_host, b_host = torch.randn(n, n), torch.randn(n, n)
a_pinned, b_pinned, c_pinned = (
    tensor.pin_memory() if on_cuda else tensor.clone() for tensor in (a_host, b_host, torch.zeros(n, n))
)
a, b, c = a_host.to(device, copy=True), b_host.to(device, copy=True), torch.zeros(n, n, device=device)


def cublas() -> None:
    torch.mm(a, b, out=c)


def find_nvrtc() -> None:
    """torch.cuda's compiler loads NVRTC by its bare name and wants a CUDA toolkit's headers: neither needs to be installed."""
    from torch.utils import cpp_extension

    torch_folder = Path(torch.__file__).parent
    cpp_extension.CUDA_HOME = cpp_extension.CUDA_HOME or str(torch_folder)  # the kernel includes no header
    for library in sorted(torch_folder.parent.glob("nvidia/*/lib/libnvrtc*.so*")):
        with suppress(OSError):
            ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)


def compiled() -> tuple[Callable[[], None] | None, str | None]:
    """The naive kernel's launch, or why there is none."""
    if not on_cuda:
        return None, "The device is no GPU."
    compiler = getattr(torch.cuda, "compile_kernel", None) or getattr(torch.cuda, "_compile_kernel", None)
    if compiler is None:
        return None, f"PyTorch {torch.__version__} has no torch.cuda._compile_kernel."
    groups = (n + BLOCK - 1) // BLOCK

    def launch() -> None:
        kernel(grid=(groups, groups, 1), block=(BLOCK, BLOCK, 1), args=[a, b, c, n])

    try:
        find_nvrtc()
        kernel = compiler(NAIVE, "naive_matmul")
        launch()
        synchronize(device)
    except Exception as error:  # no NVRTC, or one that is older than the driver
        return None, f"torch.cuda._compile_kernel failed: {error}"
    return launch, None


def pageable(product: Callable[[], None]) -> torch.Tensor:
    a.copy_(a_host)
    b.copy_(b_host)
    product()
    return c.cpu()  # waits; a new tensor each time, as in most programs


def pinned(product: Callable[[], None]) -> torch.Tensor:
    a.copy_(a_pinned, non_blocking=True)
    b.copy_(b_pinned, non_blocking=True)
    product()
    c_pinned.copy_(c, non_blocking=True)
    synchronize(device)
    return c_pinned


def nothing() -> None:
    pass


naive, without_naive = compiled()
products = ({"naive": naive} if naive else {}) | {"cublas": cublas}
ways = {"pageable": pageable, "pinned": pinned}

keep_busy(device, 0.5)
for name, product in products.items():
    for way, step in ways.items():
        for tensor in (a, b, c):
            tensor.zero_()
        check(f"{name}, {way}", step(product), a_host, b_host)

works = {
    ("kernels", name): lambda product=product: device_ms(product, QUEUED, device) for name, product in products.items()
}
for way, step in ways.items():
    for name, product in (products | {"transfers": nothing}).items():
        works[way, name] = lambda step=step, product=product: host_ms(lambda: step(product), device)
times = {key: interval(values) for key, values in rounds(works, REPEATS, REPEATS, 0.0).items()}
for (where, name), value in times.items():
    print(f"{where:>8}, {name:>9}: {value['median']:.4f} ms")


def those(where: str) -> dict[str, dict[str, float]]:
    return {name: value for (found, name), value in times.items() if found == where}


if without_naive:
    print(f"No naive kernel, so no factors. {without_naive}")
write(
    arguments.out,
    device,
    {
        "n": n,
        "repeats": REPEATS,
        "withoutNaive": without_naive,
        "kernels": those("kernels"),
        "steps": {way: those(way) for way in ways},
    },
)
