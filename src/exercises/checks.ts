/**
 * Checks that every exercise has. Pure: from the behaviour of three programs to yes, no or
 * cannot-tell, with a sentence.
 */
import { grouped } from '../base/figures'
import { median } from '../base/stats'
import { NO_SLOT } from '../trace/schema'
import { computedShare } from './trace-of-run'
import type { Check, Evidence, Grade, Outcome, ProgramReport, ProgramRun } from './types'

type Answer = Omit<Check, 'id'>

/** The question under one id. */
export type Ask = (evidence: Evidence) => Answer

export const yes = (text: string): Answer => ({ outcome: 'yes', text })
export const no = (text: string): Answer => ({ outcome: 'no', text })
export const cannotTell = (text: string): Answer => ({ outcome: 'cannot-tell', text })

/** In their order. */
export const checksOf =
  (asks: Readonly<Record<string, Ask>>) =>
  (evidence: Evidence): readonly Check[] =>
    Object.entries(asks).map(([id, ask]) => ({ id, ...ask(evidence) }))

/** False where any says no, null where none does and one cannot tell, else true. */
export function gradeOf(checks: readonly Check[]): Grade {
  const has = (outcome: Outcome) => checks.some((each) => each.outcome === outcome)
  return { passed: has('no') ? false : has('cannot-tell') ? null : true, checks }
}

/** Those that count: no warm-up. */
export const gradedRuns = ({ runs }: ProgramReport, name?: string): readonly ProgramRun[] =>
  runs.filter((run) => run.repeat >= 0 && (name === undefined || run.name === name))

const lengthMs = ({ startNs, endNs }: Pick<ProgramRun, 'startNs' | 'endNs'>): number =>
  (endNs - startNs) / 1e6

/**
 * Milliseconds that a program took, over its runs of one name. A busy machine makes runs longer,
 * never shorter.
 */
export interface RunTimes {
  readonly bestMs: number
  readonly medianMs: number
  readonly worstMs: number
}
const tookOfAll = (lengths: readonly number[]): RunTimes | null =>
  lengths.length > 0
    ? { bestMs: Math.min(...lengths), medianMs: median(lengths), worstMs: Math.max(...lengths) }
    : null

export const runTimesOf = (report: ProgramReport | null, name: string): RunTimes | null =>
  tookOfAll(report ? gradedRuns(report, name).map(lengthMs) : [])

/** For `ExerciseRules.figure`: the median over its runs of one name. */
export function medianShare({ trace, ...report }: ProgramReport, name: string): number | null {
  if (!trace) return null
  const shares = gradedRuns({ trace, ...report }, name).map((run) => computedShare(trace, run))
  return shares.length > 0 && shares.every((share) => share !== null) ? median(shares) : null
}

/** Start and reference nearer to each other than this are one to a stopwatch. */
const LEAST_SEPARATION = 1.1

