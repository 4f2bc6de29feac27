/** An answer for each size, and what the answers cost: times that were measured before the function was asked. */
import { check, gradedRuns, ms, percent } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import type { Check, ProgramReport } from '../../../mend/types'
import { meanRegret, PLACES, regretOf, timedSizesOf, type Place } from './regret'

/** In the mean over sizes. A rule of thumb reaches it; no constant answer does where there is something to choose. */
const MOST_REGRET = 0.1

const isPlace = (value: unknown): value is Place => PLACES.some((place) => place === value)

const answersOf = (report: ProgramReport): readonly unknown[] => {
  const [run] = gradedRuns(report, 'asked')
  return Array.isArray(run?.output) ? (run.output as readonly unknown[]) : []
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`
  if (value === undefined) return 'nothing'
  // A null and a number are written as JSON writes them.
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

function output(yours: ProgramReport): Check {
  const sizes = timedSizesOf(yours.plan)
  const answers = answersOf(yours)
  for (const [index, { n }] of sizes.entries())
    if (!isPlace(answers[index]))
      return check(
        'output',
        'no',
        `For n = ${String(n)} your function returned ${shown(answers[index])}; the answers are 'cpu' and 'gpu'.`,
      )
  return check(
    'output',
    'yes',
    `Your function answered for ${String(sizes.length)} sizes that it had not seen.`,
  )
}

/** More than twice the time reads better as a factor. */
const longer = (regret: number): string =>
  regret <= 1
    ? `${percent(regret)} more time than the better ones`
    : `${(1 + regret).toFixed(regret < 9 ? 1 : 0)} times the time of the better ones`

const choicesOf = (report: ProgramReport): readonly Place[] => answersOf(report).filter(isPlace)

/** Null where the function did not answer for each size. */
function ownRegret(report: ProgramReport): number | null {
  const sizes = timedSizesOf(report.plan)
  const choices = choicesOf(report)
  return sizes.length > 0 && choices.length === sizes.length
    ? meanRegret(sizes, (index) => choices[index] ?? 'cpu')
    : null
}

function regret(yours: ProgramReport): Check {
  const sizes = timedSizesOf(yours.plan)
  const choices = choicesOf(yours)
  const own = ownRegret(yours)
  if (own === null)
    return check('regret', 'no', 'What your choices cost follows only from a choice for each size.')
  const note =
    yours.plan['hasLibrary'] === 1
      ? ''
      : ' The CPU’s side was plain JavaScript here: its library did not load.'
  const range = `${String(sizes[0]?.n)} to ${String(sizes.at(-1)?.n)}`
  const words = `Over ${String(sizes.length)} sizes from ${range}, your choices took ${longer(own)} on average`
  if (own > MOST_REGRET) {
    const regrets = sizes.map((size, index) => regretOf(size, choices[index] ?? 'cpu'))
    const worst = regrets.indexOf(Math.max(...regrets))
    const size = sizes[worst]
    const most = size
      ? ` Most at n = ${String(size.n)}: you chose '${String(choices[worst])}'; the CPU takes ${ms(size.cpu.ms)}, the GPU ${ms(size.gpu.ms)}.`
      : ''
    return check('regret', 'no', `${words}; ${percent(MOST_REGRET)} is allowed.${most}${note}`)
  }
  const always = PLACES.map((place) => ({ place, regret: meanRegret(sizes, () => place) }))
  const simple = always.find((each) => each.regret <= MOST_REGRET)
  if (simple)
    return check(
      'regret',
      'cannot-tell',
      `${words}. But '${simple.place}' for every size takes ${percent(simple.regret)} more: this machine cannot tell your rule from that.${note}`,
    )
  const others = always.map((each) => `'${each.place}' for every size takes ${longer(each.regret)}`)
  return check('regret', 'yes', `${words}. ${others.join(', ')}.${note}`)
}

export const rules: MendRules = {
  experiment: 'worth-it',
  language: 'javascript',
  figure: {
    words: 'more time than the better choices take, on average',
    unit: 'ratio',
    run: 'asked',
    of: ownRegret,
  },
  checks: ({ yours }) => [output(yours), regret(yours)],
}
