/** How much of the ladder fits the time at hand. Pure arithmetic. */
import { leastPassMs } from '../../gpu/kernels/calibrate/timing'
import { fitRun, MAX_QUEUED_MS, type RunSize } from '../sizing'
import { roundMs, type Costs, type RungCost } from './costs'

const MAX_DISPATCHES = 64

/** A short kernel is dispatched several times in a pass, until that is long enough for the clock at hand. */
export const dispatchesPerPass = (ms: number, deviceStepNs: number | null): number =>
  Math.max(1, Math.min(MAX_DISPATCHES, Math.ceil(leastPassMs(deviceStepNs) / Math.max(ms, 1e-6))))

/**
 * Steps, repeats and rungs that fit `budgetMs`, given up in this order: repeats beyond three, steps, rungs between the first and the
 * fastest, repeats beyond two. A browser that looks for completion every 100 ms has no time for six rungs.
 */
export function fitLadder<Rung extends RungCost>(
  asked: RunSize,
  rungs: readonly Rung[],
  budgetMs: number,
  costs: Costs,
): RunSize & { readonly rungs: readonly Rung[] } {
  // Resident steps are all queued at once.
  const longestMs = Math.max(...rungs.map(({ ms, times }) => ms * times))
  const most = Math.max(1, Math.min(asked.steps, Math.floor(MAX_QUEUED_MS / longestMs)))
  for (let kept = rungs; ; kept = withoutOne(kept)) {
    const round = (steps: number): number => roundMs(kept, steps, costs)
    const run = fitRun({ ...asked, steps: most }, budgetMs, round, 1)
    const isEnough = run.repeats >= Math.min(3, asked.repeats)
    const isInTime = (run.repeats + 1) * round(run.steps) <= budgetMs
    if ((isEnough && isInTime) || kept.length <= 2)
      return { steps: run.steps, repeats: run.repeats, rungs: kept }
  }
}

/** One fewer: neither the first, which the others are compared with, nor the fastest; the slowest of what is left. */
function withoutOne<Rung extends RungCost>(rungs: readonly Rung[]): readonly Rung[] {
  const bySpeed = rungs.slice(1).toSorted((one, other) => other.ms - one.ms)
  return rungs.filter((rung) => rung !== bySpeed[0])
}
