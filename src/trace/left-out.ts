/** Links held part of a trace once. A file that was saved of one says so in `info.derived`. */
import type { Trace } from './schema'

/** What is left out, in a sentence. */
const LEFT_OUT = 'linkLeftOut'
/** What the sender's page had worked out from the whole trace: for machines, and read no more. */
export const CARRIED = 'linkIdle'

/** null where the trace is whole. */
export function leftOutOf({ info }: Trace): string | null {
  const said = info.derived[LEFT_OUT]
  return typeof said === 'string' ? said : null
}
