/**
 * PyTorch on CUDA on an NVIDIA H200, for the same programs: one stream. Ends of work are told, not looked for; a mapped buffer is pinned
 * memory, and to unmap it is free; what is copied from it goes in stream order; writeBuffer() copies from pageable memory and holds the host.
 * Each constant says which file under public/recordings it was read off; none of them was recorded under a profiler. Kernels are the
 * program's own, as on the H200's card: cuBLAS is faster.
 */
import type { Card } from '../card'
import { h200 } from './h200'

const FREE = 0
const AT_ONCE = Infinity

export const cuda: Card = {
  name: 'cuda',
  source: "PyTorch on CUDA, NVIDIA H200: read off the lab's unprofiled recordings of 2026-11-26",
  environment: { ...h200.environment, adapterName: 'NVIDIA H200 by CUDA, modelled' },
  host: {
    calls: {
      setBindGroup: FREE,
      // torch-command-queue: eagerUs of the smallest kernel, 10.84, all of it the host's.
      dispatch: 10_800,
      beginPass: FREE,
      setPipeline: FREE,
      endPass: FREE,
      createCommandEncoder: FREE,
      finish: FREE,
      submit: FREE,
      // torch-sync-stalls-curve: idleMs after .item(), 0.021 to 0.037: launch, copy, wake-up and two messages.
      copy: 4000,
      mapAsync: 1000,
      onSubmittedWorkDone: 1000,
      getMappedRange: FREE,
      unmap: FREE,
      // torch-transfer-cost: pageableUp of 4 KiB, 12.8 µs.
      writeBuffer: 12_600,
      createBuffer: 1000,
      other: FREE,
    },
    clockReadNs: 200,
    wakeNs: 7000,
    coldNs: FREE,
    // torch-transfer-cost: pageableUp of 64 MiB, 4.09 ms.
    writeRate: 16.4,
    // torch-staging-buffers: fillMs of 64 MiB, 0.81.
    fillRate: 83,
    // torch-transfer-cost: what pageableDown of 64 MiB takes beyond pinnedDown, 2.29 ms.
    readRate: 29,
    newMemoryRate: 29,
    // torch-staging-buffers: pinningMs of 64 MiB, 34.2.
    zeroRate: 1.96,
    mostShared: Infinity,
  },
  processor: h200.processor,
  process: {
    messageNs: 2000,
    handleNs: FREE,
    dispatchNs: FREE,
    passNs: FREE,
    commandBufferNs: FREE,
    submitNs: FREE,
    writeNs: FREE,
    freshRate: AT_ONCE,
    carryRate: AT_ONCE,
    readbackRate: AT_ONCE,
    // An event tells.
    looksAtMessages: true,
    firstLookNs: FREE,
    lookNs: FREE,
  },
  device: {
    ...h200.device,
    // torch-command-queue, n = 1024: eagerUs less kernelUs, 0.77; of a graph at n = 64: 0.06.
    submitGapNs: 770,
    commandBufferGapNs: 60,
    stampNs: FREE,
    // torch-transfer-cost: pinnedUp and pinnedDown of 64 MiB, 1.228 and 1.230 ms.
    uploadRate: 54.7,
    downloadRate: 54.6,
  },
}
