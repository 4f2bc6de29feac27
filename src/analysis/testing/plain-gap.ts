/** Gaps are read through accessors of their class, which a spread does not copy. Test code only. */
import type { Gap } from '../../trace/gaps'

export const plainGap = (gap: Gap): Gap => ({
  lane: gap.lane,
  startNs: gap.startNs,
  endNs: gap.endNs,
  deviceStartNs: gap.deviceStartNs,
  durationNs: gap.durationNs,
  cause: gap.cause,
  evidence: gap.evidence,
  spans: gap.spans,
  before: gap.before,
  after: gap.after,
  variant: gap.variant,
  repeat: gap.repeat,
})
