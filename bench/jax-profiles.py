"""Records small profiles of jax.profiler: with jit, without it, with a read-back in the loop; with two
devices an all-reduce as well. Each leaves jit.trace.json.gz and jit.perfetto.json.gz, and so on.

    python3 bench/jax-profiles.py FOLDER
"""

import glob
import json
import os
import shutil
import sys
import tempfile
import time

import jax
import jax.numpy as jnp

STEPS = 5
WIDTH = 2048 if jax.default_backend() != "cpu" else 128


def make_params():
    keys = jax.random.split(jax.random.key(0), 2)
    return [jax.random.normal(key, (WIDTH, WIDTH), jnp.float32) * 0.02 for key in keys]


def loss_of(params, x):
    hidden = jnp.tanh(x @ params[0])
    return jnp.mean((hidden @ params[1] - x) ** 2)


def update(params, x):
    loss, grads = jax.value_and_grad(loss_of)(params, x)
    return [p - 0.1 * g for p, g in zip(params, grads)], loss


def record(folder, name, step, after):
    log = tempfile.mkdtemp()
    begun = time.perf_counter()
    with jax.profiler.trace(log, create_perfetto_trace=True):
        for number in range(STEPS):
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                last = step()
                after(last)
        jax.block_until_ready(last)
    seconds = time.perf_counter() - begun
    for ending in ("trace.json.gz", "perfetto_trace.json.gz"):
        found = [
            path
            for path in glob.glob(f"{log}/plugins/profile/*/*{ending}")
            if ending.startswith("perfetto") == os.path.basename(path).startswith("perfetto")
        ]
        for path in found:
            short = "perfetto" if ending.startswith("perfetto") else "trace"
            shutil.copy(path, os.path.join(folder, f"{name}.{short}.json.gz"))
    shutil.rmtree(log)
    return seconds


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    state = {"params": make_params()}
    x = jnp.ones((WIDTH, WIDTH), jnp.float32)
    jitted = jax.jit(update)

    def with_step(function):
        def step():
            state["params"], loss = function(state["params"], x)
            return loss

        return step

    def nothing(_):
        pass

    seconds = {}
    for name, function, after in (
        ("jit", jitted, nothing),
        ("no-jit", update, nothing),
        ("read-back", jitted, lambda loss: float(loss)),
    ):
        step = with_step(function)
        for _ in range(3):
            step().block_until_ready()
        seconds[name] = record(folder, name, step, after)
    if jax.device_count() > 1:
        count = jax.device_count()
        summed = jax.pmap(lambda y: jax.lax.psum(y @ y, "d"), axis_name="d")
        shards = jnp.ones((count, WIDTH, WIDTH), jnp.float32)
        jax.block_until_ready(summed(shards))
        seconds["all-reduce"] = record(folder, "all-reduce", lambda: summed(shards), nothing)
    said = {
        "jax": jax.__version__,
        "devices": [str(device.device_kind) for device in jax.devices()],
        "seconds": seconds,
    }
    with open(os.path.join(folder, "jax-profiles.json"), "w") as file:
        json.dump(said, file, indent=2)
    print(json.dumps(said))


main()
