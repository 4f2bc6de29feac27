/** The right product, nothing written beside it, and a kernel that asks memory for less: which only its time can show. */
import { median } from '../../../base/stats'
import { seededEntry, wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import { passesOf } from '../../../exercises/trace-of-run'
import type { Evidence, ProgramReport } from '../../../exercises/types'
import {
  BLOCK,
  GUARD_WORDS,
  NO_TILES,
  NOT_WRITTEN,
  PRODUCT_PASS,
  sampledPositions,
  type Product,
} from './product'
import { flopRateText } from '../../../base/figures'
import { lengthsCheck, ms } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'

type Run = RunOf<Product>
const all = rulesFor<Product>(undefined, 'warm-up too')
const small = rulesFor<Product>('small')
const large = rulesFor<Product>('large')

export const size = (n: number): string => `${String(n)} × ${String(n)}`

/** The entry of C at a place, in words, where it is wrong; null where it is right. */
const wrongEntry = ({ facts }: Run, row: number, column: number, got: number | undefined): string | null =>
  wrongNumber(
    `Entry (${String(row)}, ${String(column)}) of the product of ${size(facts.n)}`,
    got,
    seededEntry(facts, row, column),
    'your kernel wrote',
  )

function wrongInSmall(run: Run): string | null {
  const { n } = run.facts
  const words = Uint32Array.from(run.found.words)
  const entries = new Float32Array(words.buffer)
  for (let at = 0; at < n * n; at += 1) {
    const [row, column] = [Math.floor(at / n), at % n]
    if (words[at] === NOT_WRITTEN)
      return `Your kernel did not write entry (${String(row)}, ${String(column)}) of the product of ${size(n)}.`
    const wrong = wrongEntry(run, row, column, entries[at])
    if (wrong !== null) return wrong
  }
  return null
}

function wrongInLarge(run: Run): string | null {
  for (const [index, [row, column]] of sampledPositions(run.facts.n, run.facts.seedSamples).entries()) {
    const wrong = wrongEntry(run, row, column, run.found.entries[index])
    if (wrong !== null) return wrong
  }
  return null
}

/** Those whose product was computed: a kernel that is far too slow is not run at the full size. */
const largeRuns = (report: ProgramReport | null): readonly Run[] =>
  large.runsOf(report).filter(({ facts, found }) => found.reached === facts.n)

/** What a kernel with tiles lacks, by its text and by the sizes at which it is wrong. Empty of one without. */
function lacking({ facts: { barriers }, name }: Run, computed: readonly Run[]): string {
  if (barriers === NO_TILES) return ''
  if (barriers === 0)
    return ' It has workgroup memory and no barrier: an invocation may read what another one has not stored yet.'
  if (barriers === 1)
    return ' It has one barrier. Tiles that are overwritten need two: one when they are complete, and one when all have read them.'
  const [large] = computed
  const isFull = large && large.facts.n % BLOCK === 0 && computed.every((run) => wrongInLarge(run) === null)
  return name === 'small' && isFull
    ? ` The product of ${size(large.facts.n)} is right, where all tiles are full. So the last tiles do not hold 0 where they reach beyond the matrix.`
    : ' Compare the entry that an invocation stores in a tile with those that it reads there.'
}

export const wrongProduct: Ask = ({ yours }) => {
  const [smallRuns, computed] = [small.runsOf(yours), largeRuns(yours)]
  for (const run of [...smallRuns, ...computed]) {
    const wrong = run.name === 'small' ? wrongInSmall(run) : wrongInLarge(run)
    if (wrong !== null) return no(`${wrong}${lacking(run, computed)}`)
  }
  const sizes = [...smallRuns, ...computed.slice(0, 1)].map(({ facts }) => size(facts.n))
  const words = `${sizes.length === 1 ? 'product' : 'products'} of ${sizes.join(' and ')}`
  return yes(`The ${words} ${sizes.length === 1 ? 'is right, of' : 'are right, each of'} fresh matrices.`)
}

export function wordsBehind({ facts: { n }, found }: Run): string | null {
  const behind = Array.from(found.words).slice(n * n, n * n + GUARD_WORDS)
  const written = behind.filter((word) => word !== NOT_WRITTEN).length
  return written === 0
    ? null
    : `With matrices of ${size(n)} your kernel wrote ${written === 1 ? 'a word' : `${String(written)} words`} behind the end of C: some invocations stand outside the matrix.`
}

/** Where a kernel was too slow to be run at the full size; null where it was not. */
export function slowest(report: ProgramReport) {
  const warmUp = all.runsOf(report).find(({ repeat }) => repeat < 0)
  if (!warmUp || warmUp.found.reached >= warmUp.facts.n) return null
  return { reached: warmUp.found.reached, ms: warmUp.found.reachedMs, n: warmUp.facts.n }
}

/**
 * Milliseconds of a product, one for each run: the median of its passes by the device's clock, whose stamps may be coarse; where it has
 * none the difference of two submissions by the host's.
 */
export function lengthsOf(report: ProgramReport | null): readonly number[] {
  const trace = report?.trace
  return largeRuns(report).flatMap((run) => {
    const passes = trace ? passesOf(trace, run, PRODUCT_PASS) : []
    if (passes.length > 0) return [median(passes)]
    const { manyMs, onceMs, many } = run.found
    const each = (manyMs - onceMs) / (many - 1)
    return each > 0 ? [each] : []
  })
}

/** 0: not measured. */
export const gflopsOf = (report: ProgramReport | null): number => {
  const [run] = largeRuns(report)
  return run ? (2 * run.facts.n ** 3) / (Math.min(...lengthsOf(report)) * 1e6) : 0
}

/**
 * Times the rate of the lab's usual kernel, which was measured when the page was opened: no device is so much faster. A software adapter
 * was perhaps busy then.
 */
export const MOST_RATE = { gpu: 4, software: 16 }

const { everyRun, runsOf } = rulesFor<Product>('small')

/** Times the unchanged kernel's time: where no way of reading makes such a difference, and no other program at work. */
const FAR_SLOWER = 10

/** What was not computed took no time. */
const work: Ask = ({ yours, start, environment: { matmulGflops } }) => {
  const gflops = gflopsOf(yours)
  if (gflops === 0 || matmulGflops === null)
    return cannotTell('How fast your kernel worked was not measured.')
  const words = `Your kernel did the work of a product at ${flopRateText(gflops)}; the lab’s usual kernel does ${flopRateText(matmulGflops)} here`
  const most = yours.isSoftware ? MOST_RATE.software : MOST_RATE.gpu
  return gflops > most * Math.max(matmulGflops, gflopsOf(start))
    ? no(`${words}. So it cannot have done all of it.`)
    : yes(`${words}.`)
}

/** A kernel that is too slow: with tiles or without. */
const unshared = ({ yours }: Evidence): string =>
  runsOf(yours).some(({ facts }) => facts.barriers !== NO_TILES)
    ? 'It has workgroup memory. Does each invocation store one entry of each tile, and does the inner loop read the tiles alone?'
    : 'It has no workgroup memory: each invocation still reads all of its row and its column from global memory.'

/**
 * @param onCpu why a software adapter shows no difference
 * @param why what a kernel lacks that is too slow
 */
export const timeIs =
  (onCpu: string, why: (evidence: Evidence) => string | null): Ask =>
  (evidence) => {
    const { yours, start, reference } = evidence
    const slow = slowest(yours)
    if (slow)
      return no(
        `Your kernel took ${ms(slow.ms)} for a product of ${size(slow.reached)}: too long to run it with ${size(slow.n)}. Look for a loop that does not end.`,
      )
    const lengths = [yours, start, reference].map(lengthsOf)
    if (!yours.isSoftware) {
      const { outcome, text } = lengthsCheck(lengths, 'kernel')
      const lacks = outcome === 'no' ? why(evidence) : null
      return { outcome, text: lacks === null ? text : `${text} ${lacks}` }
    }
    const [own = Infinity, unchanged = Infinity] = lengths.map((each) => Math.min(...each))
    return own > FAR_SLOWER * unchanged
      ? no(`Your kernel took ${ms(own)}, the unchanged kernel ${ms(unchanged)}.`)
      : cannotTell(`This adapter computes on the CPU, ${onCpu}. Only a GPU can show the difference.`)
  }

/** Of a rung. */
export const rulesWith = (time: Ask): ExerciseRules => ({
  figure: {
    words: 'reached by the kernel',
    unit: 'GFLOP/s',
    run: 'large',
    of: (report) => gflopsOf(report) || null,
  },
  checks: checksOf({
    output: wrongProduct,
    edges: everyRun(wordsBehind, () => 'Your kernel wrote nothing behind the end of C.'),
    work,
    time,
  }),
})

export const rules = rulesWith(
  timeIs('where workgroup memory is memory like any other, and caches serve both kernels', unshared),
)

/** On a CPU another reason hides the difference, and one that is too slow lacks no tiles. */
export const firstRung = rulesWith(timeIs('whose caches serve both orders about as fast', () => null))
