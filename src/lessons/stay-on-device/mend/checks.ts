/** The result and the mean right, each layer computed once, and nothing brought back before all layers are submitted. */
import { sizeIn } from '../../../base/figures'
import type { MendRules } from '../../../exercises/mend'
import type { RunOf } from '../../../exercises/run-facts'
import { checksOf, rulesFor, times } from '../../../exercises/rules'
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
import { wrongResult } from './judged'
import { LAYERS, ROWS, type Network } from './network'

const { outputIs, ranExactly, everyTrace, halfTheTime, took } = rulesFor<Network>('network')
/** More than that, beyond what was asked for, is another result. */
const SPARE_BYTES = 1024

function needlessTrip(trace: Trace, run: RunOf<Network>): string | null {
  const [up, back] = [uploadedBytesOf(trace, run), bytesOf(hostSpansOf(trace, run, ['read']))]
  const asked = 4 * ROWS * run.facts.n
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

export const rules: MendRules = {
  experiment: 'stay-on-device',
  language: 'javascript',
  figure: took('for eight layers and what comes back of them'),
  checks: checksOf({
    output: outputIs(wrongResult, 'The result and the mean are right'),
    work: ranExactly(
      ({ found }) => found.encodedNs.length,
      LAYERS,
      (count) => `Your program encoded ${count} layers`,
    ),
    stays: everyTrace(needlessTrip, () => 'No result went up again, and only what is asked for came back.'),
    end: everyTrace(
      tooEarly,
      () => 'Your program waited for nothing, and read nothing, before all layers were submitted.',
    ),
    time: halfTheTime,
  }),
}
