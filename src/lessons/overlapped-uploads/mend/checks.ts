/** Every batch there and computed, each filled while the GPU has the one before it, through no more than three staging buffers. */
import type { MendRules } from '../../../exercises/mend'
import { checksOf, rulesFor, yes, type Ask } from '../../../exercises/rules'
import { supplied } from '../../../exercises/supplied'
import { uploadsOf } from '../../../exercises/trace-of-run'
import type { Uploads } from './batches'
import { LEAST_BATCH_SHARE, MOST_STAGING, tooManyBuffers, wrongUpload } from './judged'

/** The first that does not say yes decides; else they speak in turn. */
const allOf =
  (...asks: readonly Ask[]): Ask =>
  (evidence) => {
    const found = asks.map((ask) => ask(evidence))
    return found.find(({ outcome }) => outcome !== 'yes') ?? yes(found.map(({ text }) => text).join(' '))
  }

const { outputIs, ranExactly, uploadedBytes, everyTrace, halfTheTime, took } = rulesFor<Uploads>('uploads')

export const rules: MendRules = {
  experiment: 'overlapped-uploads',
  language: 'javascript',
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
    overlap: supplied<Uploads>('uploads', {
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
