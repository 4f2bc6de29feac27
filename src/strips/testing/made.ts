/** Excerpts as tests want them: what is not said is plain. */
import {
  plainBar,
  plainStrip,
  type Excerpt,
  type ExcerptBar,
  type ExcerptIdle,
  type ExcerptRow,
  type ExcerptStrip,
} from '../excerpt'

export const bar = (startNs: number, endNs: number, more: Partial<ExcerptBar> = {}): ExcerptBar =>
  plainBar('compute', startNs, endNs, { name: 'matmul', step: 0, span: 0, ...more })
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
export const strip = (rows: readonly ExcerptRow[], more: Partial<ExcerptStrip> = {}): ExcerptStrip =>
  plainStrip(rows, 100, { variant: 'v', stepsEnded: 1, ...more })
export const excerpt = (lengthNs: number, ...strips: readonly ExcerptStrip[]): Excerpt => ({
  lengthNs,
  strips,
  isDeviceTimed: true,
})
