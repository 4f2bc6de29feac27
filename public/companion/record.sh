#!/bin/sh
# Runs every script here on one GPU and writes what the lab's recordings hold: torch-*.json.gz (torch.profiler) and
# torch-sync-stalls-curve.json. Needs python3 with PyTorch and CUDA.
#
#   sh record.sh <folder>
set -eu
folder=${1:?which folder?}
here=$(dirname "$0")
export PYTHONDONTWRITEBYTECODE=1 # this folder is published as it stands
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for script in async_submission sync_stalls overlapped_uploads; do
    python3 "$here/$script.py" "$folder"
done
python3 "$here/sync_stalls_curve.py" --out "$folder/torch-sync-stalls-curve.json"
