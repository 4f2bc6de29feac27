/**
 * `npm run bench -- interventions`: what the replay of a profile predicts beside what the change
 * gained, for the pairs in interventions/. Errors are shares of the step without a profiler.
 */
import { median, orderStatistic } from '../src/base/stats'
import { MEASURED_ERROR, MEASURED_ESTIMATE } from '../src/analysis/replay/predict'
import { textTable } from '../cli/text-table'
import { benchFrames } from './interventions-frames'
import { scorePages } from './interventions-pages'
import { isAsFarOffAsSaid, readRunPairs } from './interventions-runs'
import { isReplayed, readBefore, readTruth, scoreLoop, type Scored } from './interventions-score'

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const times = (from: number, to: number): string => (from / to).toFixed(2)
const ms = (us: number): string => (us / 1e3).toFixed(2)

export async function benchInterventions(): Promise<number> {
  // A page has not played 171 other files before.
  const isQuick = await benchFrames()
  const { beaten, judged } = await printLoops()
  type Errors = 'error' | 'noGainError' | 'estimatedError' | 'aloneError' | 'estimateError'
  const errorsOf = (key: Errors) => judged.map((each) => each[key])
  const [ours, noGain] = [errorsOf('error'), errorsOf('noGainError')]
  const shares = await readBefore()
  const before = median(
    judged.flatMap(({ loop: { id, found, changed } }) => {
      const share = shares[id]
      if (share === undefined) return []
      return [Math.abs(found.median * (1 - share) - changed.median) / found.median]
    }),
  )
  console.log(`Median error of 05d101ed: ${percent(before)}.`)
  const isAsSaid = [
    isSaid('timed', ours),
    isSaid('estimated', errorsOf('estimatedError')),
    isSaid('alone', errorsOf('aloneError')),
    isEstimateSaid(errorsOf('estimateError')),
  ].every(Boolean)
  const arePagesMet = await printPages()
  const areRunsAsSaid = await benchRuns()
  const isMet =
    beaten === 0 &&
    3 * median(ours) <= Math.min(median(noGain), before) &&
    isAsSaid &&
    arePagesMet &&
    areRunsAsSaid &&
    isQuick
  return isMet ? 0 : 1
}

/** False: MEASURED_ERROR says other figures. */
function isSaid(of: keyof typeof MEASURED_ERROR, errors: readonly number[]): boolean {
  const { pairs, ...said } = MEASURED_ERROR[of]
  const own = { median: median(errors), most: Math.max(...errors) }
  const isSame =
    pairs === errors.length &&
    (['median', 'most'] as const).every((key) => percent(own[key]) === percent(said[key]))
  if (!isSame)
    console.log(
      `MEASURED_ERROR.${of} differs: ${String(errors.length)} pairs, ${percent(own.median)}, at most ${percent(own.most)}`,
    )
  return isSame
}

/** False: MEASURED_ESTIMATE says other figures. */
function isEstimateSaid(errors: readonly number[]): boolean {
  const own = orderStatistic(errors, MEASURED_ESTIMATE.share, 0)
  const isSame = own.toFixed(2) === MEASURED_ESTIMATE.within.toFixed(2)
  if (!isSame) console.log(`MEASURED_ESTIMATE differs: ${percent(own)}`)
  return isSame
}

const NEAR = 0.05

