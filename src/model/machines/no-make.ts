/**
 * A machine of no particular make, to play with: round numbers, in which only what a handle moves
 * stands out. Nothing of it was read off a recording, and nothing of it says what a real machine
 * takes.
 */
import type { MachineProfile } from '../machine-profile'
import { h200 } from './h200'

const NO_TIME = 0
const AT_ONCE = Infinity

const eachCall = Object.fromEntries(
  Object.keys(h200.host.calls).map((call) => [call, 3000]),
) as MachineProfile['host']['calls'] // the same names

export const noMake: MachineProfile = {
  name: 'no-make',
  source: 'round numbers',
  // Limits and features alone are looked at.
  environment: { ...h200.environment, adapterName: 'a machine of no make, modelled' },
  host: {
    calls: { ...eachCall, submit: 10_000 },
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
