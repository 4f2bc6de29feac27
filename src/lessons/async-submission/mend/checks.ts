/** Rates that agree with what the GPU did, for each of three shapes in every run. A benchmark may take its time: the run's limit is its bound. */
import { onDevice, passesOf, type Names } from '../../../exercises/names'
import { grouped } from '../../../base/figures'
import { percent } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import { atLines, submissionsOf } from '../../../exercises/trace-of-run'
import {
  ALLOWED,
  deviceStepNs,
  judgeRates,
  productsRun,
  shapesIn,
  slowerThanItsRun,
  worstError,
} from './rates'
import { nameOf, type Benchmark } from './shapes'

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  shapes: {
    says: 'The products to time, one of each shape. All are new in every run.',
    has: {
      name: { says: 'What the shape is called.' },
      flops: { says: 'Floating-point operations of one product.' },
      ...passesOf('the product'),
    },
  },
} as const satisfies Names
export const scope = onDevice(input)

const { runsOf } = rulesFor<Benchmark>()

const output: Ask = ({ yours }) => {
  const runs = runsOf(yours)
  const judged = judgeRates(runs, deviceStepNs(yours))
  if ('wrong' in judged) {
    const { trace } = yours
    const at = trace ? atLines(runs.flatMap((run) => submissionsOf(trace, run))) : ''
    return no(at === '' ? judged.wrong : `${judged.wrong} Your program submits its products${at}.`)
  }
  const { count, unsure, furthest } = judged
  if (unsure > 0)
    return cannotTell(
      `${String(unsure)} of ${String(count + unsure)} rates cannot be checked: this device’s clock cannot be read, and the host’s is too coarse for it.`,
    )
  return yes(
    `All ${String(count)} rates, in ${String(runs.length)} runs with fresh shapes, are right within ${percent(ALLOWED)}; the furthest is off by ${percent(furthest)}.`,
  )
}

/** More than one run of a shape is what a benchmark does; its time is the bound. */
const work: Ask = ({ yours }) => {
  const counts: number[] = []
  for (const run of runsOf(yours))
    for (const shape of shapesIn(run.facts)) {
      const count = productsRun(run, shape)
      if (count === null)
        return cannotTell(`The result of ${nameOf(shape)} does not show how often the GPU computed it.`)
      if (count < 1)
        return no(
          `The GPU did not compute ${nameOf(shape)} in run ${String(run.repeat + 1)}: a rate must be measured.`,
        )
      counts.push(count)
    }
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const often = least === most ? grouped(most) : `${grouped(least)} to ${grouped(most)}`
  return yes(`In every run the GPU computed each shape, ${often} ${most === 1 ? 'time' : 'times'}.`)
}

export const rules: ExerciseRules = {
  figure: {
    words: 'off: the worst of the rates, against the GPU’s own',
    unit: 'ratio',
    run: 'benchmark',
    of: worstError,
  },
  checks: checksOf({ output, work }),
}

const notTooHigh: Ask = ({ yours }) => {
  const runs = runsOf(yours)
  const judged = judgeRates(runs, deviceStepNs(yours), 'too high')
  if ('wrong' in judged) return no(judged.wrong)
  for (const run of runs) {
    const words = slowerThanItsRun(run)
    if (words !== null) return no(words)
  }
  const { count, unsure } = judged
  return unsure > 0
    ? cannotTell(
        `${String(unsure)} of ${String(count + unsure)} rates cannot be checked: the clocks here are too coarse for it.`,
      )
    : yes(`None of the ${String(count)} rates is more than ${percent(ALLOWED)} above the lab’s own.`)
}

/** Rates that the GPU can reach. They may be too low: the report of the end is in them. */
export const firstRung: ExerciseRules = {
  ...rules,
  checks: checksOf({ output: notTooHigh, work }),
}
