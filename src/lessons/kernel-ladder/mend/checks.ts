/**
 * The right product, nothing written beside it, and a kernel that asks memory for less: which only
 * its time can show.
 */
import { median } from '../../../base/stats'
import {
  differs,
  firstWrong,
  roundingOf,
  cannotTell,
  checksOf,
  no,
  rulesFor,
  yes,
  type Ask,
} from '../../../exercises/rules'
import type { Evidence, ProgramReport, RunOf } from '../../../exercises/types'
import { passSpansOf } from '../../../exercises/trace-of-run'
import { samplePositions } from '../../../gpu/kernels/matmul/reference'
import { lengthsCheck, ms } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'

/** The lab starts one workgroup for each block of so many rows and columns. */
export const BLOCK = 16
/** The small product, all of which is compared: its last workgroups are cut off. */
export const SMALL = 4 * BLOCK + 7
/**
 * Every word of C, and of what lies behind it, holds this before the small product: as f32 a number
 * of millions. It is no NaN, which a compiler may take for anything.
 */
export const NOT_WRITTEN = 0x4b0dead5

/**
 * The places of C that are compared in the large product: corners, edges of workgroups, and others.
 */
export const placesIn = (n: number): readonly number[] =>
  samplePositions(n, n, 192, 1).map(([row, column]) => row * n + column)

/** The kernel has no workgroup memory. */
export const NO_TILES = -1

/** The pass that a learner's kernel runs in, by its name in the trace. */
export const PRODUCT_PASS = 'product'

/** The lab finds this after a run. */
export type Product = {
  n: number
  /** Barriers in the kernel's text, or NO_TILES. */
  barriers: number
  /** All entries of C of the small product, and those at placesIn() of the large one. */
  entries: ArrayLike<number>
  /** Words behind the end of C. */
  behind: ArrayLike<number>
  /** The largest n that was computed, and what it took, ms. */
  reached: number
  reachedMs: number
}

type Run = RunOf<Product>
const all = rulesFor<Product>(undefined, 'warm-up too')
const small = rulesFor<Product>('small')
const large = rulesFor<Product>('large')

const size = (n: number): string => `${String(n)} × ${String(n)}`
const notWritten = new Float32Array(Uint32Array.of(NOT_WRITTEN).buffer)[0]

/** The first entry that is wrong, in words; null where all are right. */
function wrongEntry({ name, found: { n, entries } }: Run, labs: Run | undefined): string | null {
  const expected = labs?.found.entries ?? []
  const at = firstWrong(entries, expected, roundingOf(expected))
  if (at < 0) return null
  const place = name === 'small' ? at : (placesIn(n)[at] ?? 0)
  const cell = `(${String(Math.floor(place / n))}, ${String(place % n)})`
  if (entries[at] === notWritten)
    return `Your kernel did not write entry ${cell} of the product of ${size(n)}.`
  const subject = `Entry ${cell} of the product of ${size(n)}`
  return differs(subject, expected[at], 'your kernel wrote', entries[at])
}

/** Those whose product was computed: a kernel that is far too slow is not run at the full size. */
const largeRuns = (report: ProgramReport | null): readonly Run[] =>
  large.runsOf(report).filter(({ found }) => found.reached === found.n)

/**
 * Lists what a kernel with tiles lacks, judged by its text. A kernel without tiles lacks nothing.
 */
function lacking({ found: { barriers } }: Run): string {
  if (barriers === NO_TILES) return ''
  if (barriers === 0)
    return ' It has workgroup memory and no barrier: an invocation may read what another one has not stored yet.'
  if (barriers === 1)
    return ' It has one barrier. Tiles that are overwritten need two: one when they are complete, and one when all have read them.'
  return ' Compare the entry that an invocation stores in a tile with those that it reads there. Tiles that reach beyond the matrix hold 0 there.'
}

const output: Ask = ({ yours, reference }) => {
  const runs = [...small.runsOf(yours), ...largeRuns(yours)]
  const labs = [...small.runsOf(reference), ...largeRuns(reference)]
  for (const run of runs) {
    const wrong = wrongEntry(
      run,
      labs.find(({ name, repeat }) => name === run.name && repeat === run.repeat),
    )
    if (wrong !== null) return no(`${wrong}${lacking(run)}`)
  }
  const sizes = [...new Set(runs.map(({ found }) => size(found.n)))]
  return yes(
    sizes.length === 1
      ? `The product of ${sizes.join('')} is right.`
      : `The products of ${sizes.join(' and ')} are right.`,
  )
}

