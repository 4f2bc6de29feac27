/** It asks about 64 submits of kernels of some microseconds, beside one pass of all. */
import { MOST_STEPS, between, computesFor, counts, ms } from '../../model/play/handles'
import { playWith } from '../../model/play/play'

export const play = playWith({
  asks: 'When does the device wait for the next kernel?',
  handles: {
    kernelUs: { label: 'A kernel', unit: 'µs', ...between(20, 100, 40) },
    submitUs: { label: 'A launch', unit: 'µs', ...between(20, 200, 120) },
    kernels: {
      label: 'Kernels in a launch',
      ...counts([1, 2, 3, 4, 5, 6], 1),
      word: (kernels) => String(kernels),
    },
  },
  windowNs: 1.2e6,
  program: 'command-queue/one-pass',
  profile: ({ submitUs }) => ({ process: { submitNs: submitUs * 1e3 } }),
  input: ({ kernelUs, kernels }, { kernel }) => {
    const { pipeline, bindGroup } = kernel(kernelUs * 1e3)
    return { pipeline, bindGroups: [bindGroup], workgroups: [1, 1], kernels, steps: MOST_STEPS }
  },
  says: ({ kernels }, seen) =>
    `${computesFor(seen)} ${String(kernels * seen.passes.filter(({ endNs }) => endNs < seen.windowNs).length)} kernels end in ${ms(seen.windowNs)}.`,
})
