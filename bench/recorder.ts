/**
 * What recording costs the run it records: the same run bare, recorded, and recorded with the timeline drawn live, taken in turn so
 * that a machine that warms up or slows down does so for all alike. A round gives one ratio; the figure is their median.
 */
import type { AdapterChoice } from '../cli/adapters.mjs'
import { openLabPage, type LabGlobal } from '../cli/lab-page'
import { progressLine } from '../cli/progress-line'
import { formatFigure, textTable } from '../cli/text-table'
import { CommandError } from '../cli/terminal.mjs'
import { medianInterval } from '../src/base/stats'
import { findMetric } from '../src/trace/report'
import type { RunOptions } from '../src/worker/protocol'

const AIM = 1.02
/** Short kernels in many submissions: as much to record in as little time as a run can have. */
const EXPERIMENT = 'async-submission'
const PARAMS: Readonly<Record<string, string>> = { steps: '64', kernelMs: '0.3', repeats: '5' }
const VARIANTS = ['queued', 'await-each'] as const
const ARMS = {
  bare: { record: false, live: false },
  recorded: { record: true, live: false },
  drawn: { record: true, live: true },
} as const satisfies Readonly<Record<string, RunOptions>>
type Arm = keyof typeof ARMS
const ARM_NAMES = Object.keys(ARMS) as readonly Arm[]

type StepMs = ReadonlyMap<string, number>

export async function benchRecorder(adapter: AdapterChoice, rounds: number): Promise<number> {
  const { page, environment, gone, close } = await openLabPage({
    adapter,
    quantized: false,
    route: `/run/${EXPERIMENT}`,
  })
  // The size that the first run chose: sized anew, each run would multiply other matrices.
  let matrixSize = '0'
  const measure = async (arm: Arm): Promise<StepMs> => {
    const run = page.evaluate(
      ([experiment, params, options]) =>
        (globalThis as LabGlobal).hostDeviceLab.run(experiment, params, options),
      [EXPERIMENT, { ...PARAMS, matrixSize }, ARMS[arm]] as const,
    )
    const { report, fault, reason, status } = await Promise.race([run, gone])
    if (!report)
      throw new CommandError(`A run was ${status}: ${fault?.message ?? reason ?? 'no reason given'}`)
    matrixSize = String(report.derived['matrixSize'])
    if (!report.validity.valid)
      throw new CommandError(`A run does not count: ${report.validity.reasons.join(' ')}`)
    return new Map(
      VARIANTS.map((variant) => {
        const value = findMetric(report.metrics, 'step-ms', variant)?.value
        if (value === null || value === undefined)
          throw new CommandError(`A run has no step-ms of ${variant}.`)
        return [variant, value]
      }),
    )
  }
  const line = progressLine()
  try {
    const results: Readonly<Record<Arm, StepMs>>[] = []
    await measure('bare') // pipelines and caches: not counted
    for (let round = 0; round < rounds; round += 1) {
      const result: Partial<Record<Arm, StepMs>> = {}
      // Another arm goes first in each round.
      const order = ARM_NAMES.map((_, index) => ARM_NAMES[(index + round) % ARM_NAMES.length] ?? 'bare')
      for (const [index, arm] of order.entries()) {
        line.show(
          (round + index / order.length) / rounds,
          `round ${String(round + 1)} of ${String(rounds)}, ${arm}`,
        )
        result[arm] = await measure(arm)
      }
      results.push(result as Readonly<Record<Arm, StepMs>>)
    }
    line.end()
    return printRatios(results, environment.adapterName)
  } finally {
    line.end()
    await close()
  }
}

function printRatios(results: readonly Readonly<Record<Arm, StepMs>>[], adapterName: string): number {
  const rows: string[][] = []
  let isMet = true
  for (const variant of VARIANTS) {
    for (const arm of ['recorded', 'drawn'] as const) {
      const ratios = results.map(
        (result) => (result[arm].get(variant) ?? Number.NaN) / (result.bare.get(variant) ?? Number.NaN),
      )
      const { median, low, high } = medianInterval(ratios)
      // The aim is for recording; drawing is the page's cost, shown beside it.
      const isJudged = arm === 'recorded'
      // Missed only where the whole interval lies above: noise on a busy machine is no finding.
      const isMissed = low > AIM
      if (isJudged && isMissed) isMet = false
      const decided =
        high <= AIM ? 'met' : isMissed ? 'missed' : 'undecided: take more --rounds on a quiet machine'
      const judgement = isJudged ? decided : ''
      rows.push([
        variant,
        arm,
        formatFigure(median),
        `${formatFigure(low)} … ${formatFigure(high)}`,
        String(ratios.length),
        judgement,
      ])
    }
  }
  console.log(
    `Time of a step over that of the same run not recorded, on ${adapterName} (aim ≤ ${String(AIM)} for 'recorded')`,
  )
  console.log(textTable([['variant', 'arm', 'ratio', 'interval', 'rounds', 'aim'], ...rows], [2, 3, 4]))
  return isMet ? 0 : 1
}
