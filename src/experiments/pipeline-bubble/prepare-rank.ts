/** What a rank has: its stage, the batch in micro-batches, and room for what arrives. */
import type { PrepareRank } from '../serve-rank'
import { forwardFlops, microBatches, Stage, type StageShape } from './stage'
import { ROWS } from './variants'

export interface StageSpec extends StageShape {
  readonly count: number
}

export const prepareRank: PrepareRank<unknown> = (_, spec, { rank }) => {
  const { count, ...shape } = spec as StageSpec // as prepare.ts wrote it
  const stage = new Stage(shape, rank)
  const { words, batch, lossGradient } = microBatches(shape.width, count)
  return Promise.resolve({
    input: {
      count,
      batch,
      lossGradient,
      room: () => new Float32Array(words),
      flops: forwardFlops(shape.layers[rank] ?? 0, ROWS / count, shape.width),
      forward: (x: Float32Array) => Promise.resolve(stage.forward(x)),
      backward: (...given: Parameters<Stage['backward']>) => Promise.resolve(stage.backward(...given)),
    },
    before: () => {
      stage.reset()
      return Promise.resolve()
    },
    told: () => stage.told(),
  })
}
