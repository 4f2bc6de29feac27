/** The right product, nothing written beside it, and a kernel whose neighbours read neighbours: which only its time can show. */
import { flopRateText } from '../../../base/figures'
import { median } from '../../../base/stats'
import { fillValue } from '../../../kernels/data/fill'
import { referenceEntry, tolerance } from '../../../kernels/matmul/reference'
import { check, gradedRuns, lengthsCheck, ms } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { passesOf } from '../../../mend/trace-of-run'
import type { Check, Evidence, ProgramReport, ProgramRun } from '../../../mend/types'
import { GUARD_WORDS, NOT_WRITTEN, PRODUCT_PASS, sampledPositions } from './product'

const factOf = ({ facts }: ProgramRun, name: string): number => Number(facts[name])
const foundOf = ({ found }: ProgramRun, name: string): number => Number(found[name])
const listOf = ({ found }: ProgramRun, name: string): ArrayLike<number> =>
  (found[name] ?? []) as ArrayLike<number>

const size = (n: number): string => `${String(n)} × ${String(n)}`

/** The entry of C at a place, in words, where it is wrong; null where it is right. NaN is wrong. */
function wrongEntry(run: ProgramRun, row: number, column: number, got: number): string | null {
  const n = factOf(run, 'n')
  const [seedA, seedB] = [factOf(run, 'seedA'), factOf(run, 'seedB')]
  const { value, scale } = referenceEntry(
    row,
    column,
    n,
    (at, k) => fillValue(at * n + k, seedA),
    (k, at) => fillValue(k * n + at, seedB),
  )
  // The lab's own tolerance, with its reasons: kernels/matmul/reference.ts.
  const allowed = tolerance(n, 1) * scale
  if (Math.abs(got - value) <= allowed) return null
  return `Entry (${String(row)}, ${String(column)}) of the product of ${size(n)} is ${value.toPrecision(6)} (± ${allowed.toPrecision(1)}); your kernel wrote ${Number.isNaN(got) ? 'no number' : got.toPrecision(6)}.`
}

function wrongInSmall(run: ProgramRun): string | null {
  const n = factOf(run, 'n')
  const words = Uint32Array.from(listOf(run, 'words'))
  const entries = new Float32Array(words.buffer)
  for (let at = 0; at < n * n; at += 1) {
    const [row, column] = [Math.floor(at / n), at % n]
    if (words[at] === NOT_WRITTEN)
      return `Your kernel did not write entry (${String(row)}, ${String(column)}) of the product of ${size(n)}.`
    const wrong = wrongEntry(run, row, column, entries[at] ?? Number.NaN)
    if (wrong !== null) return wrong
  }
  return null
}

function wrongInLarge(run: ProgramRun): string | null {
  const entries = listOf(run, 'entries')
  for (const [index, [row, column]] of sampledPositions(
    factOf(run, 'n'),
    factOf(run, 'seedSamples'),
  ).entries()) {
    const wrong = wrongEntry(run, row, column, entries[index] ?? Number.NaN)
    if (wrong !== null) return wrong
  }
  return null
}

/** Those whose product was computed: a kernel that is far too slow is not run at the full size. */
const largeRuns = (report: ProgramReport): readonly ProgramRun[] =>
  gradedRuns(report, 'large').filter((run) => foundOf(run, 'reached') === factOf(run, 'n'))

function output(yours: ProgramReport): Check {
  const small = gradedRuns(yours, 'small')
  const large = largeRuns(yours)
  for (const run of [...small, ...large]) {
    const wrong = run.name === 'small' ? wrongInSmall(run) : wrongInLarge(run)
    if (wrong !== null) return check('output', 'no', wrong)
  }
  const sizes = [...small, ...large.slice(0, 1)].map((run) => size(factOf(run, 'n')))
  const words = `${sizes.length === 1 ? 'product' : 'products'} of ${sizes.join(' and ')}`
  return check(
    'output',
    'yes',
    `The ${words} ${sizes.length === 1 ? 'is right, of' : 'are right, each of'} fresh matrices.`,
  )
}

