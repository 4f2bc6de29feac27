/**
 * Combinators of the checks of exercises. An exercise names the facts that its `prepare.ts` writes
 * into a run, and puts these together, each under the id of a check. Each has three users at least.
 * Below them: what a run left behind, held against what the lab's own program left.
 */
import { grouped } from '../base/figures'
import type { Trace } from '../trace/schema'
import { cannotTell, gradedRuns, no, runTimesOf, timeCheck, yes, type Ask } from './checks'
import type { ExerciseRules } from './exercise'
import type { Evidence, Found, ProgramReport, RunOf } from './types'
import { atLines, hostSpansOf, uploadedBytesOf, type RunSpan } from './trace-of-run'

export { cannotTell, checksOf, no, yes, type Ask } from './checks'

/** The same without these checks: of a lower rung, what it does not ask for yet. */
export const without = (rules: ExerciseRules, ...ids: readonly string[]): ExerciseRules => ({
  ...rules,
  checks: (evidence) => rules.checks(evidence).filter(({ id }) => !ids.includes(id)),
})

/** 'once', '3 times'. */
export const times = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`)

/** Most work allowed, as a multiple of the work asked for: a tenth more is no second time. */
const MOST_WORK = 1.1
const isAsked = (share: number): boolean => share >= 1 && share <= MOST_WORK

/** Sizes that are held against each other, in one unit. */
const sizeText = (bytes: number, beside: number): string =>
  beside < 2 ** 22 ? `${grouped(Math.round(bytes / 2 ** 10))} KiB` : `${grouped(bytes / 2 ** 20, 3)} MiB`

/**
 * The combinators of a mend whose runs have these facts.
 *
 * @param name of the runs that count; all where none is named
 * @param warmUp it counts too: what is made there for later is no less
 */
export function rulesFor<F extends Found>(
  name?: string,
  warmUp: 'no warm-up' | 'warm-up too' = 'no warm-up',
) {
  const runsOf = (report: ProgramReport | null): readonly RunOf<F>[] => {
    if (!report) return []
    const runs: readonly unknown[] = warmUp === 'warm-up too' ? report.runs : gradedRuns(report, name)
    return runs as readonly RunOf<F>[] // as prepare.ts wrote them
  }

  /** No run in which `wrong` finds something: the first decides. `right` is said of all of them. */
  const everyRun =
    (
      wrong: (run: RunOf<F>, trace: Trace | null) => string | null,
      right: (runs: readonly RunOf<F>[]) => string,
    ): Ask =>
    ({ yours }) => {
      const runs = runsOf(yours)
      for (const run of runs) {
        const words = wrong(run, yours.trace)
        if (words !== null) return no(words)
      }
      return yes(right(runs))
    }

  /** The same for what only the trace shows. */
  const everyTrace =
    (
      wrong: (trace: Trace, run: RunOf<F>) => string | null,
      right: (runs: readonly RunOf<F>[]) => string,
    ): Ask =>
    (evidence) => {
      const { trace } = evidence.yours
      if (!trace) return cannotTell('Nothing was recorded.')
      return everyRun((run) => wrong(trace, run), right)(evidence)
    }

  return {
    runsOf,
    everyRun,
    everyTrace,

    /**
     * The output is the lab's own in every run. `wrong` holds a run against the same run of the
     * reference. `right`: 'All parts arrived'.
     */
    outputIs:
      (
        wrong: (run: RunOf<F>, labs: RunOf<F>, trace: Trace | null) => string | null,
        right: string | ((run: RunOf<F> | undefined) => string),
      ): Ask =>
      ({ yours, reference }) => {
        const [runs, labs] = [runsOf(yours), runsOf(reference)]
        for (const run of runs) {
          const own = labs.find(({ name, repeat }) => name === run.name && repeat === run.repeat)
          if (!own) return cannotTell('The lab’s own program did not run to its end.')
          const words = wrong(run, own, yours.trace)
          if (words !== null) return no(words)
        }
        const words = typeof right === 'string' ? right : right(runs[0])
        return yes(`${words}, in ${String(runs.length)} runs.`)
      },

    /**
     * The program did the work asked for, and at most a tenth more. `did` and `what` stand round
     * the number: 'The GPU ran', 'kernels'.
     *
     * @param key of what was counted
     */
    ranExactly: (
      key: keyof F,
      asked: number | ((found: F) => number),
      [did, what]: readonly [did: string, what: string],
    ): Ask => {
      const askedOf = ({ found }: RunOf<F>) => (typeof asked === 'number' ? asked : asked(found))
      const words = (count: string) => `${did} ${count} ${what}`
      return everyRun(
        (run) => {
          const count = Number(run.found[key])
          return isAsked(count / askedOf(run))
            ? null
            : `${words(grouped(count))}; ${grouped(askedOf(run))} are asked for.`
        },
        ([run]) => `${words(run ? grouped(askedOf(run)) : 'none')}, as asked.`,
      )
    },

    /**
     * The bytes asked for went up to the GPU, by mapping or by writeBuffer(), and at most a tenth
     * more.
     */
    uploadedBytes: (asked: (run: RunOf<F>) => number): Ask =>
      everyTrace(
        (trace, run) => {
          const [bytes, wanted] = [uploadedBytesOf(trace, run), asked(run)]
          return isAsked(bytes / wanted)
            ? null
            : `Your program wrote ${sizeText(bytes, wanted)} for the GPU; ${sizeText(wanted, wanted)} are asked for.`
        },
        ([run]) =>
          `Each run wrote ${run ? sizeText(asked(run), asked(run)) : 'nothing'} for the GPU, as asked.`,
      ),

    /**
     * In the run with most of it. `words`: 'Your program called submit() 3 times in a run'.
     * `where`: the calls that are too many.
     */
    atMost:
      (
        most: number,
        count: (trace: Trace, run: RunOf<F>) => number,
        words: (count: number) => string,
        where: (trace: Trace, run: RunOf<F>) => readonly Pick<RunSpan, 'line'>[] = () => [],
      ): Ask =>
      ({ yours }) => {
        const { trace } = yours
        if (!trace) return cannotTell('Nothing was recorded.')
        const found = Math.max(0, ...runsOf(yours).map((run) => count(trace, run)))
        const calls = runsOf(yours).flatMap((run) => where(trace, run))
        return found <= most
          ? yes(`${words(found)}.`)
          : no(
              `${words(found)}${atLines(calls)}; at most ${grouped(most)} ${most === 1 ? 'is' : 'are'} allowed.`,
            )
      },

    /** Beyond half the way from the unchanged program's time to the lab's. */
    halfTheTime: (evidence: Evidence) => timeCheck(evidence, name ?? ''),

    /** The median of whole runs, ms, over the `parts` of one. */
    took: (words: string, parts: (run: RunOf<F>) => number = () => 1): ExerciseRules['figure'] => ({
      words,
      unit: 'ms',
      run: name ?? '',
      of: (report) => {
        const [length, [run]] = [runTimesOf(report, name ?? ''), runsOf(report)]
        return length && run ? length.medianMs / parts(run) : null
      },
    }),
  }
}

/** The place of the first number that differs by more than `allowed`; -1: none does. */
export const firstWrong = (got: ArrayLike<unknown>, expected: ArrayLike<number>, allowed = 0): number =>
  Array.from(expected).findIndex((value, at) => !isNear(got[at], value, allowed))

/** NaN is right where it is expected. What is no number is wrong. */
const isNear = (got: unknown, value: number, allowed: number): boolean =>
  typeof got === 'number' && (Object.is(got, value) || Math.abs(got - value) <= allowed)

/**
 * The difference that rounding may make between sums of the same products, which may be added in
 * another order. A product that was left out, or added twice, makes a far larger one.
 */
export function roundingOf(expected: ArrayLike<number>): number {
  const finite = Array.from(expected).filter(Number.isFinite)
  const squares = finite.reduce((sum, value) => sum + value ** 2, 0)
  return finite.length > 0 ? 1e-3 * Math.sqrt(squares / finite.length) : 0
}

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isNaN(value) ? value.toPrecision(6) : 'no number'

/** 'The mean is 1.50000; your program returned 2.50000.' @param whose 'your program returned' */
export const differs = (subject: string, expected: number | undefined, whose: string, got: unknown): string =>
  `${subject} is ${shown(expected)}; ${whose} ${shown(got)}.`

/** Finds the first part with wrong words; each part kept equally many. */
export function firstWrongPart(
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  parts: number,
): { readonly part: number; readonly wrong: number; readonly of: number } | null {
  const of = expected.length / parts
  for (let part = 0; part < parts; part += 1) {
    let wrong = 0
    for (let at = part * of; at < (part + 1) * of; at += 1) if (got[at] !== expected[at]) wrong += 1
    if (wrong > 0) return { part, wrong, of }
  }
  return null
}

type RankFound = Found & {
  /**
   * Waits of ranks that hang: rank, 1 for send and 0 for recv, the other rank; again for the next.
   */
  readonly waits: readonly number[]
}

/**
 * Finds the line where calls of this name never returned: the longest of all such, since a hang is
 * found late. Ranks share a program, and a host's lane.
 */
function stuckAt(trace: Trace, run: RunOf<RankFound>, role: 'send' | 'recv', name: string, count: number) {
  const calls = hostSpansOf(trace, run, [role]).filter((call) => call.name === name)
  const longestFirst = calls.toSorted((one, other) => other.endNs - other.startNs - (one.endNs - one.startNs))
  return atLines(longestFirst.slice(0, count))
}

/** No rank waits for ever. `who`: 'Both ranks'. */
export const goesOn = <F extends RankFound>(
  everyRun: (wrong: (run: RunOf<F>, trace: Trace | null) => string | null, right: () => string) => Ask,
  who: string,
): Ask =>
  everyRun(
    (run, trace) => {
      const { waits } = run.found
      if (waits.length === 0) return null
      const all = Array.from({ length: waits.length / 3 }, (_, at) => {
        const [from = 0, isSend = 0, to = 0] = waits.slice(3 * at)
        const role = isSend === 1 ? ('send' as const) : ('recv' as const)
        return { from, to, role, name: `${role} ${isSend === 1 ? 'to' : 'from'} ${String(to)}` }
      })
      const calls = all.map(({ from, to, role, name }) => {
        const alike = all.filter((each) => each.name === name).length
        const at = trace ? stuckAt(trace, run, role, name, alike) : ''
        return `rank ${String(from)} waited in ${role}() ${role === 'send' ? 'to' : 'from'} rank ${String(to)}${at}`
      })
      return `The ranks hang: ${calls.join(', and ')}.`
    },
    () => `${who} ended in every run.`,
  )
