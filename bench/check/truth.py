"""Which lines of loops.py make the host wait, on a real GPU: by PyTorch's own warnings, and by the calls in a profile.

    python bench/check/truth.py truth.json

Every loop runs once to warm up, once with torch.cuda.set_sync_debug_mode("warn"), once under torch.profiler with each line as a range.
"""

import json
import os
import sys
import traceback
from collections import Counter

import torch

import loops
from waits import HAS_GPU, Steps, profiled, warned

FILE = os.path.abspath(loops.__file__)
TEXT = open(FILE).read().split("\n")


def is_other(file):
    return os.path.abspath(file) != FILE


def main(out):
    result = {"torch": torch.__version__, "device": torch.cuda.get_device_name() if HAS_GPU else "cpu", "loops": []}
    for run in loops.LOOPS:
        entry = {"loop": run.__name__, "lines": []}
        try:
            torch.manual_seed(0)
            run()
            warns = Counter(wait.line for wait in warned(run, Steps(), is_other))
            calls = Counter((wait.line, wait.call) for wait in profiled(run, Steps(), is_other)[0])
            for line in sorted({*warns, *(line for line, _ in calls)}):
                entry["lines"].append(
                    {
                        "line": line,
                        "text": TEXT[line - 1].strip(),
                        "warned": warns[line],
                        "calls": {name: count for (at, name), count in sorted(calls.items()) if at == line},
                    }
                )
        except Exception:
            entry["error"] = traceback.format_exc()
        result["loops"].append(entry)
        print(run.__name__, "error" if "error" in entry else len(entry["lines"]), flush=True)
        if "error" in entry:
            print(entry["error"])
    with open(out, "w") as file:
        json.dump(result, file, indent=1)


main(sys.argv[1] if len(sys.argv) > 1 else "truth.json")