function edges(yours: ProgramReport): Check {
  for (const run of gradedRuns(yours, 'small')) {
    const n = factOf(run, 'n')
    const written = Array.from(listOf(run, 'words'))
      .slice(n * n, n * n + GUARD_WORDS)
      .filter((word) => word !== NOT_WRITTEN).length
    if (written > 0)
      return check(
        'edges',
        'no',
        `With matrices of ${size(n)} your kernel wrote ${written === 1 ? 'a word' : `${String(written)} words`} behind the end of C: some invocations stand outside the matrix.`,
      )
  }
  return check('edges', 'yes', 'Your kernel wrote nothing behind the end of C.')
}

/**
 * Milliseconds of a product, one for each run: the median of its passes by the device's clock, whose stamps may be coarse; where it has
 * none the difference of two submissions by the host's.
 */
export function lengthsOf(report: ProgramReport | null): readonly number[] {
  if (!report) return []
  const { trace } = report
  return largeRuns(report).flatMap((run) => {
    const passes = trace ? passesOf(trace, run, PRODUCT_PASS) : []
    if (passes.length > 0) return [median(passes)]
    const each = (foundOf(run, 'manyMs') - foundOf(run, 'onceMs')) / (foundOf(run, 'many') - 1)
    return each > 0 ? [each] : []
  })
}

/**
 * Times the rate of the lab's usual kernel, which was measured when the page was opened: no device is so much faster. A software adapter
 * was perhaps busy then.
 */
const MOST_RATE = { gpu: 4, software: 16 }

const gflopsOf = (report: ProgramReport | null): number => {
  const [run] = report ? largeRuns(report) : []
  return run ? (2 * factOf(run, 'n') ** 3) / (Math.min(...lengthsOf(report)) * 1e6) : 0
}

/** What was not computed took no time. */
function work({ yours, start, environment: { matmulGflops } }: Evidence): Check {
  const gflops = gflopsOf(yours)
  if (gflops === 0 || matmulGflops === null)
    return check('work', 'cannot-tell', 'How fast your kernel worked was not measured.')
  const words = `Your kernel did the work of a product at ${flopRateText(gflops)}; the lab’s usual kernel does ${flopRateText(matmulGflops)} here`
  const most = yours.isSoftware ? MOST_RATE.software : MOST_RATE.gpu
  return gflops > most * Math.max(matmulGflops, gflopsOf(start))
    ? check('work', 'no', `${words}. So it cannot have done all of it.`)
    : check('work', 'yes', `${words}.`)
}

/** Times the unchanged kernel's time: where no order of reading makes such a difference, and no other program at work. */
const FAR_SLOWER = 10

function time({ yours, start, reference }: Evidence): Check {
  const warmUp = yours.runs.find(({ repeat }) => repeat < 0)
  const [reached, n] = warmUp ? [foundOf(warmUp, 'reached'), factOf(warmUp, 'n')] : [0, 0]
  if (warmUp && reached < n)
    return check(
      'time',
      'no',
      `Your kernel took ${ms(foundOf(warmUp, 'reachedMs'))} for a product of ${size(reached)}: too long to run it with ${size(n)}. Look for a loop that does not end.`,
    )
  const lengths = [yours, start, reference].map(lengthsOf)
  if (!yours.isSoftware) return lengthsCheck(lengths, 'kernel')
  const [own = Infinity, slow = Infinity] = lengths.map((each) => Math.min(...each))
  if (own > FAR_SLOWER * slow)
    return check('time', 'no', `Your kernel took ${ms(own)}, the unchanged kernel ${ms(slow)}.`)
  return check(
    'time',
    'cannot-tell',
    'This adapter computes on the CPU, whose caches serve both orders about as fast. Only a GPU can show the difference.',
  )
}

export const rules: MendRules = {
  experiment: 'kernel-ladder',
  language: 'wgsl',
  figure: {
    words: 'reached by the kernel',
    unit: 'GFLOP/s',
    run: 'large',
    of: (report) => gflopsOf(report) || null,
  },
  checks: (evidence) => [output(evidence.yours), edges(evidence.yours), work(evidence), time(evidence)],
}
