/**
 * How long dispatches take that a program is given, measured once a grading: the budget counts them
 * by it (budget/).
 */
import type { Dispatch, RunContext } from '../../gpu'
import { timeEach } from '../../gpu/kernels/calibrate/timing'
import type { Plan } from '../types'

/**
 * ms, in their order. @param plan has them where the first program of this grading measured them
 */
export async function timeGiven(
  context: RunContext,
  given: readonly Dispatch[],
  plan: Plan | null,
  deviceStepNs: number | null,
): Promise<readonly number[]> {
  const known = plan?.['givenMs']
  return typeof known === 'object' ? known : await timeEach(context, given, deviceStepNs)
}
