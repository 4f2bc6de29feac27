/**
 * A machine of no particular make, to play with: round numbers, in which only what a handle moves
 * stands out. Nothing of it was read off a recording, and nothing of it says what a real machine
 * takes.
 */
import type { MachineProfile } from '../machine-profile'
import { h200 } from './h200'

const NO_TIME = 0
const AT_ONCE = Infinity

export const noMake: MachineProfile = {
  name: 'no-make',
  source: 'round numbers',
  // Limits and features alone are looked at.
  environment: { ...h200.environment, adapterName: 'a machine of no make, modelled' },
  host: {
    calls: {
      setBindGroup: 1000,
      dispatch: 1000,
      beginPass: 1000,
      setPipeline: 1000,
      endPass: 1000,
      createCommandEncoder: 5000,
      finish: 5000,
      submit: 10_000,
      copy: 5000,
      mapAsync: 5000,
      onSubmittedWorkDone: 5000,
      getMappedRange: 5000,
      unmap: 5000,
      writeBuffer: 5000,
      createBuffer: 5000,
      other: 1000,
    },
    clockReadNs: NO_TIME,
    wakeNs: 20_000,
    coldNs: NO_TIME,
    writeRate: AT_ONCE,
    fillRate: AT_ONCE,
    readRate: AT_ONCE,
    newMemoryRate: AT_ONCE,
    zeroRate: AT_ONCE,
    mostShared: Infinity,
  },
  processor: { library: 'none', threads: 1, callNs: NO_TIME, copyRate: AT_ONCE, gflops: AT_ONCE },
  process: {
    messageNs: 20_000,
    handleNs: 5000,
    dispatchNs: 1000,
    passNs: 1000,
    commandBufferNs: 5000,
    submitNs: 10_000,
    writeNs: 5000,
    freshRate: AT_ONCE,
    carryRate: AT_ONCE,
    readbackRate: AT_ONCE,
    firstPollNs: 1e6,
    pollNs: 1e6,
  },
  device: {
    multiprocessors: 1,
    submitGapNs: 10_000,
    commandBufferGapNs: 1000,
    passNs: NO_TIME,
    launchNs: NO_TIME,
    stampNs: NO_TIME,
    uploadRate: AT_ONCE,
    downloadRate: AT_ONCE,
    memoryRate: AT_ONCE,
    peakGflops: AT_ONCE,
    spinNs: 1,
    matmuls: [],
  },
}
