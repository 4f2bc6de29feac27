/** Excerpts as tests want them: what is not said is plain. */
import type { Excerpt, ExcerptBar, ExcerptIdle, ExcerptRow, ExcerptStrip } from '../excerpt'

export const bar = (startNs: number, endNs: number, more: Partial<ExcerptBar> = {}): ExcerptBar => ({
  kind: 'compute',
  role: 'none',
  name: 'matmul',
  startNs,
  endNs,
  line: -1,
  step: 0,
  isInferred: false,
  span: 0,
  ...more,
})
export const idle = (
  startNs: number,
  endNs: number,
  cause: ExcerptIdle['cause'] = 'host-waited',
): ExcerptIdle => ({
  startNs,
  endNs,
  cause,
  gap: 0,
})
export const row = (kind: ExcerptRow['kind'], more: Partial<ExcerptRow> = {}): ExcerptRow => ({
  kind,
  name: kind,
  group: more.name ?? kind,
  bars: [],
  idle: [],
  ...more,
})
export const strip = (rows: readonly ExcerptRow[], more: Partial<ExcerptStrip> = {}): ExcerptStrip => ({
  basis: 'measured',
  variant: 'v',
  repeat: 0,
  repeats: 1,
  zeroNs: 0,
  windowNs: 100,
  rows,
  messages: [],
  depth: [],
  stepsEnded: 1,
  ...more,
})
export const excerpt = (lengthNs: number, ...strips: readonly ExcerptStrip[]): Excerpt => ({
  lengthNs,
  strips,
  isDeviceTimed: true,
})
