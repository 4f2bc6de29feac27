from torch.profiler import profile, schedule
with profile(schedule=schedule(wait=2, warmup=2, active=6, repeat=1), with_stack=True) as p:
    for batch in loader:
        train_step(batch)
        p.step()
p.export_chrome_trace("trace.json.gz")
