/** Every batch there and computed, each filled while the GPU has the one before it, through no more than three staging buffers. */
import { MAPPABLE, onDevice, passesOf, passOf, type Names } from '../../../exercises/names'
import { bitsOf, GATHER_WORDS, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import type { RunOf } from '../../../exercises/types'
import { bytesOf, hostSpansOf, uploadsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { operandValue } from '../../../gpu/kernels/data/operand'
import { expectedEntries, type Uploads } from './batches'
import type { ExerciseRules } from '../../../exercises/exercise'
import { checksOf, rulesFor, yes, type Ask } from '../../../exercises/rules'
import { queueAhead } from '../../../exercises/queue-ahead'

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  staging: {
    has: MAPPABLE,
    says: 'Three buffers that the host can map to write. To begin with, each is mapped.',
  },
  batch: { takes: '(step)', says: 'The numbers of a batch, as the host has them.' },
  onDevice: { says: 'Two buffers on the GPU. Batch `step` goes into the one at step % 2.' },
  bytes: { says: 'The size of a batch.' },
  arrived: {
    has: passOf('the look at what has arrived'),
    says: 'One for each batch, for the check alone: it keeps words of what has arrived.',
  },
  matmuls: { has: passesOf('the product'), says: 'Products with the batch in `onDevice` at the same place.' },
  times: { says: 'How often each product is computed.' },
  steps: { says: 'How many batches there are.' },
} as const satisfies Names
export const scope = onDevice(input)

/** The first batch of which not every word that the device kept is its own, in words; null where there is none. */
function missingBatch({ facts, found: { arrived } }: RunOf<Uploads>): string | null {
  for (let batch = 0; batch < facts.steps; batch += 1) {
    let wrong = 0
    for (let index = 0; index < GATHER_WORDS; index += 1) {
      const position = gatherPosition(index, gatherSeed(batch), facts.batchBytes / 4)
      const expected = bitsOf(operandValue(batch, position, facts.seedBatches))
      if (arrived[batch * GATHER_WORDS + index] !== expected) wrong += 1
    }
    if (wrong > 0)
      return `Batch ${String(batch)} did not arrive: ${String(wrong)} of the ${String(GATHER_WORDS)} words of it that were kept on the device are not its own.`
  }
  return null
}

export function wrongUpload(run: RunOf<Uploads>): string | null {
  const missing = missingBatch(run)
  if (missing !== null) return missing
  for (const [index, entry] of expectedEntries(run.facts).entries()) {
    const subject = `The batches arrived, but the result is wrong: entry (${String(entry.row)}, ${String(entry.column)})`
    const wrong = wrongNumber(subject, run.found.entries[index], entry, 'the GPU has')
    if (wrong !== null) return wrong
  }
  return null
}

/** Smaller writes are parameters, not batches. */
export const LEAST_BATCH_SHARE = 0.1
export const MOST_STAGING = 3

export function tooManyBuffers(trace: Trace, run: RunOf<Uploads>): string | null {
  const own = run.found.stagingUsed
  const writes = hostSpansOf(trace, run, ['write'])
  // Each call has the browser stage its bytes anew, and nothing bounds how many are under way.
  const written = Math.ceil(bytesOf(writes) / run.facts.batchBytes - LEAST_BATCH_SHARE)
  if (own + written <= MOST_STAGING) return null
  return written > 0
    ? `${String(writes.length)} calls of writeBuffer() uploaded ${String(written)} batches: the browser stages each of them anew, in memory of its own. With ${String(own)} buffers of yours that is more than ${String(MOST_STAGING)}.`
    : `Your program wrote into ${String(own)} staging buffers; ${String(MOST_STAGING)} are allowed.`
}

/** The first that does not say yes decides; else they speak in turn. */
const allOf =
  (...asks: readonly Ask[]): Ask =>
  (evidence) => {
    const found = asks.map((ask) => ask(evidence))
    return found.find(({ outcome }) => outcome !== 'yes') ?? yes(found.map(({ text }) => text).join(' '))
  }

const { outputIs, ranExactly, uploadedBytes, everyTrace, halfTheTime, took } = rulesFor<Uploads>('uploads')

export const rules: ExerciseRules = {
  figure: took('for each batch, uploaded and computed', ({ facts }) => facts.steps),
  checks: checksOf({
    output: outputIs(
      wrongUpload,
      (run) => `All ${String(run?.facts.steps)} batches arrived and the result is right`,
    ),
    work: allOf(
      ranExactly(
        ({ found }) => found.encodedTimes.reduce((sum, each) => sum + each, 0),
        ({ facts }) => facts.times * facts.steps,
        (count) => `Your program encoded ${count} products`,
      ),
      uploadedBytes(({ facts }) => facts.batchBytes * facts.steps),
    ),
    overlap: queueAhead<Uploads>('uploads', {
      encodedNs: ({ found }) => found.encodedNs,
      moments: (trace, run) =>
        uploadsOf(trace, run).flatMap(({ bytes, startNs }) =>
          bytes >= LEAST_BATCH_SHARE * run.facts.batchBytes ? [startNs] : [],
        ),
      // One wait, to get ready, is let pass. Completions may be reported late and together, two at a look: every second fill of a ring of two
      // then begins with both of them reported; a busy machine adds some. What polls for each batch has all of them late.
      most: { dry: 1, lateShare: 0.75 },
      what: 'the host began to write a batch',
      alone: 'The host wrote no second batch: there was nothing that could overlap.',
    }),
    buffers: everyTrace(
      tooManyBuffers,
      () => `Your program wrote into at most ${String(MOST_STAGING)} staging buffers.`,
    ),
    time: halfTheTime,
  }),
}

export const firstRung = rules
