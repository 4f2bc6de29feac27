"""Adds rows of cuBLAS to a results file of `npm run bench -- matmul`, measured on the same GPU right after it.

    python3 bench/cublas.py RESULTS.json
    npm run bench -- matmul --table RESULTS.json

torch.matmul in f32 without TF32, operands on the device, results written in turn to as many matrices as the bench keeps. A CUDA graph
holds the products, so that no host is in the times; CUDA events around its replays. Every round measures all shapes once.
"""
import datetime
import json
import pathlib
import sys

import torch

ROUNDS = 9
CHAIN_MS = 100  # of a round, for a shape
GRAPH_MS = 10  # of a replay
SAMPLED_ROWS = 8
METHOD = (
    "torch.matmul in f32, TF32 off, as a CUDA graph; CUDA events around replays of about 100 ms after as long a warm-up; "
    "rows of the last result against float64"
)


def results_alive(m, n):
    """As bench/page/contender.ts has it."""
    return min(16, max(2, 2**28 // (4 * m * n)))


class Product:
    def __init__(self, m, n, k):
        self.shape = (m, n, k)
        self.a = torch.rand(m, k, device="cuda") * 2 - 1
        self.b = torch.rand(k, n, device="cuda") * 2 - 1
        self.results = [torch.empty(m, n, device="cuda") for _ in range(results_alive(m, n))]
        self._capture(len(self.results))
        one = self.replay(3) / 3 / self.products
        self._capture(max(1, round(GRAPH_MS / one / len(self.results))) * len(self.results))
        self.replays = max(1, round(CHAIN_MS / one / self.products))
        self.samples = []

    def _capture(self, products):
        self.products = products
        for _ in range(3):  # cuBLAS chooses and allocates before the capture
            torch.matmul(self.a, self.b, out=self.results[0])
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for index in range(products):
                torch.matmul(self.a, self.b, out=self.results[index % len(self.results)])

    def replay(self, times):
        """ms of so many replays."""
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(times):
            self.graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    def take_sample(self):
        self.replay(self.replays)
        self.samples.append(self.replay(self.replays) / self.replays / self.products)

    def row(self):
        m, n, k = self.shape
        rows = torch.linspace(0, m - 1, min(m, SAMPLED_ROWS), device="cuda").round().long()
        a, b = self.a[rows].double(), self.b.double()
        scale = a.abs() @ b.abs()
        error = ((self.results[-1][rows].double() - a @ b).abs() / scale).max().item()
        # tolerance() of src/gpu/kernels/matmul/reference.ts for one product
        allowed = 2**-24 * (8 * (k + 1) ** 0.5 + 1)
        # The second and the last but one of nine: the 96 % interval of the median.
        times = sorted(self.samples)
        slow, middle, fast = (2 * m * n * k / times[at] / 1e9 for at in (-2, ROUNDS // 2, 1))
        right = error <= allowed
        return {
            "library": "cublas",
            "kernel": "torch.matmul",
            "shape": self.shape,
            "tflops": middle if right else None,
            "low": slow if right else None,
            "high": fast if right else None,
            "n": ROUNDS,
            "verified": right,
            **({} if right else {"error": f"its result is wrong by {error:.1e}, {allowed:.1e} allowed"}),
        }


def main(file):
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    results = json.loads(pathlib.Path(file).read_text())
    device = torch.cuda.get_device_name()
    if device != results["adapter"]:
        sys.exit(f"cuBLAS would run on {device}, the bench ran on {results['adapter']}.")
    age = datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.fromisoformat(
        results["date"].replace("Z", "+00:00")
    )
    if age > datetime.timedelta(hours=1):
        sys.exit(f"The bench ran {age} ago: a later run meets another temperature, other clocks, perhaps another driver.")
    rows = [row for row in results["rows"] if row["library"] != "cublas"]
    shapes = list(dict.fromkeys(tuple(row["shape"]) for row in rows))
    products = [Product(*shape) for shape in shapes]
    for _ in range(ROUNDS):
        for product in products:
            product.take_sample()
    results["rows"] = rows + [product.row() for product in products]
    results["versions"]["cublas"] = f"of CUDA {torch.version.cuda}, PyTorch {torch.__version__}"
    results["method"] += f"; cublas: {METHOD}"
    pathlib.Path(file).write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
