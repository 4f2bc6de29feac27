/** The lesson asks about equal work of host and GPU; the handles begin elsewhere. */
import { POLLS_OFTEN, MOST_STEPS, computesFor, counts, kernelOf, ms } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

const NEVER = MOST_STEPS

export const play = playWith({
  asks: 'When does the read cost most, and when does it cost nothing?',
  handles: {
    hostMs: kernelOf('Host work after the read', 0.2, 3, 0.5),
    kernelMs: kernelOf('Kernels of a step', 0.5, 3, 1.5),
    every: {
      label: 'The host reads',
      ...counts([1, 2, 4, NEVER], 1),
      word: (steps) =>
        steps === NEVER ? 'never' : steps === 1 ? 'after every step' : `after ${String(steps)} steps`,
    },
  },
  windowNs: 8e6,
  program: 'sync-stalls/read',
  profile: () => ({ process: POLLS_OFTEN }),
  input: ({ hostMs, kernelMs, every }, { kernel, buffer, busy }) => ({
    matmul: kernel(kernelMs * 1e6),
    hostWork: busy(hostMs * 1e6),
    readback: buffer(4, 'readback'),
    every,
    steps: MOST_STEPS,
  }),
  round: ({ every }) => (every === NEVER ? 1 : every),
  says: (_, seen) => `${computesFor(seen)} A step takes ${ms(seen.stepNs)}.`,
})
