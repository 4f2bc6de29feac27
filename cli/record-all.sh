#!/usr/bin/env bash
# Records anew what public/recordings holds, in one pass: lessons with their steps (`lab record-lessons`), then PyTorch's figures and profiles
# (public/companion). On a machine with the GPU, used by nothing else, from the root of the repository, with `dist` built.
#
#   bash cli/record-all.sh [--adapter gpu|software] [NAME…]
#
# NAME: lessons, torch, profiles (none: these three); or a lesson, a file of one (sync-stalls/longer.hdl.gz), a script of
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

# Steps are recorded with three repeats, so that a lesson's files stay below 460 kB; those of these lessons with the lesson's own.
own=' collectives ranks staging-buffers stay-on-device streams-and-events '
whole=() three=() scripts=() torch= profiles=
sort_names() {
    local name
    for name in "$@"; do
        case $name in
        lessons) for name in src/experiments/*/; do
            name=$(basename "$name")
            [ ! -e "src/lessons/$name/lesson.md" ] || sort_names "$name"
        done ;;
        torch) torch=all ;;
        profiles) profiles=all ;;
        *_*) scripts+=("$name") ;;
        *) if [[ $own = *" ${name%%[/.]*} "* ]]; then whole+=("$name"); else three+=("$name"); fi ;;
        esac
    done
}
[ $# -gt 0 ] || set -- lessons torch profiles
sort_names "$@"

# lab NAMES OPTION…
lab() {
    local names=$1 seconds
    shift
    [ -n "$names" ] || return 0
    seconds=$(left)
    if [ "$seconds" -lt 1 ]; then
        missing+=($names)
    else
        record "$names" timeout -k 5 $((seconds + 30)) \
            node cli/lab.mjs record-lessons $names --adapter "$adapter" --seconds "$seconds" --out "$work/lessons" "$@"
    fi
    tar -cf "$out/recordings.tar" -C "$work/lessons" .
}
lab "${three[*]-}" --set repeats=3
lab "${whole[*]-}"
if [ -n "$torch${scripts[*]-}" ]; then
    RECORD_SECONDS=$(left) record "${scripts[*]:-torch}" sh public/companion/record.sh "$work/torch" ${scripts[@]+"${scripts[@]}"}
    tar -cf "$out/torch.tar" -C "$work/torch" .
fi
if [ -n "$profiles" ]; then
    seconds=$(left)
    # Keeps its profiles.tar after each.
    [ "$seconds" -gt 0 ] && timeout -k 5 "$seconds" sh public/companion/record-profiles.sh "$out" || missing+=(profiles)
fi
rm -r "$work"
[ ${#missing[@]} -eq 0 ] || { echo "not recorded: bash cli/record-all.sh --adapter $adapter ${missing[*]}" && exit 1; }
