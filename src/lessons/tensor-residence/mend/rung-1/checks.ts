/** As the last rung, but numbers may go up; the length of each tensor is asked for, and nothing may come down for it. */
import { grouped } from '../../../../base/figures'
import type { MendRules } from '../../../../exercises/mend'
import type { RunOf } from '../../../../exercises/run-facts'
import { checksOf, rulesFor } from '../../../../exercises/rules'
import { bytesOf, hostSpansOf } from '../../../../exercises/trace-of-run'
import type { Trace } from '../../../../trace/schema'
import { output, rules as last, work } from '../checks'
import { TENSORS, type Tensors } from '../tensors'

const { everyRun, atMost } = rulesFor<Tensors>('tensors')
/** A number or two. */
const MOST_BYTES = 1024

const readsOf = (trace: Trace, run: RunOf<Tensors>) => hostSpansOf(trace, run, ['read'])

function wrongLength({ facts: { words }, output: returned }: RunOf<Tensors>): string | null {
  const lengths: readonly unknown[] = Array.isArray(returned) ? returned : []
  if (lengths.length !== TENSORS) return 'Your program must return the list of four lengths.'
  const wrong = lengths.findIndex((length) => length !== words)
  return wrong < 0
    ? null
    : `Tensor ${String(wrong)} has ${grouped(words)} words; your program returned another length.`
}

export const rules: MendRules = {
  ...last,
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
