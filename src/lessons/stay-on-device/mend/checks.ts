/** The result and the mean right, each layer computed once, and nothing brought back before all layers are submitted. */
import { sizeIn } from '../../../base/figures'
import type { Expected } from '../../../kernels/matmul/chain'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { hostSpansOf, submissionsWith, waitsOf } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { expectedNetwork, LAYERS, LOGGED, ROWS } from './network'

const NAME = 'network'
/** More than that, beyond what was asked for, is another result. */
const SPARE_BYTES = 1024

const numberIn = ({ facts }: ProgramRun, name: string): number => Number(facts[name])
const resultBytes = (run: ProgramRun): number => 4 * ROWS * numberIn(run, 'n')
const encodedOf = ({ found }: ProgramRun): readonly number[] =>
  Array.from(found['encodedNs'] as ArrayLike<number>) // as prepare.ts wrote it

const isRight = (got: unknown, { value, allowed }: Expected): boolean =>
  typeof got === 'number' && Math.abs(got - value) <= allowed
const shown = (got: unknown): string => (typeof got === 'number' ? got.toPrecision(6) : 'no number')
const wanted = ({ value, allowed }: Expected): string =>
  `${value.toPrecision(6)} (± ${allowed.toPrecision(1)})`

/** What is wrong with what a program returned, in words; null where nothing is. */
function wrongIn(run: ProgramRun): string | null {
  const n = numberIn(run, 'n')
  const output: unknown = run.output
  if (typeof output !== 'object' || output === null || !('result' in output) || !('mean' in output))
    return 'Your program must return `{ result, mean }`.'
  const result: readonly unknown[] = Array.isArray(output.result) ? output.result : []
  if (result.length !== ROWS * n)
    return `The result has ${String(ROWS * n)} values; your program returned ${String(result.length)}.`
  const expected = expectedNetwork(n, numberIn(run, 'seedX'), numberIn(run, 'seedW'))
  const wrong = expected.entries.find((each) => !isRight(result[each.index], each))
  if (wrong)
    return `Entry (${String(Math.floor(wrong.index / n))}, ${String(wrong.index % n)}) of the result is ${wanted(wrong)}; your program returned ${shown(result[wrong.index])}.`
  const mean = expected.means[LOGGED]
  return mean && !isRight(output.mean, mean)
    ? `The mean after layer ${String(LOGGED)} is ${wanted(mean)}; your program returned ${shown(output.mean)}.`
    : null
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours)
  for (const run of runs) {
    const wrong = wrongIn(run)
    if (wrong !== null) return check('output', 'no', wrong)
  }
  return check(
    'output',
    'yes',
    `The result and the mean are right, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

function work(yours: ProgramReport): Check {
  const wrong = gradedRuns(yours).find((run) => {
    const count = encodedOf(run).length
    return count < LAYERS || count > 1.1 * LAYERS
  })
  return wrong
    ? check(
        'work',
        'no',
        `Your program encoded ${String(encodedOf(wrong).length)} layers; there are ${String(LAYERS)}.`,
      )
    : check('work', 'yes', `The GPU computed ${String(LAYERS)} layers, as asked.`)
}

const kib = (bytes: number): string => sizeIn('KiB', bytes)
const sumOf = (spans: readonly { readonly bytes: number }[]): number =>
  spans.reduce((sum, { bytes }) => sum + bytes, 0)

function stays(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('stays', 'cannot-tell', 'Nothing was recorded.')
  let words = ''
  for (const run of gradedRuns(yours)) {
    const [up, back] = [
      sumOf(hostSpansOf(trace, run, ['fill', 'write'])),
      sumOf(hostSpansOf(trace, run, ['read'])),
    ]
    const asked = `a result has ${kib(resultBytes(run))}`
    if (up > SPARE_BYTES)
      return check(
        'stays',
        'no',
        `Your program sent ${kib(up)} up to the GPU, which has all that it needs; ${asked}.`,
      )
    if (back > resultBytes(run) + SPARE_BYTES)
      return check(
        'stays',
        'no',
        `Your program brought ${kib(back)} back to the host; ${asked}, and a mean 4 bytes.`,
      )
    words = `Your program sent ${up === 0 ? 'nothing' : kib(up)} up to the GPU and brought ${kib(back)} back; ${asked}.`
  }
  return check('stays', 'yes', words)
}

function end(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('end', 'cannot-tell', 'Nothing was recorded.')
  const times = (count: number) => (count === 1 ? 'once' : `${String(count)} times`)
  for (const run of gradedRuns(yours)) {
    const last = submissionsWith(trace, run, encodedOf(run)).at(-1)
    const isEarly = ({ startNs }: { readonly startNs: number }) => !last || startNs < last.startNs
    const waits = waitsOf(trace, run).filter(isEarly).length
    if (waits > 0)
      return check(
        'end',
        'no',
        `Your program waited ${times(waits)} before its last layer was submitted: meanwhile the GPU ran out of work.`,
      )
    const reads = hostSpansOf(trace, run, ['read']).filter(isEarly).length
    if (reads > 0)
      return check(
        'end',
        'no',
        `Your program read values ${times(reads)} before its last layer was submitted.`,
      )
  }
  return check(
    'end',
    'yes',
    'Your program waited for nothing, and read nothing, before all layers were submitted.',
  )
}

export const rules: MendRules = {
  experiment: 'stay-on-device',
  language: 'javascript',
  figure: {
    words: 'for eight layers and what comes back of them',
    unit: 'ms',
    run: NAME,
    of: (report) => runTimesOf(report, NAME)?.medianMs ?? null,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), stays(yours), end(yours), timeCheck(evidence, NAME)]
  },
}
