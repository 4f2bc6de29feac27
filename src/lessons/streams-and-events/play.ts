/** It asks when the first of eight can be read by who waits for it alone: here all are awaited. */
import { between, counts, kernelOf, pollsEvery, ms } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'One stream. The host waits for all results before it reads the first. How long does the first one wait? (An event would avoid that.)',
  handles: {
    kernelMs: kernelOf('A result takes', 0.2, 0.8, 0.6),
    results: {
      label: 'Results',
      ...counts([3, 4, 5], 3),
      word: (results) => String(results),
    },
    pollMs: { label: 'Finished work is noticed every', unit: 'ms', ...between(0.1, 1, 0.3) },
  },
  windowNs: 5.5e6,
  program: 'streams-and-events/wait-all',
  profile: ({ pollMs }) => ({ process: pollsEvery(pollMs * 1e6) }),
  input: ({ kernelMs, results }, { kernel, buffer }) => {
    const counted = Array.from({ length: results }, () => 0)
    return {
      matmuls: counted.map(() => kernel(kernelMs * 1e6)),
      times: 1,
      offsets: counted,
      readbacks: counted.map(() => buffer(256, 'readback')),
      bytes: 256,
    }
  },
  says: (_, { passes, waits }) =>
    `The first result exists after ${ms(passes[0]?.endNs ?? 0)}. The host reads it after ${ms(waits.at(-1)?.endNs ?? 0)}.`,
})
