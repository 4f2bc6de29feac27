/** The losses that a program returned, beside what they must be. */
import { wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import type { RunOf } from '../../../exercises/run-facts'
import { expectedLosses, STEPS, type Training } from './losses'

/** Of what a program returned, the first loss that is wrong, in words; null where none is. */
export function wrongLoss({ facts, output }: RunOf<Training>): string | null {
  const { nanStep } = facts
  if (!Array.isArray(output)) return 'Your program must return the list of losses.'
  const losses: readonly unknown[] = output
  const count = nanStep < 0 ? STEPS : nanStep
  if (losses.length < count)
    return `Your program returned ${String(losses.length)} losses; ${nanStep < 0 ? `there are ${String(STEPS)}` : `${String(count)} came before the one that is not a number`}.`
  if (nanStep < 0 && losses.length > STEPS)
    return `Your program returned ${String(losses.length)} losses of ${String(STEPS)} steps.`
  for (const [step, expected] of expectedLosses(facts).slice(0, count).entries()) {
    const wrong = wrongNumber(
      `The loss of step ${String(step)}`,
      losses[step],
      expected,
      'your program returned',
    )
    if (wrong !== null) return wrong
  }
  return nanStep >= 0 && !Number.isNaN(losses[nanStep])
    ? `The loss of step ${String(nanStep)} is not a number; your program did not report it so.`
    : null
}
