#!/bin/sh
# Runs every script here on one GPU and writes what the lab's recordings hold: torch-*.json.gz (torch.profiler) and
# torch-sync-stalls-curve, torch-command-queue, torch-worth-it, torch-tensor-residence, torch-stay-on-device, torch-transfer-cost,
# torch-overlapped-uploads-loader, torch-staging-buffers, torch-kernel-ladder, torch-streams-and-events and torch-ranks.json. Needs python3 with
# PyTorch and CUDA; torch-ranks.json says more with two GPUs.
#
#   sh record.sh <folder>
set -eu
folder=${1:?which folder?}
here=$(dirname "$0")
export PYTHONDONTWRITEBYTECODE=1 # this folder is published as it stands
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
python3 "$here/sync_stalls_curve.py" --out "$folder/torch-sync-stalls-curve.json"
for script in async_submission sync_stalls overlapped_uploads; do
    python3 "$here/$script.py" "$folder"
done
python3 "$here/command_queue.py" --out "$folder/torch-command-queue.json"
python3 "$here/worth_it.py" --out "$folder/torch-worth-it.json"
python3 "$here/tensor_residence.py" --out "$folder/torch-tensor-residence.json"
python3 "$here/stay_on_device.py" --out "$folder/torch-stay-on-device.json"
python3 "$here/transfer_cost.py" --out "$folder/torch-transfer-cost.json"
python3 "$here/overlapped_uploads_loader.py" --out "$folder/torch-overlapped-uploads-loader.json"
python3 "$here/kernel_ladder.py" --out "$folder/torch-kernel-ladder.json"
python3 "$here/staging_buffers.py" --out "$folder/torch-staging-buffers.json"
python3 "$here/streams_and_events.py" --out "$folder/torch-streams-and-events.json"
python3 "$here/ranks_shards.py" --out "$folder/torch-ranks.json"
