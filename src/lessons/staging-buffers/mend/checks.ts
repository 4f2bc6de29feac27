/** All batches there when they are used, written once, through at most three staging buffers. */
import { onDevice, passOf, type Names } from '../../../exercises/names'
import { operandValue } from '../../../gpu/kernels/data/operand'
import { sizeIn } from '../../../base/figures'
import { bitsOf, GATHER_WORDS, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { checksOf, rulesFor, without } from '../../../exercises/rules'
import { atLines, bytesOf, hostSpansOf, uploadsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  batch: { takes: '(step)', says: 'The numbers of a batch, as the host has them.' },
  bytes: { says: 'The size of a batch.' },
  target: { says: 'A buffer on the GPU, into which each batch is copied.' },
  uses: { has: passOf('a kernel that reads the batch'), says: 'One for each batch: a kernel that reads it.' },
} as const satisfies Names
export const scope = onDevice(input)

export const bitsAt = (batch: number, position: number, seed: number): number =>
  bitsOf(operandValue(batch, position, seed))

/** What a run notes. */
export type Loads = {
  facts: { seed: number; batchBytes: number; steps: number }
  found: {
    /** Staging buffers that were written into, and the bytes of all of them. */
    stagingUsed: number
    stagingBytes: number
    /** GATHER_WORDS of each batch. */
    kept: ArrayLike<number>
  }
}

const { outputIs, uploadedBytes, halfTheTime, took } = rulesFor<Loads>('uploads')
const MOST_STAGING = 3
/** Of a batch: what is written beside batches are parameters, and what a buffer is longer is alignment. */
const SPARE = 0.1

/** The first batch of which not every word that was kept is its own, in words; null where there is none. */
function missingBatch({ facts: { seed, batchBytes, steps }, found: { kept } }: RunOf<Loads>): string | null {
  if (kept.length !== steps * GATHER_WORDS) return 'What arrived could not be read.'
  for (let batch = 0; batch < steps; batch += 1) {
    const wrong = Array.from({ length: GATHER_WORDS }, (_, index) => index).filter(
      (index) =>
        kept[batch * GATHER_WORDS + index] !==
        bitsAt(batch, gatherPosition(index, gatherSeed(batch), batchBytes / 4), seed),
    ).length
    if (wrong > 0)
      return `Batch ${String(batch)} was not there when it was used: ${String(wrong)} of the ${String(GATHER_WORDS)} words that were kept are not its own.`
  }
  return null
}

function tooManyBuffers(trace: Trace, run: RunOf<Loads>): string | null {
  const { facts, found } = run
  // The browser stages each of them anew.
  const written = Math.ceil(bytesOf(hostSpansOf(trace, run, ['write'])) / facts.batchBytes - SPARE)
  if (found.stagingUsed + written > MOST_STAGING)
    return `Your program wrote into ${String(found.stagingUsed)} staging buffers in a run${atLines(uploadsOf(trace, run))}${written > 0 ? `, and writeBuffer() sent ${String(written)} batches` : ''}; ${String(MOST_STAGING)} are allowed.`
  const mostBytes = MOST_STAGING * facts.batchBytes
  return found.stagingBytes > (1 + SPARE) * mostBytes
    ? `Your staging buffers have ${sizeIn('MiB', found.stagingBytes)} together; ${String(MOST_STAGING)} of a batch each have ${sizeIn('MiB', mostBytes)}.`
    : null
}

export const rules: ExerciseRules = {
  figure: took('for each batch', ({ facts }) => facts.steps),
  checks: checksOf({
    output: outputIs(missingBatch, (run) => `All ${String(run?.facts.steps)} batches arrived`),
    work: uploadedBytes(({ facts }) => facts.batchBytes * facts.steps),
    buffers: rulesFor<Loads>('uploads', 'warm-up too').everyTrace(
      tooManyBuffers,
      () => `Your program wrote into at most ${String(MOST_STAGING)} staging buffers.`,
    ),
    time: halfTheTime,
  }),
}

/** One buffer saves the making and costs a wait, and which of them is longer depends on the machine. */
export const firstRung = without(rules, 'time')
