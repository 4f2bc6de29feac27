/** It asks how long four ranks wait: here are fewer, or more. */
import { between, counts, ms, percent } from '../../model/play/handles'
import { playOnRanks } from '../../model/play/play'

/** A stage takes so long forward for the whole batch; the way back takes twice that. */
const FORWARD_NS = 1e6

export const play = playOnRanks({
  asks: 'Each rank has a stage of 3 ms. Who waits when a step begins, and who when it ends?',
  handles: {
    ranks: { label: 'Ranks', ...counts([2, 3, 5], 3) },
    microBatches: { label: 'Micro-batches', ...counts([1, 2, 3, 4, 5, 6, 12, 16, 24], 3) },
    alphaMs: { label: 'A message takes (α)', unit: 'ms', ...between(0.01, 0.1, 0.02) },
  },
  windowNs: 16e6,
  program: 'pipeline-bubble/gpipe',
  ranks: ({ ranks }) => ranks,
  alphaNs: ({ alphaMs }) => alphaMs * 1e6,
  input: ({ microBatches }) => {
    const nothing = new Float32Array()
    return {
      count: microBatches,
      batch: Array.from({ length: microBatches }, () => nothing),
      room: () => nothing,
      forward: () => Promise.resolve({ y: nothing }),
      backward: () => Promise.resolve(nothing),
      lossGradient: () => nothing,
      flops: FORWARD_NS / microBatches,
    }
  },
  says: (_, { stepNs, computes }) =>
    `A step takes ${ms(stepNs)}. A rank waits for ${percent(1 - computes)} of it, on average.`,
})
