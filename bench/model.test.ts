/** What `bench -- model` finds over all recordings, on those that take the model less than a second or two: npm test has no minutes for it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { median } from '../src/base/stats'
import { modelledRun } from '../cli/modelled-run'
import { recordedRuns } from '../src/lessons/testing/recorded-runs'
import type { Card } from '../src/model/card'
import { cuda } from '../src/model/cards/cuda'
import { h200 } from '../src/model/cards/h200'
import { cardForRun, cardOf, ownCard } from '../src/model/fit'
import { isNear } from '../src/model/near'
import { sameWork } from '../src/model/same-work'
import { measuredOn } from '../src/model/testing/measured-on'
import type { Metric } from '../src/trace/report'
import { causeOf } from './model-causes'
import { onCard, recordingsIn, rowsOf, type ModelRow } from './model-rows'

const FOLDER = 'public/recordings'
/** At least one of each experiment that has a step time on it, but stay-on-device, whose eight layers take a minute to check. */
const QUICK =
  /^(sync-stalls(?!\/matrix)|async-submission|command-queue(?!\/[nip])|kernel-ladder(?!\/s)|staging-buffers(?!\/d)|tensor-residence\/smaller|streams-and-events\/short|transfer-cost\.|overlapped-uploads\.|worth-it\/reuse)/

it('is near four of five recorded figures, and says why it is off at each of the others', async () => {
  const rows: ModelRow[] = []
  for (const file of recordingsIn(FOLDER))
    if (QUICK.test(file)) rows.push(...(await rowsOf(FOLDER, file, onCard(h200))))
  const compared = rows.filter(({ modelled, isOtherWork }) => modelled !== null && !isOtherWork)
  const off = compared.filter(({ isNear }) => !isNear)
  expect(compared.length).toBeGreaterThan(120)
  expect(off.filter((row) => !causeOf(row))).toEqual([])
  // Its aim is nine of ten; `npm run bench -- model` says how many of all recordings it is near.
  expect(off.length / compared.length).toBeLessThan(0.2)
})

const reportOn = (name: string, experiment: string) => {
  const runs = recordedRuns(experiment).find(([each]) => each === name)?.[1]
  const report = runs?.get('')
  if (!report) throw new Error(`There is no run of ${experiment} on ${name}.`)
  return report
}

it('CUDA’s card leaves the device idle after a read for as long as PyTorch did, without a profiler', async () => {
  const { points } = JSON.parse(readFileSync(join(FOLDER, 'torch-sync-stalls-curve.json'), 'utf8')) as {
    readonly points: readonly { readonly idleMs: number }[]
  }
  const recordedMs = median(points.map(({ idleMs }) => idleMs))
  for (const matrixSize of [288, 1024, 2048]) {
    const { metrics } = await modelledRun({ experiment: 'sync-stalls', card: cuda, values: { matrixSize } })
    const idle = metrics.find(({ name, variant }) => name === 'idle-per-stall-ms' && variant === 'every-step')
    expect(Math.abs((idle?.value ?? Infinity) / recordedMs - 1), String(matrixSize)).toBeLessThan(0.15)
  }
})

it('the own card of that machine is near as many of its ladder’s, its transfers’ and its stalls’ figures', async () => {
  const own = ownCard(measuredOn('recordings'), '2026-11-28')
  if (!own) throw new Error('There is no card.')
  const nearOn = async (card: Card): Promise<number> => {
    const rows: ModelRow[] = []
    for (const name of ['kernel-ladder', 'sync-stalls', 'transfer-cost'])
      rows.push(...(await rowsOf(FOLDER, `${name}.hdl.gz`, onCard(card))))
    return rows.filter(({ isNear }) => isNear).length
  }
  const ofRecordings = await nearOn(h200)
  expect(ofRecordings).toBeGreaterThan(20)
  expect(await nearOn(own.card)).toBeGreaterThan(0.8 * ofRecordings)
})

describe('the card of a run’s machine', () => {
  it('is the one that was read off recordings, where it is that machine', () => {
    expect(cardOf(reportOn('recordings', 'sync-stalls'))).toBe(h200)
  })

  it('is fitted from what the run calibrated, and met by the step times that the run then measured', async () => {
    const report = reportOn('swiftshader', 'sync-stalls')
    const card = cardOf(report)
    if (!card) throw new Error('There is no card.')
    const { metrics } = await modelledRun({ experiment: 'sync-stalls', card, values: sameWork(report, card) })
    const steps = report.metrics.filter(({ name }) => name === 'step-ms')
    expect(steps).toHaveLength(3)
    for (const step of steps) {
      const modelled = metrics.find(({ name, variant }) => name === step.name && variant === step.variant)
      expect(isNear(step, modelled?.value ?? Infinity), step.variant).toBe(true)
    }
  })

  it('looks at the ends of work when a browser’s own timer does', () => {
    const { emptySubmitLatencyMs } = reportOn('firefox', 'sync-stalls').environment
    expect(cardOf(reportOn('firefox', 'sync-stalls'))?.process.lookNs).toBe((emptySubmitLatencyMs ?? 0) * 1e6)
  })

  it('measured on purpose says how many times as long a variant takes as the first, nearer than a fitted one', async () => {
    const own = ownCard(measuredOn('swiftshader'), '2026-11-28')
    if (!own) throw new Error('There is no card.')
    const off = { own: 0, fitted: 0 }
    for (const experiment of ['sync-stalls', 'async-submission']) {
      const report = reportOn('swiftshader', experiment)
      const fitted = cardOf(report)
      if (!fitted) throw new Error('There is no card.')
      const timesOf = (metrics: readonly Pick<Metric, 'name' | 'value'>[]): readonly number[] => {
        const [first = 0, ...others] = metrics.flatMap(({ name, value }) =>
          name === 'step-ms' && value !== null ? [value] : [],
        )
        return others.map((other) => other / first)
      }
      const measured = timesOf(report.metrics)
      expect(measured.length).toBeGreaterThan(0)
      for (const [whose, card] of [
        ['own', cardForRun(own, report)],
        ['fitted', fitted],
      ] as const) {
        const { metrics } = await modelledRun({ experiment, card, values: sameWork(report, card) })
        for (const [index, times] of timesOf(metrics).entries()) {
          const offBy = Math.abs(Math.log(times / (measured[index] ?? 0)))
          off[whose] += offBy
          if (whose === 'own') expect(offBy, `${experiment} ${String(times)}`).toBeLessThan(Math.log(1.5))
        }
      }
    }
    expect(off.own).toBeLessThan(off.fitted)
  })

  it('is none where nothing was calibrated', () => {
    const { environment } = reportOn('swiftshader', 'sync-stalls')
    expect(
      cardOf({ environment: { ...environment, matmulGflops: null }, derived: {}, params: {} }),
    ).toBeNull()
  })
})
