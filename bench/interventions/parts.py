"""Models and small helpers that several loops share. Nothing here touches the GPU when it is imported."""

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

T = TypeVar("T")


def mlp(width: int, layers: int, outputs: int = 10, inputs: int | None = None) -> nn.Sequential:
    first = [nn.Linear(inputs or width, width), nn.ReLU()]
    hidden = [part for _ in range(layers - 1) for part in (nn.Linear(width, width), nn.ReLU())]
    return nn.Sequential(*first, *hidden, nn.Linear(width, outputs))


class Block(nn.Module):
    """A layer of a transformer, with the norm first."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        rows, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(rows, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(rows, length, width))
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    """A small language model: tokens in, logits of the next token out."""

    def __init__(self, width: int, layers: int, heads: int = 8, tokens: int = 1024, length: int = 512) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.place = nn.Parameter(torch.zeros(length, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embed(tokens) + self.place[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))


def next_token_loss(model: nn.Module, tokens: Tensor) -> Tensor:
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())


class Gated(nn.Module):
    """A layer of a LLaMA-like decoder. `attend` keeps the cache: it gets q, k and v of the new tokens."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 6 * width, bias=False), nn.Linear(3 * width, width, bias=False)

    def forward(self, x: Tensor, turn: Tensor, attend: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
        rows, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(rows, length, 3, self.heads, width // self.heads)
        pairs = torch.view_as_complex(qkv[:, :, :2].float().unflatten(-1, (-1, 2)))
        turned = torch.view_as_real(pairs * turn[:, None, None]).flatten(-2).type_as(x)
        q, k = turned.permute(2, 0, 3, 1, 4).unbind(0)
        attended = attend(q, k, qkv[:, :, 2].transpose(1, 2))
        x = x + self.out(attended.transpose(1, 2).reshape(rows, length, width))
        gate, value = self.up(self.norm2(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * value)


def turns(size: int, length: int) -> Tensor:
    """By how much rotary embedding turns each pair of `size` numbers, at each place."""
    speeds = 10_000.0 ** (-torch.arange(0, size, 2) / size)
    angles = torch.outer(torch.arange(length), speeds)
    return torch.polar(torch.ones_like(angles), angles)


class Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)
        same = inputs == outputs and stride == 1
        self.short = nn.Identity() if same else nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.short(x))


class ResNet(nn.Module):
    """A residual network for images of 32 x 32 or 64 x 64 pixels."""

    def __init__(self, width: int = 64, blocks: int = 1, classes: int = 10) -> None:
        super().__init__()
        parts: list[nn.Module] = [nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        channels = width
        for stage in range(3):
            for block in range(blocks):
                outputs = width << stage
                parts.append(Residual(channels, outputs, 2 if stage and block == 0 else 1))
                channels = outputs
        self.parts = nn.Sequential(*parts)
        self.head = nn.Linear(channels, classes)

    def forward(self, images: Tensor) -> Tensor:
        return self.head(self.parts(images).mean((2, 3)))


def train(model: nn.Module, optimizer: torch.optim.Optimizer, inputs: Tensor, targets: Tensor) -> Tensor:
    """One step of a classifier; returns its loss."""
    loss = F.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def twins(make: Callable[[], T]) -> tuple[T, T]:
    """Two that start from the same random numbers."""
    torch.manual_seed(1)
    found = make()
    torch.manual_seed(1)
    return found, make()


def forever(batches: Iterable[T]) -> Iterator[T]:
    while True:
        yield from batches


class PythonWork:
    """Pure Python that takes about `ms` on this machine. The amount is fixed once it is made."""

    def __init__(self, ms: float) -> None:
        self.count = 20_000
        times = []
        for _ in range(5):
            start = perf_counter()
            self()
            times.append(perf_counter() - start)
        self.count = round(self.count * ms / 1e3 / min(times))

    def __call__(self) -> float:
        total = 0.0
        for index in range(self.count):
            total += (index % 7) * 0.5
        return total


def as_graph(step: Callable[[], object], model: nn.Module) -> Callable[[], None]:
    """Captures `step` in a CUDA graph and returns its replay. Parameters are put back; the optimizer must keep no state."""
    before = [parameter.detach().clone() for parameter in model.parameters()]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), before):
            parameter.copy_(value)

    def replay(_kept: object = step) -> None:
        """Keeps `step` alive: the graph uses memory of tensors that may belong to nobody else, and does not own them."""
        graph.replay()

    return replay


def as_graphs(
    pieces: list[Callable[[], object]], model: nn.Module, optimizer: torch.optim.Optimizer
) -> list[Callable[[], None]]:
    """Captures a CUDA graph of each piece of a step and returns the replays. Parameters and the optimizer's state are put back."""
    before = [parameter.detach().clone() for parameter in model.parameters()]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            for piece in pieces:
                piece()
    torch.cuda.current_stream().wait_stream(stream)
    graphs = [torch.cuda.CUDAGraph() for _ in pieces]
    pool = torch.cuda.graph_pool_handle()
    for graph, piece in zip(graphs, pieces):
        with torch.cuda.graph(graph, pool=pool):
            piece()
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), before):
            parameter.copy_(value)
        for state in optimizer.state.values():
            for value in state.values():
                if isinstance(value, Tensor):
                    value.zero_()

    def replayed(graph: torch.cuda.CUDAGraph) -> Callable[[], None]:
        def replay(_kept: object = (pieces, optimizer)) -> None:
            graph.replay()

        return replay

    return [replayed(graph) for graph in graphs]


def in_tf32(build: Callable[[torch.device], tuple], device: torch.device) -> tuple[Callable[[], object], Callable[[], object]]:
    """The loop of `build` as found, and the same with TF32 for products of float32. Results differ: TF32 has 10 bits of mantissa."""
    found, same = build(device)[0], build(device)[0]

    def changed() -> None:
        torch.set_float32_matmul_precision("high")
        same()
        torch.set_float32_matmul_precision("highest")

    return found, changed
