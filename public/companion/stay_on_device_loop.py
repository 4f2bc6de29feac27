"""A loop of stay-on-device: eight layers a step, after each of which a result goes to the host and back, a number goes there, or nothing does.

python3 stay_on_device_loop.py [folder for the traces]
"""

import torch
from profiling import check, record

N = 2048  # 0.34 ms a layer on an H200: longer than a launch under the profiler
LAYERS = 8
STEPS = 6

device = torch.device("cuda")
torch.manual_seed(1)
batch = torch.rand(N, N, device=device) * 2 - 1
weights = [(torch.rand(N, N, device=device) * 2 - 1) * (3 / N) ** 0.5 for _ in range(LAYERS)]
output = torch.zeros(N, N, device=device)
means: list[float | torch.Tensor] = []


def there_and_back(_: int) -> None:
    x = batch
    for w in weights:
        x = x @ w
        on_host = x.cpu()
        means.append(on_host.mean())
        x = on_host.to(device)
    output.copy_(x)


def one_number(_: int) -> None:
    x = batch
    for w in weights:
        x = x @ w
        means.append(x.mean().item())
    output.copy_(x)


def nothing(_: int) -> None:
    x = batch
    for w in weights:
        x = x @ w
        means.append(x.mean())
    output.copy_(x)


row = batch[:1].double().cpu()
for w in weights:
    row = row @ w.double().cpu()
for name, step in {"there-and-back": there_and_back, "one-number": one_number, "nothing": nothing}.items():
    output.zero_()
    means.clear()
    record(f"torch-stay-on-device-{name}", STEPS, step)
    check(f"stay_on_device_loop, {name}", output[:1], row, 1e-3)
    found = torch.tensor([float(mean) for mean in means[-LAYERS:]])
    check(f"stay_on_device_loop, {name}, the last mean", found[-1:], output.double().mean().cpu().reshape(1), 1e-2)