function wordsBehind({ found: { n, behind } }: Run): string | null {
  const written = Array.from(behind).filter((word) => word !== NOT_WRITTEN).length
  return written === 0
    ? null
    : `With matrices of ${size(n)} your kernel wrote ${written === 1 ? 'a word' : `${String(written)} words`} past the end of C: some invocations lie outside the matrix.`
}

/** The run that was too slow for the full size; null: none was. */
function slowest(report: ProgramReport) {
  const warmUp = all.runsOf(report).find(({ repeat }) => repeat < 0)
  if (!warmUp || warmUp.found.reached >= warmUp.found.n) return null
  return { reached: warmUp.found.reached, ms: warmUp.found.reachedMs, n: warmUp.found.n }
}

/**
 * Milliseconds of a product, one for each run: the median of its passes by the device's clock,
 * whose stamps may be coarse.
 */
function lengthsOf(report: ProgramReport | null): readonly number[] {
  const trace = report?.trace
  return largeRuns(report).flatMap((run) => {
    const passes = trace ? passSpansOf(trace, run, PRODUCT_PASS) : []
    return passes.length > 0 ? [median(passes.map(({ ns }) => ns)) / 1e6] : []
  })
}

/** 0 means 'not measured'. */
const gflopsOf = (report: ProgramReport | null): number => {
  const [run] = largeRuns(report)
  return run ? (2 * run.found.n ** 3) / (Math.min(...lengthsOf(report)) * 1e6) : 0
}

/**
 * Times the unchanged kernel's time: where no way of reading makes such a difference, and no other
 * program at work.
 */
const FAR_SLOWER = 10

/** A kernel that is too slow: with tiles or without. */
const unshared = ({ yours }: Evidence): string =>
  small.runsOf(yours).some(({ found }) => found.barriers !== NO_TILES)
    ? ' It has workgroup memory. Does each invocation store one entry of each tile, and does the inner loop read only the tiles?'
    : ' It has no workgroup memory: each invocation still reads all of its row and its column from global memory.'

/** @param why what a kernel lacks that is too slow */
const timeIs =
  (why: (evidence: Evidence) => string): Ask =>
  (evidence) => {
    const { yours, start, reference } = evidence
    const slow = slowest(yours)
    if (slow)
      return no(
        `Your kernel took ${ms(slow.ms)} for a product of ${size(slow.reached)}: too long to run it with ${size(slow.n)}. Look for a loop that does not end.`,
      )
    const lengths = [yours, start, reference].map(lengthsOf)
    if (largeRuns(yours).length > 0 && lengths.every((each) => each.length === 0))
      return cannotTell('This browser gives no device timestamps, so no kernel was timed.')
    if (!yours.isSoftware) {
      const { outcome, text } = lengthsCheck(lengths, 'kernel')
      return { outcome, text: outcome === 'no' ? `${text}${why(evidence)}` : text }
    }
    const [own = Infinity, unchanged = Infinity] = lengths.map((each) => Math.min(...each))
    return own > FAR_SLOWER * unchanged
      ? no(`Your kernel took ${ms(own)}, the unchanged kernel ${ms(unchanged)}.`)
      : cannotTell(
          'This adapter computes on the CPU, whose caches serve both kernels about as fast. Only a GPU can show the difference.',
        )
  }

/** A rung differs from the other only in how it asks for time. */
const rulesWith = (time: Ask): ExerciseRules => ({
  figure: {
    words: 'reached by the kernel',
    unit: 'GFLOP/s',
    run: 'large',
    of: (report) => gflopsOf(report) || null,
  },
  checks: checksOf({
    output,
    edges: small.everyRun(wordsBehind, () => 'Your kernel wrote nothing past the end of C.'),
    time,
  }),
})

export const rules = rulesWith(timeIs(unshared))

/** One that is too slow lacks no tiles. */
export const firstRung = rulesWith(timeIs(() => ''))
