/** Whether a run's passes were stamped: without stamps a device has no spans within repeats, and so no idle time. */
import { REPEAT_NONE, spanKindIndex, type Trace } from '../../../trace/schema'

const COMPUTE = spanKindIndex('compute')

export const isTimed = ({ spans }: Trace): boolean =>
  Array.from({ length: spans.length }, (_, span) => span).some(
    (span) => spans.kind[span] === COMPUTE && (spans.repeat[span] ?? REPEAT_NONE) >= 0,
  )
