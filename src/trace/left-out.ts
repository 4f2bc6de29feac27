/** A link may hold part of a trace (formats/run-link.ts). It says so in `info.derived`, so that a file saved of it says so too. */
import type { Trace } from './schema'

/** What is left out, in a sentence. */
export const LEFT_OUT = 'linkLeftOut'
/** What the sender's page had worked out from the whole trace (state/link-idle.ts). */
export const CARRIED = 'linkIdle'

/** null where the trace is whole. */
export function leftOutOf({ info }: Trace): string | null {
  const said = info.derived[LEFT_OUT]
  return typeof said === 'string' ? said : null
}
