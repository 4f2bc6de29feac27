/** What arrived of the batches and what was computed on them: judged on what was read from the device. */
import { GATHER_WORDS, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import type { RunOf } from '../../../exercises/run-facts'
import { bytesOf, hostSpansOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { operandValue } from '../../../gpu/kernels/data/operand'
import { expectedEntries, type Uploads } from './batches'

const bits = new DataView(new ArrayBuffer(4))
function bitsOf(value: number): number {
  bits.setFloat32(0, value)
  return bits.getUint32(0)
}

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
