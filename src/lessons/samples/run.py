"""Runs the Python that the site prints, as printed, on a GPU, and keeps what came of it: `kept.json` beside this script.

Each sample has a process of its own: first the text as printed, whose output is kept, then the same once more under measure.py. What the
text leaves free is given by left_free.py. Samples of several ranks run by torchrun, once, and are not measured line by line.

python3 run.py [names …] [--ranks] [--out kept.json]    # needs PyTorch with CUDA; --ranks takes those that need a GPU for each of two ranks
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from left_free import AFTER, GIVEN  # noqa: E402
from texts import hash_of, texts  # noqa: E402

LIMIT_S = 40
BY_GLOO = {"collectives/code": 4, "ranks/mend": 2}  # ranks that run on CPU cores, or take GPUs if there are enough
BY_NCCL = {"collectives/ask": 2, "collectives/mend": 4, "ranks/ask": 2, "ranks/code": 2, "read-a-profile/ask": 2}


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


def run_here(name: str, file: Path, result: Path) -> None:
    """In a process of its own: as printed, then measured."""
    from measure import measured

    code = compile(file.read_text(), str(file), "exec")
    names = names_for(name, file)
    begun = time.perf_counter()
    exec(code, names)
    seconds = time.perf_counter() - begun
    sys.stdout.flush()
    found: dict[str, object] = {"seconds": round(seconds, 3), "facts": asked(name, names)}
    names.clear()
    result.write_text(json.dumps(found))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # it prints the same again
    found |= measured(code, str(file), names_for(name, file))
    result.write_text(json.dumps(found))


def run_rank(name: str, file: Path, result: Path) -> None:
    """As one rank, started by torchrun."""
    names = names_for(name, file)
    text = file.read_text()
    # The group is asked before it ends.
    body, end, rest = text.partition("dist.destroy_process_group()")
    exec(compile(body, str(file), "exec"), names)
    facts = asked(name, names)
    exec(compile(end + rest, str(file), "exec"), names)
    result.with_suffix(f".{os.environ['RANK']}").write_text(json.dumps(facts))


def forked(name: str, folder: Path) -> dict[str, object]:
    file, result, output = file_of(name, folder), folder / "result.json", folder / "output"
    result.unlink(missing_ok=True)
    child = os.fork()  # torch is imported already, CUDA is not started
    if child == 0:
        os.setsid()
        os.chdir(folder)
        out = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(os.open(folder / "errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        status = 1
        try:
            run_here(name, file, result)
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    deadline, status = time.monotonic() + LIMIT_S, None
    while status is None:
        pid, ended = os.waitpid(child, os.WNOHANG)
        if pid:
            status = ended
        elif time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        else:
            time.sleep(0.02)
    found = json.loads(result.read_text()) if result.exists() else {}
    ran = status == 0
    return {"ran": ran} | found | {"output": output.read_text()} | ({} if ran else {"error": (folder / "errors").read_text()[-1500:]})


def by_torchrun(name: str, ranks: int, folder: Path) -> dict[str, object]:
    file, result = file_of(name, folder), folder / "rank"
    for each in folder.glob("rank.*"):
        each.unlink()
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), str(HERE / "run.py")]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*command, name, "--rank-of", str(file), "--out", str(result)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    try:
        output, errors = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
    facts = [json.loads(each.read_text()) for each in sorted(folder.glob("rank.*"))]
    ran = process.returncode == 0 and len(facts) == ranks
    return {
        "ran": ran,
        "seconds": round(time.perf_counter() - begun, 3),
        "ranks": ranks,
        "facts": {fact: [each[fact] for each in facts] for fact in facts[0]} if facts else {},
        "output": "".join(sorted(output.splitlines(keepends=True))),
    } | ({} if ran else {"error": errors[-1500:]})


def origin() -> dict[str, object]:
    """Asked in a process of its own: it starts CUDA."""
    script = (
        "import json, torch; on = torch.cuda.is_available(); print(json.dumps({'device': torch.cuda.get_device_name() if on else 'cpu', "
        "'gpus': torch.cuda.device_count(), 'torch': torch.__version__, 'cuda': torch.version.cuda}))"
    )
    found = json.loads(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    return found | {"date": datetime.now(timezone.utc).date().isoformat()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--out", default=str(HERE / "kept.json"))
    parser.add_argument("--rank-of", help="used by the script itself")
    arguments = parser.parse_args()
    if arguments.rank_of:
        run_rank(arguments.names[0], Path(arguments.rank_of), Path(arguments.out))
        return
    printed = texts()
    unknown = [name for name in [*GIVEN, *AFTER, *BY_GLOO, *BY_NCCL, *arguments.names] if name not in printed]
    assert not unknown, f"no such sample is printed: {', '.join(unknown)}"
    wanted = arguments.names or [name for name in printed if (name in BY_NCCL) == arguments.ranks]
    out = Path(arguments.out)
    kept = json.loads(out.read_text()) if out.exists() else {}
    made_on = origin()
    import torch  # noqa: F401  before the forks, so that each need not

    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            most = BY_GLOO.get(name) or min(BY_NCCL.get(name, 0), max(2, made_on["gpus"]))
            result = by_torchrun(name, most, Path(folder)) if most else forked(name, Path(folder))
        text = re.sub(r"/\S*/(\w+\.py)", r"\1", json.dumps(result))  # no folders of this machine
        kept[name] = {"hash": hash_of(printed[name])} | made_on | json.loads(text)
        out.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")  # after each, so that an end loses nothing
        print(f"{name}: {'ran' if result['ran'] else 'FAILED: ' + str(result.get('error', ''))[-300:]}", flush=True)


if __name__ == "__main__":
    main()
