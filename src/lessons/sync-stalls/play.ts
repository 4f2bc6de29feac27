/** The lesson asks about kernels of 0.05 ms. */
import { MOST_STEPS, between, computesFor, counts, kernelOf, looksEvery, ms } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'What makes the host wait for longer, and what makes the device idle?',
  handles: {
    kernelMs: kernelOf('Kernel of a step', 0.2, 1.4, 0.4),
    lookMs: { label: 'Finished work is noticed every', unit: 'ms', ...between(0.1, 1.4, 1) },
    every: {
      label: 'The host reads after',
      ...counts([1, 2, 3, 4], 2),
      word: (steps) => ['every step', 'every 2nd step', 'every 3rd step'][steps - 1] ?? 'every 4th step',
    },
  },
  windowNs: 6e6,
  program: 'sync-stalls/read',
  card: ({ lookMs }) => ({ process: looksEvery(lookMs * 1e6) }),
  input: ({ kernelMs, every }, { kernel, buffer }) => ({
    matmul: kernel(kernelMs * 1e6),
    readback: buffer(256, 'readback'),
    bytes: 4,
    times: 1,
    every,
    steps: MOST_STEPS,
  }),
  round: ({ every }) => every,
  says: (_, seen) =>
    `${computesFor(seen)} The host waits for up to ${ms(Math.max(0, ...seen.waits.map(({ startNs, endNs }) => endNs - startNs)))} at a time.`,
})
