/** A run's values for a model of it: as they were asked for, and what was found from them there, so that both do the same work. */
import type { Report } from '../trace/report'
import type { Card } from './card'
import { scriptGflops } from './script'

/** Once: a model has no noise, so that a second time says the same. */
export function sameWork(
  { params, derived }: Pick<Report, 'params' | 'derived'>,
  card: Card,
): Report['params'] {
  const { matrixSize, batchBytes, steps, rateGflops } = derived
  const { stageMs } = params
  const modelGflops = scriptGflops(card)
  return {
    ...params,
    ...('repeats' in params ? { repeats: 1 } : {}),
    ...('matrixSize' in params && typeof matrixSize === 'number' ? { matrixSize } : {}),
    ...('batchMiB' in params && typeof batchBytes === 'number' ? { batchMiB: batchBytes / 2 ** 20 } : {}),
    // Sized by the rate of a core there: for as long as the same takes here.
    ...(typeof stageMs === 'number' && typeof rateGflops === 'number' && modelGflops !== null
      ? { stageMs: Math.round((stageMs * rateGflops) / modelGflops) }
      : {}),
    ...('steps' in params && typeof steps === 'number' ? { steps } : {}),
  }
}
