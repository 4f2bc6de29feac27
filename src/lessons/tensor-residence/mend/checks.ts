/** All words of all tensors must be right, each tensor used once, and next to nothing sent. */
import { grouped } from '../../../base/figures'
import { GATHER_WORDS, gatherPosition } from '../../../gpu/kernels/data/gather'
import { firstWrong, checksOf, rulesFor } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { bytesOf, hostSpansOf, linesOf, uploadedBytesOf, uploadsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

export const TENSORS = 4
/** The pass of a step keeps words at places that follow from this and the step. */
export const SEED_KEPT = 1
/** The lab finds this after a run. */
export type Tensors = {
  words: number
  /** So many passes that use a tensor were encoded. */
  used: number
  /** GATHER_WORDS that the pass of each step kept, and the end of the last tensor. */
  kept: ArrayLike<number>
  end: ArrayLike<number>
}

const { outputIs, everyRun, ranExactly, atMost, halfTheTime, took } = rulesFor<Tensors>('tensors')
/** Seeds, sizes and parameters go up, and a number or two come back. */
const MOST_BYTES = 1024

/** Says in words what is wrong with the tensors of a run; null: nothing is. */
function wrongWord(run: RunOf<Tensors>, labs: RunOf<Tensors>, trace: Trace | null): string | null {
  const { words, kept, end } = run.found
  const [sent, submitted] = [linesOf(trace, run, 'fill', 'write'), linesOf(trace, run, 'submit')]
  // Where nothing is sent, a pass of the program's own makes them.
  const where =
    sent !== ''
      ? ` Your program sends its numbers${sent}.`
      : submitted !== ''
        ? ` Your program submits its passes${submitted}.`
        : ''
  const at = firstWrong(kept, labs.found.kept)
  if (at >= 0) {
    const step = Math.floor(at / GATHER_WORDS)
    const word = gatherPosition(at % GATHER_WORDS, SEED_KEPT + step, words)
    return `When tensor ${String(step)} was used, its word ${grouped(word)} was ${String(kept[at])}; it is ${String(labs.found.kept[at])}.${where}`
  }
  const last = firstWrong(end, labs.found.end)
  return last < 0
    ? null
    : `Word ${grouped(words - end.length + last)} of the ${grouped(words)} of the last tensor is ${String(end[last])}; it is ${String(labs.found.end[last])}.${where}`
}

const output = outputIs(wrongWord, 'All words are right')
// A pass shows in what it kept which tensor it used.
const work = ranExactly('used', TENSORS, ['Your program used', 'tensors'])

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

function wrongLength({ found: { words }, output: returned }: RunOf<Tensors>): string | null {
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
