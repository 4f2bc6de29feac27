/** Rates that the GPU can reach. They may be too low: the report of the end is in them. */
import { percent } from '../../../../exercises/checks'
import type { MendRules } from '../../../../exercises/mend'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../../exercises/rules'
import { rules as last, work } from '../checks'
import { ALLOWED, deviceStepNs, judgeRates, slowerThanItsRun } from '../rates'
import type { Benchmark } from '../shapes'

const { runsOf } = rulesFor<Benchmark>()

const output: Ask = ({ yours }) => {
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

export const rules: MendRules = { ...last, checks: checksOf({ output, work }) }
