/**
 * An answer for each size, and what the answers cost: times that were measured before the function
 * was asked.
 */
import type { Evidence, Plan, ProgramReport } from '../../../exercises/types'
import { gradedRuns, ms, percent } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'
import { cannotTell, checksOf, no, yes, type Ask } from '../../../exercises/rules'
import { atLines } from '../../../exercises/trace-of-run'

const PLACES = ['cpu', 'gpu'] as const
type Place = (typeof PLACES)[number]

/** Milliseconds of a product: the shortest, the median and the longest of a few. */
type Times = Readonly<Record<'lowMs' | 'ms' | 'highMs', number>>
type TimedSize = { readonly n: number } & Readonly<Record<Place, Times>>

/** Reads the times that the worker's plan carries: three numbers for each size. */
function timedSizesOf(plan: Plan): readonly TimedSize[] {
  const list = (name: string) => (plan[name] ?? []) as readonly number[] // prepare.ts puts lists there
  const timesAt = (place: Place, index: number): Times => {
    const [lowMs = NaN, ms = NaN, highMs = NaN] = list(`${place}Ms`).slice(3 * index)
    return { lowMs, ms, highMs }
  }
  return list('sizes').map((n, index) => ({ n, cpu: timesAt('cpu', index), gpu: timesAt('gpu', index) }))
}

const other = (place: Place): Place => (place === 'cpu' ? 'gpu' : 'cpu')

/**
 * Time of the choice over that of the better one, less 1. Where their times overlap neither is the
 * better one.
 */
function regretOf(size: TimedSize, choice: Place): number {
  const [chosen, left] = [size[choice], size[other(choice)]]
  return chosen.lowMs > left.highMs ? chosen.ms / left.ms - 1 : 0
}

const meanRegret = (sizes: readonly TimedSize[], choiceAt: (index: number) => Place): number =>
  sizes.reduce((sum, size, index) => sum + regretOf(size, choiceAt(index)), 0) / sizes.length

const isPlace = (value: unknown): value is Place => PLACES.some((place) => place === value)

const answersOf = (report: ProgramReport): readonly unknown[] => {
  const [run] = gradedRuns(report, 'asked')
  return Array.isArray(run?.output) ? (run.output as readonly unknown[]) : []
}

const choicesOf = (report: ProgramReport): readonly Place[] => answersOf(report).filter(isPlace)

/** Null: the function did not answer for each size. */
function ownRegret(report: ProgramReport): number | null {
  const sizes = timedSizesOf(report.plan)
  const choices = choicesOf(report)
  return sizes.length > 0 && choices.length === sizes.length
    ? meanRegret(sizes, (index) => choices[index] ?? 'cpu')
    : null
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`
  if (value === undefined) return 'nothing'
  // A null and a number are written as JSON writes them.
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

/** A regret of more than twice the time reads better as a factor. */
const longer = (regret: number): string =>
  regret <= 1
    ? `${percent(regret)} more time than the better ones`
    : `${(1 + regret).toFixed(regret < 9 ? 1 : 0)} times the time of the better ones`

/**
 * The most mean regret over sizes. A rule of thumb stays below it; no constant answer does if there
 * is something to choose.
 */
const MOST_REGRET = 0.1

/** Names the line that gave the answer. No recording shows it, so the program's text does. */
const answeredAt = ({ answersAt = [] }: Evidence): string => atLines(answersAt.map((line) => ({ line })))

const output: Ask = (evidence) => {
  const { yours } = evidence
  const sizes = timedSizesOf(yours.plan)
  const answers = answersOf(yours)
  for (const [index, { n }] of sizes.entries())
    if (!isPlace(answers[index]))
      return no(
        `For n = ${String(n)} your function returned ${shown(answers[index])}${answeredAt(evidence)}; the answers are 'cpu' and 'gpu'.`,
      )
  return yes(`Your function answered for ${String(sizes.length)} sizes that it had not seen.`)
}

const regret: Ask = (evidence) => {
  const { yours } = evidence
  const [sizes, choices, own] = [timedSizesOf(yours.plan), choicesOf(yours), ownRegret(yours)]
  if (own === null) return no('What your choices cost follows only from a choice for each size.')
  const isPlain = yours.plan['hasLibrary'] !== 1
  const note = isPlain ? ' The CPU’s side was plain JavaScript here: its library did not load.' : ''
  const words = `Over ${String(sizes.length)} sizes from ${String(sizes[0]?.n)} to ${String(sizes.at(-1)?.n)}, your choices took ${longer(own)} on average`
  if (own > MOST_REGRET) {
    const regrets = sizes.map((size, index) => regretOf(size, choices[index] ?? 'cpu'))
    const worst = regrets.indexOf(Math.max(...regrets))
    const size = sizes[worst]
    const most = size
      ? ` Most at n = ${String(size.n)}: you chose '${String(choices[worst])}'${answeredAt(evidence)}; the CPU takes ${ms(size.cpu.ms)}, the GPU ${ms(size.gpu.ms)}.`
      : ''
    return no(`${words}; ${percent(MOST_REGRET)} is allowed.${most}${note}`)
  }
  const always = PLACES.map((place) => ({ place, regret: meanRegret(sizes, () => place) }))
  const simple = always.find((each) => each.regret <= MOST_REGRET)
  if (simple)
    return cannotTell(
      `${words}. But '${simple.place}' for every size takes ${percent(simple.regret)} more: this machine cannot tell your rule from that.${note}`,
    )
  const others = always.map((each) => `'${each.place}' for every size takes ${longer(each.regret)}`)
  return yes(`${words}. ${others.join(', ')}.${note}`)
}

export const rules: ExerciseRules = {
  figure: {
    words: 'more time than the better choices take, on average',
    unit: 'ratio',
    run: 'asked',
    of: ownRegret,
  },
  checks: checksOf({ output, regret }),
}
