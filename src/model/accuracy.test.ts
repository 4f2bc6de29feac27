/**
 * How near the H200's profile comes to the runs that were recorded there: step times and busy
 * shares. `npm test` takes a sample of what runs in a second or so each, `LAB_LONG=1` all
 * recordings. Ranks and a loader's workers are not modelled.
 */
import { expect, it, vi } from 'vitest'
import { experiments } from '../experiments/testing/catalog'
import { recordedRuns } from '../lessons/testing/recorded-runs'
import { IS_LONG } from '../testing/long'
import type { Metric, Report } from '../trace/report'
import { h200 } from './machines/h200'
import { Machine } from './machine'
import { processorOf } from './stage'
import { runOnModel } from './testing/run-on-model'

let machine = new Machine(h200)
vi.mock('../gpu/kernels/cpu/processor', () => ({
  openProcessor: () => Promise.resolve(processorOf(machine)),
}))

const TIMES = ['step-ms', 'time-ms', 'all-ms']
const SHARE = 'device-busy-ratio'
/**
 * A modelled time may be off by this share, a modelled share by this many points of 1, or be within
 * the run's interval.
 */
const OFF_BY = { time: 0.15, share: 0.05 }

const isNear = ({ name, value, low, high }: Metric, modelled: number): boolean =>
  value !== null &&
  ((low !== null && high !== null && modelled >= low && modelled <= high) ||
    Math.abs(modelled - value) <= (name === SHARE ? OFF_BY.share : OFF_BY.time * value))

/**
 * Experiments size their work by the machine's own times. The model repeats the sizes that the
 * recorded run came to.
 */
function sameSizes({ params, derived }: Report): Report['params'] {
  const { matrixSize, batchBytes, steps } = derived
  return {
    ...params,
    ...('repeats' in params ? { repeats: 1 } : {}),
    ...('matrixSize' in params && typeof matrixSize === 'number' ? { matrixSize } : {}),
    ...('batchMiB' in params && typeof batchBytes === 'number' ? { batchMiB: batchBytes / 2 ** 20 } : {}),
    ...('steps' in params && typeof steps === 'number' ? { steps } : {}),
  }
}
/**
 * Sizes without a parameter: where the model comes to another one, its times say nothing of the
 * recording.
 */
const SIZES = ['matrixSize', 'matmulRows', 'matmulDispatches', 'words', 'batchBytes', 'layerWidth']
const isSameWork = (recorded: Report, modelled: Report): boolean =>
  SIZES.every((name) => {
    const [one, other] = [recorded.derived[name], modelled.derived[name]]
    return typeof one !== 'number' || (typeof other === 'number' && Math.abs(other / one - 1) <= 0.1)
  })

/** A second or so each, and what calls cost. Ranks are not modelled. */
const SAMPLE = /^(async-submission|staging-buffers|sync-stalls|transfer-cost)\/|^command-queue\/longer$/
const ON_RANKS = /^(collectives|pipeline-bubble|ranks)\//
const isTried = (run: string): boolean => !ON_RANKS.test(run) && (IS_LONG || SAMPLE.test(run))

it(`${IS_LONG ? '77 %' : '70 %'} of the recorded times and shares are within 15 %, or five points`, async () => {
  let [near, compared] = [0, 0]
  for (const { id } of experiments) {
    const [, recorded] = recordedRuns(id).find(([name]) => name === 'recordings') ?? []
    for (const [step, report] of recorded ?? []) {
      if (!isTried(`${id}/${step}`)) continue
      machine = new Machine(h200)
      const modelled = await runOnModel(machine, id, sameSizes(report))
      if (!isSameWork(report, modelled)) continue
      for (const metric of report.metrics) {
        const { name, variant, value } = metric
        const found = modelled.metrics.find((one) => one.name === name && one.variant === variant)
        if (value === null || found?.value == null || !(TIMES.includes(name) || name === SHARE)) continue
        compared += 1
        if (isNear(metric, found.value)) near += 1
      }
    }
  }
  expect(compared).toBeGreaterThan(IS_LONG ? 250 : 100)
  expect(near / compared).toBeGreaterThan(IS_LONG ? 0.77 : 0.7)
})
