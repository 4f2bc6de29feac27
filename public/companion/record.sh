#!/bin/sh
# Runs the scripts named, or all in SCRIPTS, on one GPU and writes what the lab's recordings hold: torch-*.json.gz (torch.profiler) and
# torch-*.json. Needs python3 with PyTorch and CUDA; torch-ranks.json says more with two GPUs. What fails, or does not fit into
# RECORD_SECONDS, is named in the last line, and the rest is recorded.
#
#   sh record.sh <folder> [script…]
set -eu
folder=${1:?which folder?}
shift
here=$(dirname "$0")
until=$(($(date +%s) + ${RECORD_SECONDS:-3600}))
export PYTHONDONTWRITEBYTECODE=1 # this folder is published as it stands
SCRIPTS='steps sync_stalls_step training_step async_submission_reads allocator profiler_wait
sync_stalls_curve worth_it command_queue streams_and_events overlapped_uploads_loader kernel_ladder transfer_cost tensor_residence hidden_waits
stay_on_device staging_buffers ranks_shards starved_by_the_loader async_submission sync_stalls overlapped_uploads
stay_on_device_loop tensor_residence_loop transfer_cost_loop worth_it_loop command_queue_loop streams_and_events_loop staging_buffers_loop
starved_by_the_loader_loop kernel_ladder_loop sync_stalls_loop'
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
missing=
for script in ${*:-$SCRIPTS}; do
    case $script in
    async_submission | sync_stalls | overlapped_uploads | *_loop) set -- "$folder" ;; # torch-<lesson>-<variant>.json.gz
    async_submission_reads) set -- --out "$folder/torch-async-submission.json" ;;
    ranks_shards) set -- --out "$folder/torch-ranks.json" ;;
    *) set -- --out "$folder/torch-$(echo "$script" | tr _ -).json" ;;
    esac
    begun=$(date +%s)
    left=$((until - begun))
    if [ "$left" -gt 0 ] && timeout -k 5 $((left < 150 ? left : 150)) python3 "$here/$script.py" "$@"; then
        echo "$script: $(($(date +%s) - begun)) s"
    else
        missing="$missing $script"
    fi
done
[ -z "$missing" ] || { echo "not recorded:$missing" && exit 1; }
