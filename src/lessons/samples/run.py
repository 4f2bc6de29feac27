"""Runs the Python that the site prints, as printed, on a GPU, and keeps what came of it: `kept.json` beside this script.

Each sample has a process of its own: first the text as printed, whose output is kept, then the same once more under measure.py. What the
text leaves free is given by left_free.py. Samples of several ranks run by torchrun, once, and are not measured line by line.

python3 run.py [names …] [--part 1/2] [--out kept.json]    # needs PyTorch with CUDA
python3 run.py --ranks                                     # those that need a GPU for each of two ranks
"""

import argparse
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from datetime import datetime, timezone
from multiprocessing.connection import Connection
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from left_free import AFTER, GIVEN  # noqa: E402
from texts import hash_of, texts  # noqa: E402

LIMIT_S = 60
WAVE = 9  # processes that have CUDA started at the same time
FORK = multiprocessing.get_context("fork")
BY_GLOO = {"collectives/code": 4, "pipeline-bubble/code": 4, "pipeline-bubble/mend": 4, "ranks/mend": 2}  # ranks that run on CPU cores, or take GPUs if there are enough
BY_NCCL = {
    "collectives/ask": 2,
    "collectives/mend": 4,
    "pipeline-bubble/ask": 4,
    "ranks/ask": 2,
    "ranks/code": 2,
    "read-a-profile/ask": 2,
}


def file_of(name: str, folder: Path) -> Path:
    """The sample's text as a file: what is compiled says its lines, and Triton reads a kernel from its file."""
    file = folder / f"{name.replace('/', '_')}.py"
    if not file.exists():
        file.write_text(texts()[name])
    return file


def names_for(name: str, file: Path) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "__main__", "__file__": str(file)}
    exec(compile(GIVEN.get(name, ""), "<given>", "exec"), names)
    return names


def asked(name: str, names: dict[str, object]) -> dict[str, object]:
    return {fact: eval(expression, names) for fact, expression in AFTER.get(name, {}).items()}


def redirected(folder: Path) -> None:
    """What this process prints goes to files."""
    for descriptor, name in ((1, "output"), (2, "errors")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)


def sample_process(name: str, folder: Path, parent: Connection) -> None:
    """One sample: each stage is done when the parent sends anything, and answered with what came of it."""
    os.setsid()
    os.chdir(folder)
    redirected(folder)
    try:
        import torch
        from measure import measured, warm_up

        file = file_of(name, folder)
        code = compile(file.read_text(), str(file), "exec")
        if torch.cuda.is_available():
            torch.cuda.init()
        parent.send({})

        parent.recv()
        names = names_for(name, file)
        begun = time.perf_counter()
        exec(code, names)
        seconds = time.perf_counter() - begun
        sys.stdout.flush()
        parent.send({"seconds": round(seconds, 3), "facts": asked(name, names), "output": (folder / "output").read_text()})

        parent.recv()
        names.clear()
        warm_up()
        parent.send({})

        parent.recv()
        parent.send(measured(code, str(file), names_for(name, file)))
    except BaseException:
        parent.send({"error": traceback.format_exc()[-1500:]})
    os._exit(0)  # what a sample has started may not hold the end up


class Sample:
    """A sample's process, seen from this one. torch is imported here already, CUDA is not started."""

    def __init__(self, name: str, folder: Path) -> None:
        self.connection, other = FORK.Pipe()
        self.process = FORK.Process(target=sample_process, args=(name, folder, other))
        self.process.start()
        other.close()
        self.found: dict[str, object] = {}

    def go(self) -> None:
        if "error" not in self.found:
            try:
                self.connection.send("go")
            except OSError:
                self.found["error"] = "its process has ended"

    def wait(self) -> None:
        if "error" in self.found:
            return
        try:
            self.found |= self.connection.recv() if self.connection.poll(LIMIT_S) else {"error": f"not done after {LIMIT_S} s"}
        except EOFError:
            self.found["error"] = "its process has ended"

    def end(self) -> dict[str, object]:
        if self.process.is_alive() and "error" in self.found:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()
        return {"ran": "error" not in self.found} | self.found


