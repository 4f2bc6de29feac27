/**
 * An NVIDIA H200 under Chromium 156 on Linux, 16 cores, cross-origin isolated. Each constant says
 * which recording under public/recordings it was read off, and how; spans are medians of the
 * recorded host lane. None belongs to one lesson alone.
 */
import { GIB } from '../../base/figures'
import type { MachineProfile } from '../machine-profile'

export const h200: MachineProfile = {
  name: 'h200',
  source: "NVIDIA H200, Chromium 156: read off the lab's recordings of 2026-11-22 to 26",
  environment: {
    // sync-stalls: its report's environment; the model's own clocks have no steps to speak of.
    // Rates: the median of all recordings' reports.
    adapter: {
      vendor: 'nvidia',
      architecture: '',
      device: '0x2335',
      description: 'NVIDIA H200',
      isFallbackAdapter: false,
      subgroupMinSize: 32,
      subgroupMaxSize: 32,
    },
    adapterName: 'NVIDIA H200, modelled',
    isSoftware: false,
    features: ['subgroups', 'timestamp-query'],
    limits: {
      maxBufferSize: 4 * GIB - 4,
      maxStorageBufferBindingSize: 2 * GIB - 4,
      maxComputeWorkgroupStorageSize: 49152,
      maxComputeInvocationsPerWorkgroup: 1024,
      maxComputeWorkgroupSizeX: 1024,
      maxComputeWorkgroupSizeY: 1024,
      maxComputeWorkgroupSizeZ: 64,
      maxComputeWorkgroupsPerDimension: 65535,
      maxStorageBuffersPerShaderStage: 16,
      minStorageBufferOffsetAlignment: 256,
      maxBindGroups: 4,
    },
    userAgent: 'HeadlessChrome/156.0.0.0',
    crossOriginIsolated: true,
    hardwareConcurrency: 16,
    hostClockStepUs: 0.2,
    deviceClockStepNs: 32,
    emptySubmitLatencyMs: 0.14,
    completionLatencyMs: 1.208,
    copyTimingWorks: true,
    matmulGflops: 30_300,
  },
  host: {
    // command-queue, host-us of a kernel: 0.57 in one pass, 1.86 in passes, 4.9 in command buffers,
    // 11.9 in submits; the differences.
    calls: {
      setBindGroup: 220,
      dispatch: 350,
      beginPass: 700,
      setPipeline: 240,
      endPass: 350,
      createCommandEncoder: 1300,
      finish: 1760,
      submit: 6000,
      // sync-stalls every-step: what is left of a step beside its encode, submit, wait and read, 40
      // µs, in equal parts.
      copy: 1000,
      mapAsync: 4000,
      onSubmittedWorkDone: 4000,
      getMappedRange: 4000,
      unmap: 6000,
      // transfer-cost pieces: write-ms of 64 writes of 16 KiB, 0.44, less their bytes.
      writeBuffer: 4500,
      // staging-buffers mapped-at-creation: create-ms less its zeros.
      createBuffer: 10_000,
      other: 1000,
    },
    clockReadNs: 200,
    // sync-stalls: encode and submit of a step that follows a wait, 30 and 15 µs, against 5 and 10
    // where none does.
    wakeNs: 20_000,
    coldNs: 25_000,
    // transfer-cost up-64m: 67.1 MB in write-ms 9.79.
    writeRate: 6.9,
    // fill-ms of 33.6 MB: staging-buffers 4.3 to 4.9, overlapped-uploads 3.1 to 3.5. In between.
    fillRate: 8.2,
    // transfer-cost down-64m: read-ms 8.91 of 67.1 MB, into memory that is there.
    readRate: 7.5,
    // stay-on-device round-trips: read-ms 10.83 of 16.8 MB, a slice() each.
    newMemoryRate: 1.55,
    // staging-buffers mapped-at-creation: create-ms 2.86 of 33.6 MB.
    zeroRate: 11.7,
    // staging-buffers write-buffer: after four batches of 32 MiB a write takes 25 ms, two more
    // batches.
    mostShared: 160 * 2 ** 20,
  },
  processor: {
    // worth-it: time-ms of cpu-n. n = 32: 0.034 ms, less 12.3 kB and its arithmetic.
    library: 'onnxruntime-web',
    threads: 8,
    callNs: 28_000,
    // n = 256: 0.69 ms, less the call and 0.23 of arithmetic, for 0.79 MB; the same over all sizes:
    // 2.2.
    copyRate: 2.2,
    // larger, n = 2048: 126 ms; n = 1024: 17.7 to 23, less 5.7 for 12.6 MB.
    gflops: 145,
  },
  process: {
    // transfer-cost pieces-awaited: 142 µs a piece; less half of writeNs, its bytes, the wake-up,
    // cold caches and handling, two messages.
    messageNs: 35_000,
    handleNs: 5000,
    // command-queue without timestamps, command-buffers: 11.8 µs a kernel, all of it the GPU
    // process's; less a pass, a dispatch and what is between.
    commandBufferNs: 5000,
    passNs: 2000,
    // command-queue submits: 36 to 40 µs a kernel; less a message's handling, a command buffer, a
    // pass, a dispatch and its timestamps.
    submitNs: 16_000,
    // tensor-residence on-device: 0.13 to 0.14 ms a step, a write of 4 bytes and a submission;
    // transfer-cost pieces: 50 µs. In between.
    writeNs: 30_000,
    // command-queue one-pass: 4 steps of 64 kernels end 0.7 ms later than the device's 1.64 and the
    // first poll's 2.6 allow; 256 dispatches.
    dispatchNs: 2500,
    // staging-buffers write-buffer: 12.06 ms a batch of 33.6 MB, all of it the GPU process's (the
    // host writes in 4.3). transfer-cost: 2.85.
    freshRate: 2.85,
    // overlapped-uploads upload-only: 6.7 GB/s in all; staging-buffers reused: in flight for 6.03,
    // less the first poll.
    carryRate: 9.5,
    // transfer-cost down-64m: stall-ms 11.8 less the copy over the bus and a message.
    readbackRate: 6.6,
    // A read behind one kernel, recorded 2026-11-26: the wait stays at 2.65 to 2.7 ms up to kernels
    // of 1.93, then 3.8, 4.9, 7.1.
    firstPollNs: 2.55e6,
    pollNs: 1.1e6,
  },
  device: {
    multiprocessors: 132,
    // async-submission queued: launch-gap-us 12.4. command-queue command-buffers: 1.82.
    submitGapNs: 12_400,
    commandBufferGapNs: 1820,
    // command-queue one-pass: 6.58 µs a kernel of n = 24, less 24 steps along k.
    passNs: 0,
    launchNs: 3200,
    // command-queue: a stamped pass takes 11.4 µs, the same kernel without 6.5.
    stampNs: 4900,
    // overlapped-uploads: device-copy-gb-per-s 392. stay-on-device round-trips: 16.8 MB in 0.324
    // ms. kernel-ladder: stream-copy.
    uploadRate: 392,
    downloadRate: 51.8,
    memoryRate: 3967,
    // kernel-ladder: peak-gflops.
    peakGflops: 62_700,
    // Any length does: what spins is calibrated.
    spinNs: 4,
    matmuls: [
      // worth-it, time-ms of resident-n from 128 to 1024: 166 ns a step along k and 9 µs;
      // sync-stalls, n = 288: 57 µs. In between.
      { kernel: 'vectorised', below: 1280, resident: 4, stepNs: 178, gflops: 40_000 },
      // worth-it larger n = 1536, stay-on-device 2048, async-submission 2944: 121, 122, 130 ns;
      // kernel-ladder for the others, at n = 2048.
      { kernel: 'vectorised', resident: 1, stepNs: 124, gflops: 62_700 },
      { kernel: 'pipelined', below: 2048, resident: 4, stepNs: 75, gflops: 62_700 },
      { kernel: 'pipelined', resident: 1, stepNs: 102, gflops: 62_700 },
      { kernel: 'register-blocked', resident: 4, stepNs: 160, gflops: 26_100 },
      { kernel: 'tiled', resident: 8, stepNs: 60, gflops: 7880 },
      { kernel: 'coalesced', resident: 8, stepNs: 100, gflops: 2765 },
      // command-queue: 24 steps of 135 ns.
      { kernel: 'naive', resident: 8, stepNs: 135, gflops: 961 },
      { kernel: 'direct', resident: 8, stepNs: 60, gflops: 10_000 },
    ],
  },
}
