#!/usr/bin/env bash
# Records anew what public/recordings holds, in one pass: lessons with their steps (`lab record`), then PyTorch's figures and profiles
# (public/companion). On a machine with the GPU, used by nothing else, from the root of the repository, with `dist` built.
#
#   bash cli/record-all.sh [--adapter gpu|software] [NAME…]
#
# NAME: lessons, torch, profiles (none: these three); or a lesson, a file of one (sync-stalls/curve.hdl.gz), a script of
# public/companion/record.sh (worth_it). Nothing goes on after RECORD_SECONDS (420), and the last line names what was not recorded, as the
# command that records it. OUT (lab-out/recorded) gets recordings.tar, torch.tar, profiles.tar and log.
set -uo pipefail
adapter=gpu
if [ "${1:-}" = --adapter ]; then
    adapter=${2:?which adapter?}
    shift 2
fi
out=${OUT:-lab-out/recorded}
until=$(($(date +%s) + ${RECORD_SECONDS:-420}))
work=$(mktemp -d)
mkdir -p "$out" "$work/lessons" "$work/torch"
exec > >(tee "$out/log") 2>&1

missing=()
# record NAMES COMMAND…: its line 'not recorded: …' names what is missing; where it fails without that line, it is all of NAMES.
record() {
    local names=$1 said
    shift
    "$@" 2>&1 | tee "$work/said" && return
    said=$(sed -n 's/^not recorded: *//p' "$work/said")
    missing+=(${said:-$names})
}
left() { echo $((until - $(date +%s))); }

lessons=() scripts=()
[ $# -gt 0 ] || set -- lessons torch profiles
for name in "$@"; do
    case $name in
    lessons | torch | profiles) ;;
    *_*) scripts+=("$name") ;;
    *) lessons+=("$name") ;;
    esac
done
# asked GROUP COUNT: the group is named itself, or COUNT of it are.
asked() { [ "$2" -gt 0 ] || [[ " $names " = *" $1 "* ]]; }
names=$*

if asked lessons ${#lessons[@]}; then
    seconds=$(left)
    record "${lessons[*]:-lessons}" timeout -k 5 $((seconds + 30)) \
        node cli/lab.mjs record ${lessons[@]+"${lessons[@]}"} --adapter "$adapter" --seconds "$seconds" --out "$work/lessons"
    tar -cf "$out/recordings.tar" -C "$work/lessons" .
fi
if asked torch ${#scripts[@]}; then
    RECORD_SECONDS=$(left) record "${scripts[*]:-torch}" sh public/companion/record.sh "$work/torch" ${scripts[@]+"${scripts[@]}"}
    tar -cf "$out/torch.tar" -C "$work/torch" .
fi
if asked profiles 0; then
    seconds=$(left)
    # Keeps its profiles.tar after each.
    [ "$seconds" -gt 0 ] && timeout -k 5 "$seconds" sh public/companion/record-profiles.sh "$out" || missing+=(profiles)
fi
rm -r "$work"
[ ${#missing[@]} -eq 0 ] || { echo "not recorded: bash cli/record-all.sh --adapter $adapter ${missing[*]}" && exit 1; }