def in_wave(names: list[str], folder: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """What takes long and measures nothing, starting CUDA and the profiler, all at once; the rest one after the other."""
    samples = {}
    for name in names:
        own = folder / name.replace("/", "_")
        own.mkdir()
        samples[name] = Sample(name, own)
    for each in samples.values():
        each.wait()
    for each in samples.values():
        each.go()
        each.wait()
    for each in samples.values():
        each.go()
    for each in samples.values():
        each.wait()
    for name, each in samples.items():
        each.go()
        each.wait()
        yield name, each.end()


def run_rank(name: str, file: Path) -> None:
    """As one rank, started by torchrun."""
    own = file.parent / f"rank{os.environ['RANK']}"
    own.mkdir()
    redirected(own)
    names = names_for(name, file)
    text = file.read_text()
    # The group is asked before it ends.
    body, end, rest = text.partition("dist.destroy_process_group()")
    exec(compile(body, str(file), "exec"), names)
    facts = asked(name, names)
    exec(compile(end + rest, str(file), "exec"), names)
    sys.stdout.flush()
    (own / "facts").write_text(json.dumps(facts))


def by_torchrun(name: str, ranks: int, folder: Path) -> dict[str, object]:
    file = file_of(name, folder)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), str(HERE / "run.py")]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*command, name, "--rank-of", str(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    try:
        process.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    each = sorted(folder.glob("rank?"))
    facts = [json.loads((rank / "facts").read_text()) for rank in each if (rank / "facts").exists()]
    ran = process.returncode == 0 and len(facts) == ranks
    return {
        "ran": ran,
        "seconds": round(time.perf_counter() - begun, 3),
        "ranks": ranks,
        "facts": {fact: [rank[fact] for rank in facts] for fact in facts[0]} if facts else {},
        "output": "".join((rank / "output").read_text() for rank in each),
    } | ({} if ran else {"error": "".join((rank / "errors").read_text()[-800:] for rank in each)})


def origin() -> dict[str, object]:
    """Asked in a process of its own: it starts CUDA."""
    script = (
        "import json, torch; on = torch.cuda.is_available(); print(json.dumps({'device': torch.cuda.get_device_name() if on else 'cpu', "
        "'gpus': torch.cuda.device_count(), 'torch': torch.__version__, 'cuda': torch.version.cuda}))"
    )
    found = json.loads(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    return found | {"date": datetime.now(timezone.utc).date().isoformat()}


def results(names: list[str], gpus: int) -> Iterator[tuple[str, dict[str, object]]]:
    alone = [name for name in names if name not in BY_GLOO | BY_NCCL]
    for first in range(0, len(alone), WAVE):
        with tempfile.TemporaryDirectory() as folder:
            yield from in_wave(alone[first : first + WAVE], Path(folder))
    for name in names:
        if name not in alone:
            ranks = BY_GLOO.get(name) or min(BY_NCCL[name], max(2, gpus))
            with tempfile.TemporaryDirectory() as folder:
                yield name, by_torchrun(name, ranks, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--part", help="1/2: the first half of them")
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--out", default=str(HERE / "kept.json"))
    parser.add_argument("--rank-of", help="used by the script itself")
    arguments = parser.parse_args()
    if arguments.rank_of:
        run_rank(arguments.names[0], Path(arguments.rank_of))
        return
    printed = texts()
    unknown = [name for name in [*GIVEN, *AFTER, *BY_GLOO, *BY_NCCL, *arguments.names] if name not in printed]
    assert not unknown, f"no such sample is printed: {', '.join(unknown)}"
    wanted = arguments.names or [name for name in printed if (name in BY_NCCL) == arguments.ranks]
    if arguments.part:
        at, of = (int(each) for each in arguments.part.split("/"))
        wanted = wanted[at - 1 :: of]
    out = Path(arguments.out)
    kept = json.loads(out.read_text()) if out.exists() else {}
    made_on = origin()
    import torch  # noqa: F401  before the forks, so that each need not
    import torch._dynamo  # noqa: F401  which the first optimizer imports

    begun = time.perf_counter()
    for name, result in results(wanted, made_on["gpus"]):
        text = re.sub(r"/[\w./-]*/(\w+\.py)", r"\1", json.dumps(result))  # no folders of this machine
        kept[name] = {"hash": hash_of(printed[name])} | made_on | json.loads(text)
        out.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")  # after each, so that an end loses nothing
        said = "ran" if result["ran"] else f"FAILED: {str(result.get('error', ''))[-300:]}"
        print(f"{time.perf_counter() - begun:6.1f} s, {name}: {said}", flush=True)


if __name__ == "__main__":
    main()
