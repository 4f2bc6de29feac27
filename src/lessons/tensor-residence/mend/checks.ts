/** All words of all tensors right, each tensor used once, and next to nothing sent. */
import { onDevice, passOf, type Names } from '../../../exercises/names'
import { grouped } from '../../../base/figures'
import { gatherPosition } from '../../../gpu/kernels/data/gather'
import { randomWord } from '../../../gpu/kernels/pcg'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { checksOf, rulesFor } from '../../../exercises/rules'
import { bytesOf, hostSpansOf, linesOf, uploadedBytesOf, uploadsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

export const TENSORS = 4
/** Of what the pass of each step keeps, the grader looks at so many words. */
export const SHOWN_WORDS = 64

/** What a run notes. */
export type Tensors = {
  facts: { words: number; seeds: readonly number[]; seedKept: number }
  found: {
    /** Steps whose passes were encoded, in order. */
    used: readonly number[]
    /** Of the last tensor: how many words are wrong, which is the first, and what it is. */
    wrong: number
    firstWrong: number
    got: number
    /** SHOWN_WORDS of each. */
    kept: ArrayLike<number>
  }
}

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  tensor: { says: 'A buffer on the GPU, of 4 · words bytes.' },
  words: { says: 'How many 32-bit integers a tensor has.' },
  seeds: { says: 'A seed for each tensor.' },
  uses: {
    has: passOf('a kernel that reads the tensor'),
    says: 'One for each tensor: a kernel that reads it.',
  },
} as const satisfies Names
export const scope = onDevice(input)

const { outputIs, everyRun, ranExactly, atMost, halfTheTime, took } = rulesFor<Tensors>('tensors')
/** Seeds, sizes, parameters; a number or two back. */
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

const output = outputIs(wrongWord, 'All words are right', 'fresh seeds')
// Which tensor a pass used, and that none was left out, shows in what it kept.
const work = ranExactly(
  ({ found }) => found.used.length,
  TENSORS,
  (count) => `Your program used ${count} tensors`,
)

export const rules: ExerciseRules = {
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

const readsOf = (trace: Trace, run: RunOf<Tensors>) => hostSpansOf(trace, run, ['read'])

function wrongLength({ facts: { words }, output: returned }: RunOf<Tensors>): string | null {
  const lengths: readonly unknown[] = Array.isArray(returned) ? returned : []
  if (lengths.length !== TENSORS) return 'Your program must return the list of four lengths.'
  const wrong = lengths.findIndex((length) => length !== words)
  return wrong < 0
    ? null
    : `Tensor ${String(wrong)} has ${grouped(words)} words; your program returned another length.`
}

/** Numbers may go up. The length of each tensor is asked for, and nothing may come down for it. */
export const firstRung: ExerciseRules = {
  ...rules,
  checks: checksOf({
    output,
    work,
    lengths: everyRun(wrongLength, () => 'All lengths are right.'),
    back: atMost(
      MOST_BYTES,
      (trace, run) => bytesOf(readsOf(trace, run)),
      (count) => `Your program brought ${grouped(count)} bytes back in a run`,
      readsOf,
    ),
  }),
}