async function printLoops() {
  const truth = await readTruth()
  const scored: Scored[] = []
  for (const loop of truth.loops) scored.push(await scoreLoop(loop))
  const rows = scored.map(({ loop, predictedUs, lowUs, highUs, error, first, isFirstRight, isBeaten }) => [
    loop.id,
    `${loop.cause}${isReplayed(loop) ? '' : ' *'}`,
    ms(loop.found.median),
    times(loop.found.median, loop.changed.median),
    times(loop.found.median, predictedUs),
    lowUs === highUs
      ? 'not in the file'
      : `${times(loop.found.median, highUs)} to ${times(loop.found.median, lowUs)}${isBeaten ? ' beaten' : ''}`,
    percent(error),
    `${first ?? '–'}${isFirstRight ? '' : ' ✗'}`,
  ])
  console.log(`${truth.device}, PyTorch ${truth.torch}, CUDA ${truth.cuda}, ${truth.date}`)
  const head = ['loop', 'cause', 'ms', 'gain', 'predicted', 'range', 'error', 'first']
  console.log(textTable([head, ...rows], [2, 3, 4, 6]))
  console.log('* the change removes a part of the cause, or the replay of one file does not remove it')
  const judged = scored.filter(({ loop }) => isReplayed(loop))
  const near = judged.filter(({ error }) => error < NEAR).length
  const beaten = judged.filter(({ isBeaten }) => isBeaten).length
  const right = scored.filter(({ isFirstRight }) => isFirstRight).length
  const ours = median(judged.map(({ error }) => error))
  const noGain = median(judged.map(({ noGainError }) => noGainError))
  console.log(
    `Predicted within ${percent(NEAR)} of the step for ${String(near)} of ${String(judged.length)}; median error ${percent(ours)}, of the guess 'no gain' ${percent(noGain)}.`,
  )
  console.log(
    `Bounds beaten in all rounds: ${String(beaten)} of ${String(judged.length)}. First finding right: ${String(right)} of ${String(scored.length)}.`,
  )
  const outside = judged.flatMap(({ loop: { id, changed, found }, lowUs, highUs }) => {
    const us = Math.min(0, changed.median - lowUs) + Math.max(0, changed.median - highUs)
    return us === 0 ? [] : [`${id} by ${percent(us / found.median)}`]
  })
  console.log(`Medians outside the range: ${outside.join(', ')}.`)
  const within = (errors: readonly number[]): string =>
    `within ${percent(NEAR)} for ${String(errors.filter((error) => error < NEAR).length)}, median error ${percent(median(errors))}, at most ${percent(Math.max(...errors))}`
  console.log(
    `Without the step timed without a profiler: ${within(judged.map(({ aloneError }) => aloneError))}; with that step estimated ${within(judged.map(({ estimatedError }) => estimatedError))}. The estimate is off by ${percent(median(judged.map(({ estimateError }) => estimateError)))} in the median.`,
  )
  const again = judged.map(({ againError }) => againError)
  console.log(
    `Measured again, pairs differ by less than ${percent(NEAR)} of the step in ${String(again.filter((error) => error < NEAR).length)} of ${String(again.length)}; the median difference is ${percent(median(again))}, the largest ${percent(Math.max(...again))}.`,
  )
  return { beaten, judged }
}

/** False: a bound is beaten, or predictions are not three times as good as none. */
export async function printPages(folder?: string): Promise<boolean> {
  const { date, pages } = await scorePages(folder)
  const rows = pages.map(({ id, foundMs, changedMs, predicted, problem, error, isBeaten, ...each }) => [
    id,
    foundMs.toFixed(2),
    times(foundMs, changedMs),
    predicted ? times(foundMs, predicted.ms) : '–',
    predicted
      ? `${times(foundMs, predicted.highMs)} to ${times(foundMs, predicted.lowMs)}${isBeaten ? ' beaten' : ''}`
      : problem,
    percent(error),
    `${each.first || '–'}${each.isFirstRight ? '' : ' ✗'}`,
  ])
  console.log(`Pages: ${pages[0]?.adapter ?? ''}, ${date}`)
  console.log(
    textTable([['page', 'ms', 'gain', 'predicted', 'range', 'error', 'first'], ...rows], [1, 2, 3, 5]),
  )
  const errors = pages.map(({ error }) => error)
  const ours = median(errors)
  const noGain = median(pages.map(({ noGainError }) => noGainError))
  const [beaten, right] = [pages.filter((each) => each.isBeaten), pages.filter((each) => each.isFirstRight)]
  console.log(
    `Pages: median error ${percent(ours)} of a step, of the guess 'no gain' ${percent(noGain)}; bounds beaten in all rounds: ${String(beaten.length)}, first finding right: ${String(right.length)} of ${String(pages.length)}.`,
  )
  const isAsSaid = folder !== undefined || isSaid('pages', errors)
  return beaten.length === 0 && 3 * ours <= noGain && isAsSaid
}

/** False: a run is further off than its range says. */
async function benchRuns(): Promise<boolean> {
  const pairs = await readRunPairs()
  const rows = pairs.map(({ name, nowMs, predictedMs, lowMs, highMs, measuredMs, error, outcome }) => [
    name,
    nowMs.toFixed(1),
    predictedMs.toFixed(1),
    `${lowMs.toFixed(1)} to ${highMs.toFixed(1)}`,
    measuredMs.toFixed(1),
    percent(Math.abs(error)),
    outcome,
  ])
  console.log(
    textTable([['run', 'ms', 'predicted', 'range', 'measured', 'error', 'outcome'], ...rows], [1, 2, 4, 5]),
  )
  const errors = pairs.map(({ error }) => error)
  console.log(
    `Runs of the lab: median error ${percent(median(errors.map(Math.abs)))} of a repeat; measured at most ${percent(Math.max(...errors))} below and ${percent(-Math.min(...errors))} above the prediction.`,
  )
  return pairs.every(isAsFarOffAsSaid)
}
