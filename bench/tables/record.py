"""Records profiles with PyTorch's own table of each, and measures what record_shapes, with_modules and with_stack cost.

For each model and set of options --out gets NAME.json.gz, the profile, and NAME.averages.json, what prof.key_averages() says
of the same run. costs.json has step times under each set of options, interleaved, and rates of large products and copies.

python3 bench/tables/record.py --out out [--device cpu] [--limit-s 80] [--rounds 7]
"""

import argparse
import gzip
import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile, schedule

LARGEST_FILE = 290_000
WARM_UP = 3
TIMED_STEPS = 10
# Python functions are many: of these, modules and this script's own are kept in the averages.
PYTHON = re.compile(r"^(?:<|nn\.Module: )|\(\d+\): ")
OWN = re.compile(r"^nn\.Module: |(?:^|/)record\.py\(\d+\): ")

Step = Callable[[], object]

OPTIONS: dict[str, dict[str, bool]] = {
    "profiler": {},
    "record_shapes": {"record_shapes": True},
    "with_modules": {"with_modules": True},
    "with_stack": {"with_stack": True},
    "record_shapes, with_stack": {"record_shapes": True, "with_stack": True},
}


class Layer(nn.Module):
    """A layer of a transformer, with the norm first."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        rows, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(rows, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + x)


def training(model: nn.Module, inputs: Tensor) -> Step:
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)

    def train_step() -> None:
        optimizer.zero_grad()
        loss = model(inputs).float().square().mean()
        loss.backward()
        optimizer.step()

    return train_step


def transformer(device: str) -> Step:
    """In bfloat16 throughout: its products run on tensor cores and its attention is a flash kernel."""
    small = device == "cpu"
    width, rows, length = (64, 2, 32) if small else (1024, 8, 1024)
    model = nn.Sequential(Layer(width, 8), Layer(width, 8)).to(device, torch.bfloat16)
    return training(model, torch.randn(rows, length, width, device=device, dtype=torch.bfloat16))


def resnet(device: str) -> Step:
    """In float32, channels last: cuDNN runs such convolutions in TF32."""
    small = device == "cpu"
    channels, rows, side = (8, 2, 16) if small else (256, 64, 32)
    model = nn.Sequential(nn.Conv2d(3, channels, 3, 2, 1), Residual(channels)).to(device)
    model = model.to(memory_format=torch.channels_last)
    images = torch.randn(rows, 3, 2 * side, 2 * side, device=device)
    return training(model, images.to(memory_format=torch.channels_last))


def mlp(device: str) -> Step:
    """In float32: no tensor cores, unless allowed. Its input comes from pageable memory."""
    width, rows = (64, 8) if device == "cpu" else (2048, 1024)
    model = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))
    model = model.to(device)
    images = torch.randn(rows, width)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def train_step() -> None:
        optimizer.zero_grad()
        loss = model(images.to(device)).square().mean()
        loss.backward()
        optimizer.step()

    return train_step


MODELS = {"transformer": transformer, "resnet": resnet, "mlp": mlp}


def synchronize(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()


def activities(device: str) -> list[ProfilerActivity]:
    return [ProfilerActivity.CPU] if device == "cpu" else [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def averages(done: profile, by_shape: bool) -> list[dict[str, Any]]:
    rows = []
    for row in done.key_averages(group_by_input_shape=by_shape):
        if PYTHON.search(row.key) and not OWN.search(row.key):
            continue
        rows.append(
            {
                "key": row.key,
                "count": row.count,
                "device": str(row.device_type).rpartition(".")[2],
                "self_cpu_us": row.self_cpu_time_total,
                "cpu_us": row.cpu_time_total,
                "self_device_us": row.self_device_time_total,
                "device_us": row.device_time_total,
                "flops": row.flops,
                "annotation": row.is_user_annotation,
                "shapes": row.input_shapes if by_shape else None,
            }
        )
    return rows


def record(out: Path, name: str, step: Step, device: str, options: dict[str, bool], warm_up: int = WARM_UP) -> None:
    """Two steps, or one where the file would be too large. Without a warm-up CUPTI asks for its buffers in the first."""
    for steps in (2, 1):
        file = out / f"{name}.json.gz"
        with profile(
            activities=activities(device),
            schedule=schedule(wait=0, warmup=warm_up, active=steps, repeat=1),
            with_flops=options.get("record_shapes", False),
            **options,
        ) as done:
            for _ in range(warm_up + steps):
                step()
                done.step()
            synchronize(device)
        plain = out / f"{name}.json"
        done.export_chrome_trace(str(plain))
        # Written anew, as small as gzip makes it; not an event is left out.
        trace = json.loads(plain.read_text())
        trace.pop("traceName", None)
        file.write_bytes(gzip.compress(json.dumps(trace, separators=(",", ":")).encode(), 9, mtime=0))
        plain.unlink()
        if file.stat().st_size <= LARGEST_FILE or steps == 1:
            break
    told = {
        "torch": torch.__version__,
        "options": options,
        "steps": steps,
        "by_name": averages(done, False),
        "by_shape": averages(done, True) if options.get("record_shapes") else [],
    }
    (out / f"{name}.averages.json").write_text(json.dumps(told, separators=(",", ":")) + "\n")
    print(f"{name}: {steps} steps, {file.stat().st_size / 1e3:.0f} kB", flush=True)


def timed_us(step: Step, device: str, options: dict[str, bool] | None) -> float:
    """µs of a step; the host waits for the device before the first and after the last. None: no profiler."""
    done = None if options is None else profile(activities=activities(device), **options)
    if done:
        done.start()
    for _ in range(2):
        step()
    synchronize(device)
    start = perf_counter()
    for _ in range(TIMED_STEPS):
        step()
    synchronize(device)
    seconds = perf_counter() - start
    if done:
        done.stop()
    return seconds / TIMED_STEPS * 1e6


def rates() -> dict[str, float]:
    """What large work reaches: TFLOP/s of products of 8192, GB/s of a copy and of a sum."""
    found = {}

    def seconds(work: Step) -> float:
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        times = []
        for _ in range(8):
            begin.record()
            work()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) / 1e3)
        return statistics.median(times[2:])

    n = 8192
    for name, dtype, tf32 in (
        ("bfloat16", torch.bfloat16, False),
        ("float16", torch.float16, False),
        ("tf32", torch.float32, True),
        ("float32", torch.float32, False),
    ):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        a, b = torch.randn(n, n, device="cuda", dtype=dtype), torch.randn(n, n, device="cuda", dtype=dtype)
        found[f"{name}, TFLOP/s"] = 2 * n**3 / seconds(lambda a=a, b=b: a @ b) / 1e12
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = torch.randn(2**28, device="cuda"), torch.randn(2**28, device="cuda")
    size = a.numel() * a.element_size()
    found["copy, GB/s"] = 2 * size / seconds(lambda: a.copy_(b)) / 1e9
    found["sum, GB/s"] = 3 * size / seconds(lambda: torch.add(a, b, out=a)) / 1e9
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--limit-s", type=float, default=80, help="no round of costs starts after this many seconds")
    parser.add_argument("--rounds", type=int, default=7)
    told = parser.parse_args()
    begun, device, out = perf_counter(), told.device, told.out
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    steps = {name: build(device) for name, build in MODELS.items()}
    for step in steps.values():
        for _ in range(5):
            step()
    synchronize(device)
    for name, step in steps.items():
        for short, options in (
            ("shapes", OPTIONS["record_shapes"]),
            ("stack", OPTIONS["record_shapes, with_stack"]),
        ):
            record(out, f"{name}-{short}", step, device, options)
    record(out, "mlp-cold", steps["mlp"], device, OPTIONS["record_shapes"], warm_up=0)

    arms: dict[str, dict[str, bool] | None] = {"none": None, **OPTIONS}
    times: dict[str, dict[str, list[float]]] = {name: {arm: [] for arm in arms} for name in steps}
    costs: dict[str, Any] = {
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if device != "cpu" else "cpu",
        "rates": rates() if device != "cpu" else {},
        "steps_us": times,
    }
    for done in range(told.rounds):
        if perf_counter() - begun > told.limit_s:
            print(f"the time was over after {done} rounds")
            break
        for name, step in steps.items():
            # Every other round backwards: what comes later in a round is not always later.
            for arm in list(arms)[:: 1 if done % 2 == 0 else -1]:
                times[name][arm].append(round(timed_us(step, device, arms[arm]), 1))
        (out / "costs.json").write_text(json.dumps(costs, indent=1) + "\n")
    for name, by_arm in times.items():
        print(name, {arm: round(statistics.median(us)) for arm, us in by_arm.items() if us})
    print(costs["rates"], f"{perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
