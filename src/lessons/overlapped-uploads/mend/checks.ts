/** Every batch there and computed, each filled while the GPU has the one before it, through no more than three staging buffers. */
import { sizeIn } from '../../../base/figures'
import { fillValue } from '../../../kernels/data/fill'
import { GATHER_WORDS, gatherPosition } from '../../../kernels/data/gather'
import { referenceEntry, tolerance } from '../../../kernels/matmul/reference'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { hostSpansOf, submissionsWith, waitsOf } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import type { Trace } from '../../../trace/schema'
import { gatherSeed, sampledEntries, valueOf, type ProductSize } from './batches'

interface Sizes extends ProductSize {
  readonly batchBytes: number
  readonly seedBatches: number
  readonly seedWeights: number
}

function sizesOf({ facts }: ProgramRun): Sizes {
  const of = (name: keyof Sizes): number => Number(facts[name])
  return {
    batchBytes: of('batchBytes'),
    rows: of('rows'),
    s: of('s'),
    times: of('times'),
    steps: of('steps'),
    seedBatches: of('seedBatches'),
    seedWeights: of('seedWeights'),
  }
}

const listOf = ({ found }: ProgramRun, name: string): readonly number[] =>
  Array.from((found[name] ?? []) as ArrayLike<number>) // as prepare.ts wrote it

const bits = new DataView(new ArrayBuffer(4))
function bitsOf(value: number): number {
  bits.setFloat32(0, value)
  return bits.getUint32(0)
}

/** The first batch of which not every word that the device kept is its own; null where there is none. */
function missingBatch(run: ProgramRun): { readonly batch: number; readonly wrong: number } | null {
  const { steps, batchBytes, seedBatches } = sizesOf(run)
  const arrived = listOf(run, 'arrived')
  for (let batch = 0; batch < steps; batch += 1) {
    let wrong = 0
    for (let index = 0; index < GATHER_WORDS; index += 1) {
      const position = gatherPosition(index, gatherSeed(batch), batchBytes / 4)
      const expected = bitsOf(valueOf(batch, position, seedBatches))
      if (arrived[batch * GATHER_WORDS + index] !== expected) wrong += 1
    }
    if (wrong > 0) return { batch, wrong }
  }
  return null
}

export interface ExpectedEntry {
  readonly row: number
  readonly column: number
  readonly value: number
  /** Of |got − value|: the lab's own tolerance, with its reasons (kernels/matmul/reference.ts). */
  readonly allowed: number
}

