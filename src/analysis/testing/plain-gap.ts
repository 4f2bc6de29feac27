/** Gaps are read through accessors of their class, which a spread does not copy. Test code only. */
import type { DeviceGap } from '../devices'
import type { Gap } from '../types'

export const plainGap = (gap: Gap): Gap => ({
  lane: gap.lane,
  startNs: gap.startNs,
  endNs: gap.endNs,
  durationNs: gap.durationNs,
  cause: gap.cause,
  evidence: gap.evidence,
  spans: gap.spans,
  before: gap.before,
  after: gap.after,
  variant: gap.variant,
  repeat: gap.repeat,
})

export const plainDeviceGap = ({
  beginUs,
  endUs,
  cause,
  evidence,
  before,
  after,
  spans,
}: DeviceGap): DeviceGap => ({
  beginUs,
  endUs,
  cause,
  evidence,
  before,
  after,
  spans,
})
