/** A run's values for a model of it: as they were asked for, and what was found from them there, so that both do the same work. */
import type { Report } from '../trace/report'

/** Once: a model has no noise, so that a second time says the same. */
export function sameWork({ params, derived }: Pick<Report, 'params' | 'derived'>): Report['params'] {
  const { matrixSize, batchBytes, steps } = derived
  return {
    ...params,
    ...('repeats' in params ? { repeats: 1 } : {}),
    ...('matrixSize' in params && typeof matrixSize === 'number' ? { matrixSize } : {}),
    ...('batchMiB' in params && typeof batchBytes === 'number' ? { batchMiB: batchBytes / 2 ** 20 } : {}),
    ...('steps' in params && typeof steps === 'number' ? { steps } : {}),
  }
}
