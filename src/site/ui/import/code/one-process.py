from time import perf_counter
import torch
from torch.profiler import profile, schedule

batches = iter(loader)
for step in range(25):  # without the profiler: 5 to warm up, 20 timed
    if step == 5:
        torch.cuda.synchronize()
        start = perf_counter()
    train_step(next(batches))
torch.cuda.synchronize()
plain_ms = (perf_counter() - start) / 20 * 1e3

steps = schedule(wait=0, warmup=2, active=6, repeat=1)
with profile(schedule=steps, record_shapes=True, with_stack=True) as p:
    p.preset_metadata_json("step_ms_without_profiler", f"{plain_ms:.3f}")
    for _ in range(8):
        train_step(next(batches))
        p.step()
p.export_chrome_trace("trace.json.gz")
