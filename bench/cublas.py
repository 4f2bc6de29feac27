"""What cuBLAS needs for the shapes of a results file of `npm run bench -- matmul`, on the same GPU, right after it.

    python3 bench/cublas.py RESULTS.json CUBLAS.json
    npm run bench -- matmul --cublas CUBLAS.json --json RESULTS.json

torch.matmul in f32 without TF32, operands on the device, results written in turn to as many matrices as the bench keeps. A CUDA graph
holds the products, so that no host is in the times; CUDA events around its replays. Every round measures all shapes once.
"""
import datetime
import json
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
        return {
            "shape": self.shape,
            "samplesMs": self.samples,
            "products": self.products * self.replays,
            "checked": len(rows) * n,
            "maxRelativeError": error,
            "tolerance": allowed,
        }


def main(results_file, cublas_file):
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    with open(results_file) as file:
        rows = json.load(file)["rows"]
    shapes = list(dict.fromkeys(tuple(row["shape"]) for row in rows))
    products = [Product(*shape) for shape in shapes]
    for _ in range(ROUNDS):
        for product in products:
            product.take_sample()
    results = {
        "device": torch.cuda.get_device_name(),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
        "method": METHOD,
        "rows": [product.row() for product in products],
    }
    with open(cublas_file, "w") as file:
        json.dump(results, file, indent=2)
        file.write("\n")
    for row in results["rows"]:
        m, n, k = row["shape"]
        middle = sorted(row["samplesMs"])[ROUNDS // 2]
        print(f"{m}x{n}x{k}: {2 * m * n * k / middle / 1e9:.2f} TFLOP/s, error {row['maxRelativeError']:.1e}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
