/**
 * How each kind of span is drawn: a hue that means the same thing everywhere in the lab, and a
 * mark, so that no meaning hangs on colour alone. The canvas and the legend both read this table.
 */
import { SPAN_KINDS, SPAN_SOURCES, type SpanKind, type SpanSource } from '../trace/schema'

export const HUES = ['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'collective', 'idle'] as const
export type Hue = (typeof HUES)[number]

/**
 * solid; dots: outline and dotted fill; half: outline, lower half solid; tint: outline and a light
 * fill; outline; dashed: outline; lines: fine vertical lines; band: a labelled bracket across the
 * top.
 */
export type MarkName = 'solid' | 'dots' | 'half' | 'tint' | 'outline' | 'dashed' | 'lines' | 'band'

export interface Mark {
  readonly hue: Hue
  readonly mark: MarkName
  /** In a person's words. */
  readonly label: string
  /**
   * Strength of the hue where spans share a pixel and are drawn as their share of its time; 0: not
   * at all.
   */
  readonly mergedAlpha: number
}

export const MARKS: Readonly<Record<SpanKind, Mark>> = {
  'host-work': { hue: 'host', mark: 'solid', label: 'host at work', mergedAlpha: 1 },
  encode: { hue: 'host', mark: 'solid', label: 'encoding', mergedAlpha: 1 },
  submit: { hue: 'host', mark: 'solid', label: 'submit()', mergedAlpha: 1 },
  'host-wait': { hue: 'wait', mark: 'dots', label: 'host waiting', mergedAlpha: 0.55 },
  queued: { hue: 'queue', mark: 'tint', label: 'queued', mergedAlpha: 0.6 },
  'staging-free': { hue: 'staging', mark: 'outline', label: 'staging buffer free', mergedAlpha: 0 },
  'staging-mapping': { hue: 'staging', mark: 'dashed', label: 'staging buffer mapping', mergedAlpha: 0.15 },
  'staging-mapped': { hue: 'staging', mark: 'tint', label: 'staging buffer mapped', mergedAlpha: 0.3 },
  'staging-filled': { hue: 'staging', mark: 'solid', label: 'staging buffer filled', mergedAlpha: 1 },
  'staging-in-flight': { hue: 'staging', mark: 'half', label: 'staging buffer in flight', mergedAlpha: 0.55 },
  compute: { hue: 'device', mark: 'solid', label: 'compute pass', mergedAlpha: 1 },
  transfer: { hue: 'transfer', mark: 'lines', label: 'transfer', mergedAlpha: 0.85 },
  collective: { hue: 'collective', mark: 'tint', label: 'collective', mergedAlpha: 0.85 },
  'collective-wait': { hue: 'wait', mark: 'dots', label: 'waiting for another rank', mergedAlpha: 0.55 },
  window: { hue: 'idle', mark: 'band', label: 'one repeat of a variant', mergedAlpha: 0 },
  other: { hue: 'queue', mark: 'tint', label: 'other', mergedAlpha: 0.6 },
}

/** By kind index, as the span columns hold it. */
export const MARK_BY_KIND: readonly Mark[] = SPAN_KINDS.map((kind) => MARKS[kind])

export const WINDOW_KIND = SPAN_KINDS.indexOf('window')

export const spanKindAt = (kinds: Uint8Array, span: number): SpanKind =>
  SPAN_KINDS[kinds[span] ?? -1] ?? 'other'
export const spanSourceAt = (sources: Uint8Array, span: number): SpanSource =>
  SPAN_SOURCES[sources[span] ?? -1] ?? 'measured'
