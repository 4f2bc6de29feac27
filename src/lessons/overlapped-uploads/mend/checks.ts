/**
 * Every batch there and computed, each filled while the GPU has the one before it, through no more
 * than three staging buffers.
 */
import {
  differs,
  firstWrong,
  firstWrongPart,
  roundingOf,
  checksOf,
  rulesFor,
  yes,
  type Ask,
} from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import { hostSpansOf, stagedBatches, uploadsOf } from '../../../exercises/trace-of-run'
import type { ExerciseRules } from '../../../exercises/exercise'
import { queueAhead } from '../../../exercises/queue-ahead'

/** The lab finds this after a run. */
export type Uploads = {
  batchBytes: number
  steps: number
  /** Products that are asked for with each batch, and that were encoded in all. */
  times: number
  dispatches: number
  encodedNs: readonly number[]
  /** Each batch gives GATHER_WORDS words. */
  arrived: ArrayLike<number>
  /** The first entries of C, to which the products of all batches are added. */
  entries: ArrayLike<number>
}

function wrongUpload({ found }: RunOf<Uploads>, labs: RunOf<Uploads>): string | null {
  const wrong = firstWrongPart(found.arrived, labs.found.arrived, found.steps)
  if (wrong)
    return `Batch ${String(wrong.part)} did not arrive: ${String(wrong.wrong)} of the ${String(wrong.of)} words of it that were kept on the device are not its own.`
  const expected = labs.found.entries
  const at = firstWrong(found.entries, expected, roundingOf(expected))
  const subject = `The batches arrived, but the result is wrong: entry (0, ${String(at)})`
  return at < 0 ? null : differs(subject, expected[at], 'the GPU has', found.entries[at])
}

/** Smaller writes are parameters, not batches. */
const LEAST_BATCH_SHARE = 0.1
const MOST_STAGING = 3

/** The first that does not say yes decides; else they speak in turn. */
const allOf =
  (...asks: readonly Ask[]): Ask =>
  (evidence) => {
    const found = asks.map((ask) => ask(evidence))
    return found.find(({ outcome }) => outcome !== 'yes') ?? yes(found.map(({ text }) => text).join(' '))
  }

const { outputIs, ranExactly, uploadedBytes, atMost, halfTheTime, took } = rulesFor<Uploads>('uploads')

export const rules: ExerciseRules = {
  figure: took('for each batch, uploaded and computed', ({ found }) => found.steps),
  checks: checksOf({
    output: outputIs(
      wrongUpload,
      (run) => `All ${String(run?.found.steps)} batches arrived and the result is right`,
    ),
    work: allOf(
      ranExactly('dispatches', ({ times, steps }) => times * steps, ['Your program encoded', 'matmuls']),
      uploadedBytes(({ found }) => found.batchBytes * found.steps),
    ),
    overlap: queueAhead<Uploads>('uploads', {
      encodedNs: ({ found }) => found.encodedNs,
      moments: (trace, run) =>
        uploadsOf(trace, run).flatMap(({ bytes, startNs }) =>
          bytes >= LEAST_BATCH_SHARE * run.found.batchBytes ? [startNs] : [],
        ),
      // One wait, to get ready, is let pass. Completions may be reported late and together, two at
      // a look: every second fill of a ring of two then begins with both of them reported; a busy
      // machine adds some. What polls for each batch has all of them late.
      most: { dry: 1, lateShare: 0.75 },
      what: 'the host began to write a batch',
      alone: 'The host wrote no second batch: there was nothing that could overlap.',
    }),
    buffers: atMost(
      MOST_STAGING,
      (trace, run) => stagedBatches(trace, run, run.found.batchBytes),
      (count) =>
        count === 0
          ? 'Your program used the staging buffers that it was given'
          : `Your program made staging buffers for ${count === 1 ? 'one batch' : `${String(count)} batches`} more`,
      (trace, run) => hostSpansOf(trace, run, ['create', 'write']),
    ),
    time: halfTheTime,
  }),
}
