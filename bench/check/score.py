"""Compares what public.py measured with what the check finds in the same files.

    python3 bench/check/score.py FOLDER OUT.json

A line waits where it did so in at least every second step; the lines of other files that it calls are not
counted, though a finding that names such a call is no false one. Findings of other kinds than 'blocks' and 'copies'
name no wait, and are left out, as are those on lines that did not run in every second step.
"""

import json
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def check(files):
    command = ["node", "cli/lab.mjs", "check", "--json", *files]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return {each["file"]: each for each in json.loads(said)["files"]}


def lines_of(finding):
    return range(finding["line"], finding["endLine"] + 1)


def score(measured, checked):
    """Lines found, missed, falsely found, found though they wait rarely, and lines that call a wait elsewhere."""
    enough, ran = measured["steps"] / 2, set(measured["ran"])
    waits, seldom, calls, elsewhere = set(), set(), set(), set()
    for line in measured["lines"]:
        if line["file"] == measured["path"]:
            (waits if max(line["steps"].values()) >= enough else seldom).add(line["line"])
        calls.update(line.get("above", []))
        if max(line["steps"].values()) >= enough:
            elsewhere.update(set(line.get("above", [])) & ran)
    found, false, rare = set(), [], []
    for finding in checked["findings"]:
        if finding["kind"] not in ("blocks", "copies"):
            continue
        found |= waits.intersection(lines_of(finding))
        if (waits | calls).intersection(lines_of(finding)) or not ran.intersection(lines_of(finding)):
            continue
        (rare if seldom.intersection(lines_of(finding)) else false).append((finding["line"], finding["rule"]))
    asked = {question["line"] for question in checked["questions"]}
    missed = sorted(waits - found)
    return sorted(found), [(line, "asked" if line in asked else "") for line in missed], false, rare, elsewhere - waits


def main(folder, out):
    with open(out) as file:
        loops = [each for each in json.load(file)["loops"] if each.get("steps")]
    paths = [os.path.abspath(f"{folder}/{each['repo'].replace('/', '+')}/{each['path']}") for each in loops]
    checked = check(paths)
    totals = [0, 0, 0, 0, 0]
    for each, path in zip(loops, paths):
        parts = score(each, checked[path])
        totals = [total + len(part) for total, part in zip(totals, parts)]
        with open(path) as file:
            text = file.read().split("\n")
        print(f"{each['loop']}: found {len(parts[0])}, missed {len(parts[1])}, false {len(parts[2])}")
        for name, part in zip(("missed", "false", "rare"), parts[1:]):
            for line, what in part:
                print(f"  {name} {line} {what}: {text[line - 1].strip()[:90]}")
    found, missed, false, rare, elsewhere = totals
    print(f"{len(loops)} loops: recall {found}/{found + missed} = {found / max(1, found + missed):.0%},", end=" ")
    print(f"{false} false findings, {rare} on lines that wait in fewer than every second step;", end=" ")
    print(f"{elsewhere} more lines call functions of other files that wait")


if __name__ == "__main__":
    main(*sys.argv[1:])
