/** All words of all tensors right, each tensor used once, and next to nothing sent. */
import { grouped } from '../../../base/figures'
import { gatherPosition } from '../../../gpu/kernels/data/gather'
import { randomWord } from '../../../gpu/kernels/pcg'
import type { MendRules } from '../../../exercises/mend'
import type { RunOf } from '../../../exercises/run-facts'
import { checksOf, rulesFor } from '../../../exercises/rules'
import { linesOf, uploadedBytesOf, uploadsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { SHOWN_WORDS, TENSORS, type Tensors } from './tensors'

const { outputIs, ranExactly, atMost, halfTheTime, took } = rulesFor<Tensors>('tensors')
/** Seeds, sizes, parameters. */
const MOST_BYTES = 1024

/** What is wrong with the tensors of a run, in words; null where nothing is. */
function wrongWord(run: RunOf<Tensors>, trace: Trace | null): string | null {
  const {
    facts: { words, seeds, seedKept },
    found,
  } = run
  const [sent, submitted] = [linesOf(trace, run, 'fill', 'write'), linesOf(trace, run, 'submit')]
  // Where nothing is sent, a pass of the program's own makes them.
  const where =
    sent !== ''
      ? ` Your program sends its numbers${sent}.`
      : submitted !== ''
        ? ` Your program submits its passes${submitted}.`
        : ''
  for (let index = 0; index < TENSORS * SHOWN_WORDS; index += 1) {
    const [step, i] = [Math.floor(index / SHOWN_WORDS), index % SHOWN_WORDS]
    const at = gatherPosition(i, seedKept + step, words)
    const expected = randomWord(at, seeds[step] ?? Number.NaN)
    // The last tensor is looked at in full.
    if (found.kept[index] !== expected && !(step === TENSORS - 1 && found.wrong > 0))
      return `When tensor ${String(step)} was used, its word ${grouped(at)} was ${String(found.kept[index])}; it is ${String(expected)}.${where}`
  }
  if (found.wrong === 0) return null
  return `${grouped(found.wrong)} of the ${grouped(words)} words of the last tensor are wrong. The first is word ${grouped(found.firstWrong)}: the GPU has ${String(found.got)}; it is ${String(randomWord(found.firstWrong, seeds.at(-1) ?? Number.NaN))}.${where}`
}

export const output = outputIs(wrongWord, 'All words are right', 'fresh seeds')
// Which tensor a pass used, and that none was left out, shows in what it kept.
export const work = ranExactly(
  ({ found }) => found.used.length,
  TENSORS,
  (count) => `Your program used ${count} tensors`,
)

export const rules: MendRules = {
  experiment: 'tensor-residence',
  language: 'javascript',
  figure: took('for four tensors, until the host knew that all were used'),
  checks: checksOf({
    output,
    work,
    bytes: atMost(
      MOST_BYTES,
      uploadedBytesOf,
      (count) => `Your program sent ${grouped(count)} bytes to the GPU in a run`,
      uploadsOf,
    ),
    time: halfTheTime,
  }),
}
