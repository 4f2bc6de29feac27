/** What the function is asked about, a line each: prepare.ts measures the machine. */
import type { Names, Scope } from '../../../exercises/names'

export const machine = {
  cpuGflops: { says: 'What the CPU computes, in 1e9 operations a second.' },
  gpuGflops: {
    says: 'What the GPU computes, in 1e9 operations a second, with matrices that are there already.',
  },
  uploadGBps: { says: 'Bytes to the GPU, in 1e9 a second.' },
  downloadGBps: { says: 'Bytes back from the GPU, in 1e9 a second.' },
  roundTripMs: { says: 'A whole round trip besides its bytes and operations, in ms.' },
} as const satisfies Names
export const scope: Scope = {
  globals: {},
  given: {
    n: { says: 'The size of the matrices: n × n.' },
    machine: {
      has: machine,
      says: 'What the lab measured here a moment ago, at other sizes than it asks about.',
    },
  },
}
