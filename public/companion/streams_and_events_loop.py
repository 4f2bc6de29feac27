"""A loop of streams-and-events: a product a step, whose first numbers the host hands over. It waits for all of the GPU's work, for this step's
event, or for the event of the step before.

python3 streams_and_events_loop.py [folder for the traces]
"""

import torch
from profiling import WARM_UP_STEPS, check, record

N = 2048  # 0.34 ms a product on an H200: longer than a launch under the profiler
WORDS = 32
STEPS = 12

device = torch.device("cuda")
torch.manual_seed(1)
inputs = [torch.randn(N, N, device=device) for _ in range(3)]
weights = torch.randn(N, N, device=device)
results = [torch.zeros(N, N, device=device) for _ in range(2)]
hosts = [torch.zeros(WORDS, pin_memory=True) for _ in range(2)]
done = [torch.cuda.Event() for _ in range(2)]
handed: list[list[float]] = []


def all_work(step: int) -> None:
    now, before = step % 2, (step - 1) % 2
    torch.mm(inputs[step % 3], weights, out=results[now])
    hosts[now].copy_(results[now][0, :WORDS], non_blocking=True)
    done[now].record()
    torch.cuda.synchronize()
    handed.append(hosts[now].tolist())


def own_event(step: int) -> None:
    now, before = step % 2, (step - 1) % 2
    torch.mm(inputs[step % 3], weights, out=results[now])
    hosts[now].copy_(results[now][0, :WORDS], non_blocking=True)
    done[now].record()
    done[now].synchronize()
    handed.append(hosts[now].tolist())


def event_before(step: int) -> None:
    now, before = step % 2, (step - 1) % 2
    torch.mm(inputs[step % 3], weights, out=results[now])
    hosts[now].copy_(results[now][0, :WORDS], non_blocking=True)
    done[now].record()
    done[before].synchronize()
    handed.append(hosts[before].tolist())


rows = [(each[:1].double() @ weights.double())[0, :WORDS].cpu() for each in inputs]
for name, step in {"all-work": all_work, "own-event": own_event, "event-before": event_before}.items():
    handed.clear()
    record(f"torch-streams-and-events-{name}", STEPS, step)
    late = 1 if name == "event-before" else 0  # the first step hands over nothing of its own
    expected = [rows[(index - late) % 3] for index in range(late, WARM_UP_STEPS + STEPS)]
    check(f"streams_and_events_loop, {name}", torch.tensor(handed[late:]), torch.stack(expected))
