#!/bin/sh
# Records the profiles of the lesson read-a-profile: read_a_profile.py with each fault, and ranks.py on two ranks (NCCL; with one
# GPU both ranks use it, by Gloo). Writes <folder>/profiles.tar and <folder>/summary.txt, one line for each profile.
# Needs python3 with PyTorch and CUDA, and takes a few minutes. What fails is named, and the rest is recorded.
#
#   sh record-profiles.sh <folder>
set -eu
failed=0
folder=${1:?which folder?}
here=$(dirname "$0")
profiles=$(mktemp -d)
trap 'rm -r "$profiles"' EXIT
export PYTHONDONTWRITEBYTECODE=1 # this folder is published as it stands
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
gpus=$(python3 -c 'import torch; print(torch.cuda.device_count())')

# Kept after each, so that an end before the last loses nothing.
run() {
    echo "$*"
    timeout -k 5 75 python3 "$@" --out "$profiles" || { echo "failed: $*" && failed=1; }
    [ -z "$(ls "$profiles")" ] || tar -cf "$folder/profiles.tar" -C "$profiles" $(ls "$profiles")
}

for fault in none read pageable no-overlap small-kernels; do
    run "$here/read_a_profile.py" --fault $fault
done
export OMP_NUM_THREADS=1 # what torchrun sets, with a warning
ranks="-m torch.distributed.run --nproc-per-node 2 $here/ranks.py"
run $ranks --fault none
run $ranks --fault late-rank
if [ "$gpus" -gt 1 ]; then
    run $ranks --no-overlap
    run $ranks --sharded
    run $ranks --sharded --no-overlap
fi
python3 "$here/summary.py" "$profiles"/*.json.gz | tee "$folder/summary.txt"
exit $failed