/** C = times · Σ batch · weights. */
export function expectedEntries(run: ProgramRun): readonly ExpectedEntry[] {
  const { rows, s, times, steps, seedBatches, seedWeights } = sizesOf(run)
  return sampledEntries({ rows, s, times, steps }, seedWeights).map(([row, column]) => {
    let [value, scale] = [0, 0]
    for (let batch = 0; batch < steps; batch += 1) {
      const entry = referenceEntry(
        row,
        column,
        s,
        (i, k) => valueOf(batch, i * s + k, seedBatches),
        (k, j) => fillValue(k * s + j, seedWeights),
      )
      value += times * entry.value
      scale += times * entry.scale
    }
    return { row, column, value, allowed: tolerance(s, times * steps) * scale }
  })
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours)
  for (const run of runs) {
    const missing = missingBatch(run)
    if (missing)
      return check(
        'output',
        'no',
        `Batch ${String(missing.batch)} did not arrive: ${String(missing.wrong)} of the ${String(GATHER_WORDS)} words of it that were kept on the device are not its own.`,
      )
    const entries = listOf(run, 'entries')
    const expected = expectedEntries(run)
    const wrong = expected.findIndex(
      ({ value, allowed }, index) => !(Math.abs((entries[index] ?? Number.NaN) - value) <= allowed),
    )
    const first = expected[wrong]
    if (first)
      return check(
        'output',
        'no',
        `The batches arrived, but the result is wrong: entry (${String(first.row)}, ${String(first.column)}) is ${first.value.toPrecision(6)} (± ${first.allowed.toPrecision(1)}), the GPU has ${(entries[wrong] ?? Number.NaN).toPrecision(6)}.`,
      )
  }
  const { steps } = runs[0] ? sizesOf(runs[0]) : { steps: 0 }
  return check(
    'output',
    'yes',
    `All ${String(steps)} batches arrived and the result is right, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

const mib = (bytes: number): string => sizeIn('MiB', bytes)

/** Bytes that the host wrote for the GPU, by mapping or by writeBuffer(). */
const uploadsOf = (trace: Trace, run: ProgramRun) => hostSpansOf(trace, run, ['fill', 'write'])
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)
/** A tenth more than was asked for is no second time. */
const MOST_WORK = 1.1
const isAsked = (share: number): boolean => share >= 1 && share <= MOST_WORK

function work(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('work', 'cannot-tell', 'Nothing was recorded.')
  let [uploaded, steps] = [0, 0]
  for (const run of gradedRuns(yours)) {
    const sizes = sizesOf(run)
    const computed = sum(listOf(run, 'encodedTimes'))
    const asked = sizes.times * sizes.steps
    if (!isAsked(computed / asked))
      return check(
        'work',
        'no',
        `Your program encoded ${String(computed)} products; ${String(asked)} are asked for (${String(sizes.times)} for each of ${String(sizes.steps)} batches).`,
      )
    const bytes = sum(uploadsOf(trace, run).map((each) => each.bytes))
    const askedBytes = sizes.batchBytes * sizes.steps
    if (!isAsked(bytes / askedBytes))
      return check(
        'work',
        'no',
        `Your program wrote ${mib(bytes)} for the GPU; ${String(sizes.steps)} batches are ${mib(askedBytes)}.`,
      )
    uploaded = bytes
    steps = sizes.steps
  }
  return check(
    'work',
    'yes',
    `Each run uploaded ${mib(uploaded)} and computed on ${String(steps)} batches, as asked.`,
  )
}

/** A wait for the newest batch is in the program's text, whatever the machine: one, to get ready, is let pass. */
const MOST_DRY = 1
/**
 * Completions may be reported late and together: two at a look where a browser looks every 100 ms, so that every second fill of a ring of two
 * begins with both of them reported. A busy machine adds some. What polls for each batch has all of them late.
 */
const MOST_LATE_SHARE = 0.75
/** Smaller writes are parameters, not batches. */
const LEAST_BATCH_SHARE = 0.1

/** Whether the GPU had the batch before, by all that the program knew, when the host began to write the next. */
function overlap(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('overlap', 'cannot-tell', 'Nothing was recorded.')
  let [fills, ahead, late] = [0, 0, 0]
  for (const run of gradedRuns(yours)) {
    const { batchBytes } = sizesOf(run)
    const batches = submissionsWith(trace, run, listOf(run, 'encodedNs'))
    const waits = waitsOf(trace, run)
    let dry = 0
    const starts = uploadsOf(trace, run).filter(({ bytes }) => bytes >= LEAST_BATCH_SHARE * batchBytes)
    // Nothing can be under way before the first.
    for (const { startNs } of starts.slice(1)) {
      fills += 1
      const newest = batches.findLast((each) => each.startNs <= startNs)
      const isAwaited =
        newest &&
        waits.some(
          (wait) => wait.submission >= newest.id && wait.startNs >= newest.startNs && wait.endNs <= startNs,
        )
      if (!newest || isAwaited) dry += 1
      else if (newest.completedNs !== null && newest.completedNs <= startNs) late += 1
      else ahead += 1
    }
    if (starts.length < 2)
      return check('overlap', 'no', 'The host wrote no second batch: there was nothing that could overlap.')
    if (dry > MOST_DRY)
      return check(
        'overlap',
        'no',
        `${String(dry)} of ${String(Math.max(0, starts.length - 1))} times the host began to write a batch when it had waited for all before it: the GPU had nothing to do meanwhile.`,
      )
  }
  if (late > MOST_LATE_SHARE * fills)
    return check(
      'overlap',
      'no',
      `${String(late)} of ${String(fills)} times the host began to write a batch when all before it had been reported complete: the GPU had nothing to do meanwhile.`,
    )
  return check(
    'overlap',
    'yes',
    `${String(ahead)} of ${String(fills)} times the host began to write a batch while the GPU still had the one before it.`,
  )
}

const MOST_STAGING = 3

function buffers(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('buffers', 'cannot-tell', 'Nothing was recorded.')
  let most = 0
  for (const run of gradedRuns(yours)) {
    const { batchBytes } = sizesOf(run)
    const own = Number(run.found['stagingUsed'])
    const writes = hostSpansOf(trace, run, ['write'])
    // Each call has the browser stage its bytes anew, and nothing bounds how many are under way.
    const written = Math.ceil(sum(writes.map(({ bytes }) => bytes)) / batchBytes - LEAST_BATCH_SHARE)
    if (own + written > MOST_STAGING)
      return check(
        'buffers',
        'no',
        written > 0
          ? `${String(writes.length)} calls of writeBuffer() uploaded ${String(written)} batches: the browser stages each of them anew, in memory of its own. With ${String(own)} buffers of yours that is more than ${String(MOST_STAGING)}.`
          : `Your program wrote into ${String(own)} staging buffers; ${String(MOST_STAGING)} are allowed.`,
      )
    most = Math.max(most, own + written)
  }
  return check(
    'buffers',
    'yes',
    `Your program wrote into ${most === 1 ? 'one staging buffer' : `${String(most)} staging buffers`}.`,
  )
}

function msForEach(report: ProgramReport): number | null {
  const took = runTimesOf(report, 'uploads')
  const [run] = gradedRuns(report, 'uploads')
  return took && run ? took.medianMs / sizesOf(run).steps : null
}

export const rules: MendRules = {
  experiment: 'overlapped-uploads',
  language: 'javascript',
  figure: {
    words: 'for each batch, uploaded and computed',
    unit: 'ms',
    run: 'uploads',
    of: msForEach,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), overlap(yours), buffers(yours), timeCheck(evidence, 'uploads')]
  },
}
