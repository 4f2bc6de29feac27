/**
 * The result and the mean right, each layer computed once, and nothing brought back before all
 * layers are submitted.
 */
import { differs, firstWrong, roundingOf, checksOf, rulesFor, times } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import { sizeIn } from '../../../base/figures'
import type { ExerciseRules } from '../../../exercises/exercise'
import {
  atLines,
  blockingWaitsOf,
  bytesOf,
  hostSpansOf,
  submissionsWith,
  uploadedBytesOf,
  uploadsOf,
} from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

export const LAYERS = 8
/** The mean of this layer is asked for. The second layer after it writes over the result. */
export const LOGGED = 5
export const ROWS = 32
/** Columns of a result; 32 · 1024 values may be returned, and are checked in some 100 ms. */
export const SIDES = [64, 128, 256, 512, 1024] as const

/** The lab finds this after a run: columns of a result, and each call that encoded a layer. */
export type Network = { n: number; dispatches: number; encodedNs: readonly number[] }

interface Returned {
  readonly result?: ArrayLike<number>
  readonly mean?: number
}

/** Says in words what is wrong with what a program returned; null: nothing is. */
function wrongResult(run: RunOf<Network>, labs: RunOf<Network>): string | null {
  const { result = [], mean } = (run.output ?? {}) as Returned
  const expected = labs.output as Required<Returned>
  if (mean === undefined) return 'Your program must return `{ result, mean }`.'
  if (result.length !== expected.result.length)
    return `The result has ${String(expected.result.length)} values; your program returned ${String(result.length)}.`
  const whose = 'your program returned'
  const allowed = roundingOf(expected.result)
  const at = firstWrong(result, expected.result, allowed)
  if (at >= 0) {
    const place = `(${String(Math.floor(at / run.found.n))}, ${String(at % run.found.n)})`
    return differs(`Entry ${place} of the result`, expected.result[at], whose, result[at])
  }
  // In a mean of so many entries errors cancel, as the entries do.
  return firstWrong([mean], [expected.mean], allowed / 10) < 0
    ? null
    : differs(`The mean after layer ${String(LOGGED)}`, expected.mean, whose, mean)
}

const { outputIs, ranExactly, everyTrace, halfTheTime, took } = rulesFor<Network>('network')
/** More bytes than that, beyond those asked for, are another result. */
const SPARE_BYTES = 1024

function needlessTrip(trace: Trace, run: RunOf<Network>): string | null {
  const [up, back] = [uploadedBytesOf(trace, run), bytesOf(hostSpansOf(trace, run, ['read']))]
  const asked = 4 * ROWS * run.found.n
  if (up > SPARE_BYTES)
    return `Your program sent ${sizeIn('KiB', up)} up to the GPU${atLines(uploadsOf(trace, run))}, which has all that it needs; a result has ${sizeIn('KiB', asked)}.`
  return back > asked + SPARE_BYTES
    ? `Your program brought ${sizeIn('KiB', back)} back to the host; a result has ${sizeIn('KiB', asked)}, and a mean 4 bytes.`
    : null
}

function tooEarly(trace: Trace, run: RunOf<Network>): string | null {
  const layers = submissionsWith(trace, run, run.found.encodedNs)
  const waits = blockingWaitsOf(trace, run, layers)
  if (waits.length > 0)
    return `Your program waited ${times(waits.length)}${atLines(waits)} before its last layer was submitted: meanwhile the GPU ran out of work.`
  const lastNs = layers.at(-1)?.startNs ?? Infinity
  const reads = hostSpansOf(trace, run, ['read']).filter(({ startNs }) => startNs < lastNs)
  return reads.length > 0
    ? `Your program read values ${times(reads.length)}${atLines(reads)} before its last layer was submitted.`
    : null
}

export const rules: ExerciseRules = {
  figure: took('for eight layers and what comes back of them'),
  checks: checksOf({
    output: outputIs(wrongResult, 'The result and the mean are right'),
    work: ranExactly('dispatches', LAYERS, ['Your program encoded', 'layers']),
    stays: everyTrace(needlessTrip, () => 'No result went up again, and only what is asked for came back.'),
    end: everyTrace(
      tooEarly,
      () => 'Your program waited for nothing, and read nothing, before all layers were submitted.',
    ),
    time: halfTheTime,
  }),
}
