/**
 * The run's lanes as custom tracks of Chrome's Performance panel: what `performance.measure(name,
 * {start, end, detail})` takes, one for each span (chrome devtools, "performance extensibility
 * API": detail.devtools). Times in ms on this page's performance.now(), so only a run of this page
 * lies where a recording of it can be. Warm-up and sizing are left out, as in the analysis.
 */
import type { PlacedTrace } from '../place'
import { SPAN_KINDS, type SpanKind } from '../schema'

/** The panel's palette; hues near those of the lab's lanes. */
type DevToolsColor =
  | 'primary'
  | 'primary-light'
  | 'secondary'
  | 'secondary-light'
  | 'tertiary'
  | 'tertiary-light'
  | 'warning'
  | 'error'

export interface DevToolsMeasure {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly detail: {
    readonly devtools: {
      readonly dataType: 'track-entry'
      readonly trackGroup: string
      readonly track: string
      readonly color: DevToolsColor
      readonly tooltipText: string
      readonly properties: readonly (readonly [string, string])[]
    }
  }
}

const COLORS: Partial<Readonly<Record<SpanKind, DevToolsColor>>> = {
  'host-work': 'primary',
  encode: 'primary-light',
  submit: 'primary',
  'host-wait': 'warning',
  queued: 'secondary-light',
  'staging-filled': 'secondary',
  'staging-in-flight': 'secondary-light',
  compute: 'tertiary',
  transfer: 'tertiary-light',
  collective: 'secondary',
  'collective-wait': 'warning',
}
const TRACK_GROUP = 'Host/Device Lab'

/**
 * @param timeOriginMs this page's performance.timeOrigin
 * @returns in the trace's order; spans without a place, or from before the page was opened, are
 * left out.
 */
export function* devToolsMeasures(
  placed: PlacedTrace,
  timeOriginMs: number,
): Generator<DevToolsMeasure, void> {
  const { trace, startNs, endNs, edgeBoundNs } = placed
  const { spans, strings, lanes, clocks } = trace
  const hostOriginMs = clocks.find(({ kind }) => kind === 'host')?.originMs
  if (hostOriginMs === undefined) return
  const toPageMs = (ns: number): number => hostOriginMs - timeOriginMs + ns / 1e6
  for (let span = 0; span < spans.length; span += 1) {
    const [repeat, step] = [spans.repeat[span] ?? -1, spans.step[span] ?? -1]
    const start = toPageMs(startNs[span] ?? Number.NaN)
    const end = toPageMs(endNs[span] ?? Number.NaN)
    if (repeat < 0 || !(start >= 0) || !(end >= start)) continue
    const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
    const variant = strings[spans.variant[span] ?? -1] ?? ''
    const boundUs = Math.max(...edgeBoundNs(span, 'start'), ...edgeBoundNs(span, 'end')) / 1e3
    const name = strings[spans.name[span] ?? -1] || kind
    yield {
      name,
      start,
      end,
      detail: {
        devtools: {
          dataType: 'track-entry',
          trackGroup: TRACK_GROUP,
          track: lanes[spans.lane[span] ?? -1]?.name ?? 'other',
          color: COLORS[kind] ?? 'primary-light',
          tooltipText: `${name} (${kind})`,
          properties: [
            ['variant', variant],
            ['repeat', String(repeat + 1)],
            ...(step >= 0 ? [['step', String(step)] as const] : []),
            ['edges', `± ${boundUs.toFixed(1)} µs`],
          ],
        },
      },
    }
  }
}