/** '3.4 %', '12 %'. */
export const percent = (share: number): string =>
  `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

export const ms = (value: number): string =>
  `${value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2)} ms`

/**
 * Beyond half the way from the start's time to the reference's, both run beside it. Where a
 * processor plays the GPU, programs and GPU share its cores, and what else runs on the machine
 * decides which of two is faster: no time is held against a program there. Nor is one of less than
 * the runs of the reference differ by.
 */
export function timeCheck({ yours, start, reference }: Evidence, name: string): Answer {
  const times = [yours, start, reference].map((report) => runTimesOf(report, name))
  const timed = compareTimes(times, 'program')
  if (timed.outcome !== 'no') return timed
  const unsure = yours.isSoftware
    ? 'Here the processor plays the GPU too, so times do not decide.'
    : isWithinSpread(times)
      ? 'The runs of the lab’s own fix differ by as much as yours took too long: a browser looks for ended work at intervals, and a run may just miss a look.'
      : null
  return unsure === null ? timed : cannotTell(`${timed.text} ${unsure}`)
}

/**
 * Seen on an H200: runs of one program took 1.2 or 3.5 ms, as they met Chromium's first look for
 * ended work or its next.
 */
function isWithinSpread([own, slow, fast]: readonly (RunTimes | null)[]): boolean {
  if (!own || !slow || !fast) return false
  return own.bestMs - (fast.worstMs - fast.bestMs) <= halfway(slow, fast)
}

/**
 * The same for lengths that are not those of whole runs, ms: of each report some, of a busy machine
 * some too long.
 */
export const lengthsCheck = (lengths: readonly (readonly number[])[], what: 'program' | 'kernel'): Answer =>
  compareTimes(lengths.map(tookOfAll), what)

/** @param times yours, the start's, the reference's */
function compareTimes([own, slow, fast]: readonly (RunTimes | null)[], what: string): Answer {
  if (!own || !slow || !fast)
    return cannotTell(`Your ${what} was not timed: the ${what}s beside it did not run to their ends.`)
  const between = `At best, the unchanged ${what} took ${ms(slow.bestMs)}, the lab’s own fix ${ms(fast.bestMs)}; yours took ${ms(own.bestMs)}.`
  if (slow.bestMs < fast.medianMs || slow.bestMs < LEAST_SEPARATION * fast.bestMs)
    return cannotTell(`${between} On this machine the first two cannot be distinguished by time.`)
  const halfMs = halfway(slow, fast)
  if (own.bestMs <= halfMs) return yes(between)
  return no(`${between} Halfway is ${ms(halfMs)}.`)
}

const halfway = (slow: RunTimes, fast: RunTimes): number => (slow.bestMs + fast.bestMs) / 2

/** A program that returns before its work is done times nothing and can report nothing. */
export const finishedCheck: Ask = ({ yours }) => {
  const early = gradedRuns(yours).some(({ unfinished }) => unfinished > 0)
  return early
    ? no('Your program returned while the GPU was still at work on what it had submitted.')
    : yes('All that was submitted had ended when your program returned.')
}

/** The warm-up's work is no less the program's. */
export const fuelCheck: Ask = ({ yours }) => {
  const lines = [...new Set(yours.runs.flatMap(({ ranOut = [] }) => ranOut))].sort((a, b) => a - b)
  if (lines.length === 0) return yes('Each loop of your WGSL ended by itself.')
  const [which, them] =
    lines.length === 1
      ? [`The loop in line ${String(lines[0])}`, 'it']
      : [`The loops in lines ${lines.join(', ')}`, 'them']
  return no(
    `${which} of your WGSL took more time than an exercise may use on this GPU, so the lab ended ${them}.`,
  )
}

/**
 * Passes beyond the recorder's timestamps have no time, and nothing could be said of how long they
 * took.
 */
export const clockCheck: Ask = ({ yours }) => {
  const untimed = yours.trace?.rejected[NO_SLOT] ?? 0
  return untimed > 0
    ? no(
        `Your program encoded more passes and copies than the lab can time: ${grouped(untimed)} have no time.`,
      )
    : yes('The lab has a time for every pass that your program encoded.')
}

const NOT_KNOWN = {
  kernels:
    'The model does not know what other WGSL than the lab’s computes, or how long it takes. Only a GPU can tell.',
  results:
    'Your program reads more numbers than the model works out. Only a GPU can tell whether they are right.',
} as const

/**
 * On the model: a check that asks for what it does not know cannot be determined. The order of
 * calls, and what was carried, can: of a program in JavaScript only 'output' asks what kernels
 * computed, and only 'time' how long they took.
 */
export function untold(
  checks: readonly Check[],
  language: 'javascript' | 'wgsl',
  { yours, start, reference }: Evidence,
): readonly Check[] {
  const isUntimed = [yours, start, reference].some((report) => report?.unknown === 'kernels')
  return checks.map((each) => {
    const what = each.id === 'time' ? (isUntimed ? 'kernels' : null) : (yours.unknown ?? reference?.unknown)
    const asks = language === 'wgsl' || each.id === 'output' || each.id === 'time'
    return what && asks ? { ...each, ...cannotTell(NOT_KNOWN[what]) } : each
  })
}

/**
 * A program that stopped early for a reason of its own fails: other reasons are not graded
 * (grade.ts).
 */
export function stopCheck({ stop }: ProgramReport): Answer {
  if (!stop) return yes('Your program ran to its end.')
  const { text, line } = stop
  const at =
    line === null || new RegExp(`\\bline ${String(line)}\\b`, 'i').test(text) ? '' : ` (line ${String(line)})`
  return no(`${text}${at}`)
}

/**
 * The source without layout and comments. A string with two slashes in it loses more, in both texts
 * alike.
 */
const bare = (source: string): string => source.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|\s+/g, '')

/** The start of a mend is no mend, also on a machine that cannot tell the two apart. */
export const changedCheck = (source: string, start: string): Answer =>
  bare(source) === bare(start)
    ? no('This is the program as it was: nothing in it was changed.')
    : yes('This is another program than the one that you were given.')

/**
 * Requirements of every exercise beside its own: the checks of this file that grade.ts adds, in
 * words for readers who have not run anything yet.
 */
export const COMMON_RULES: readonly { readonly id: string; readonly text: string }[] = [
  { id: 'changed', text: 'The program is another one than you were given.' },
  {
    id: 'ended',
    text: 'It runs to its end without an error, and each call takes a few seconds at most. It has WebGPU and the language: no timers, no imports, no network.',
  },
  { id: 'fuel', text: 'Each loop of its WGSL ends by itself, within a few seconds.' },
  { id: 'finished', text: 'All that it submits has ended when it returns.' },
  { id: 'clock', text: 'The lab has a time for every pass that it encodes.' },
]
