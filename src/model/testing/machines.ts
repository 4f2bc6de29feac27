/** An H200 with one thing taken out, or broken: what an experiment concludes must follow. */
import type { MachineProfile } from '../machine-profile'
import { h200 } from '../machines/h200'

const { device, environment, host, process } = h200
const matmulsAt = (gflops: number) => device.matmuls.map((cost) => ({ ...cost, gflops }))

/**
 * It calls itself software: it is not kept busy before each window, which is most of a run's calls.
 */
export const softwareCard: MachineProfile = {
  ...h200,
  environment: {
    ...environment,
    isSoftware: true,
    adapter: { ...environment.adapter, isFallbackAdapter: true },
  },
}

/** submit() takes longer than a kernel of the lessons. */
export const submitBlocks: MachineProfile = {
  ...softwareCard,
  host: { ...host, calls: { ...host.calls, submit: 3e6 } },
}

/**
 * Completion is known at once, and bytes take no time. Products take long beside the calls of a
 * trip.
 */
export const tripsAreFree: MachineProfile = {
  ...softwareCard,
  host: {
    ...host,
    calls: { ...host.calls, copy: 0, writeBuffer: 0, mapAsync: 0, getMappedRange: 0, unmap: 0 },
    wakeNs: 0,
    coldNs: 0,
    writeRate: Infinity,
    fillRate: Infinity,
    readRate: Infinity,
    newMemoryRate: Infinity,
  },
  process: {
    ...process,
    messageNs: 0,
    handleNs: 0,
    submitNs: 0,
    commandBufferNs: 0,
    writeNs: 0,
    freshRate: Infinity,
    carryRate: Infinity,
    readbackRate: Infinity,
    firstPollNs: 1000,
    pollNs: 1000,
  },
  device: { ...device, uploadRate: Infinity, downloadRate: Infinity, matmuls: matmulsAt(400) },
}

export const noTimestamps: MachineProfile = {
  ...softwareCard,
  environment: { ...softwareCard.environment, features: [], deviceClockStepNs: null },
}

/** Any product takes tens of ms. */
export const slowKernels: MachineProfile = { ...softwareCard, device: { ...device, matmuls: matmulsAt(10) } }
