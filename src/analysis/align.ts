/**
 * Two runs on one axis: each is moved so that its time 0 is the first submit of the first counted repeat of the chosen variant, and
 * both are given one extent, so that any view of one is a view of the other. The trace itself, its ticks and bounds stay as they are.
 */
import type { PlacedTrace } from '../trace/place'
import { REPEAT_NONE, spanKindIndex } from '../trace/schema'

export interface Zero {
  readonly timeNs: number
  /** The event at 0, named in the caption. */
  readonly what: 'first counted submit' | 'first submit' | 'first span'
}

const SUBMIT = spanKindIndex('submit')
const WINDOW = spanKindIndex('window')

/** Variants with a counted repeat, in the order of their first one. */
export function countedVariants({ trace: { spans, strings } }: PlacedTrace): readonly string[] {
  const found = new Set<number>()
  for (let span = 0; span < spans.length; span += 1)
    if ((spans.repeat[span] ?? REPEAT_NONE) >= 0 && spans.kind[span] === WINDOW)
      found.add(spans.variant[span] ?? -1)
  return [...found].flatMap((index) => strings[index] ?? [])
}

/** End of the first counted window of a variant; null where there is none. */
export function firstWindowEnd({ trace: { spans, strings }, startNs, endNs }: PlacedTrace, variant: string) {
  let [first, end]: [number, number | null] = [Infinity, null]
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== WINDOW || (spans.repeat[span] ?? REPEAT_NONE) < 0) continue
    if (strings[spans.variant[span] ?? -1] !== variant || !((startNs[span] ?? NaN) < first)) continue
    first = startNs[span] ?? Infinity
    end = endNs[span] ?? null
  }
  return end
}

/** `variant` '' stands for any. */
export function firstSubmit(placed: PlacedTrace, variant: string): Zero {
  const { spans, strings } = placed.trace
  let [counted, any] = [Infinity, Infinity]
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== SUBMIT) continue
    const start = placed.startNs[span] ?? Number.NaN
    if (Number.isNaN(start)) continue
    any = Math.min(any, start)
    const isOf = variant === '' || strings[spans.variant[span] ?? -1] === variant
    if (isOf && (spans.repeat[span] ?? REPEAT_NONE) >= 0) counted = Math.min(counted, start)
  }
  if (counted < Infinity) return { timeNs: counted, what: 'first counted submit' }
  if (any < Infinity) return { timeNs: any, what: 'first submit' }
  return { timeNs: placed.startOfAllNs, what: 'first span' }
}

const moved = (times: Float64Array, byNs: number): Float64Array => times.map((time) => time + byNs)

/** The same run, drawn so that `zeroNs` is time 0, on an axis from `startNs` to `endNs` (both counted from there). */
function moveTo(
  placed: PlacedTrace,
  zeroNs: number,
  axis: { readonly startNs: number; readonly endNs: number },
): PlacedTrace {
  const { trace } = placed
  const { instants, lanes, clocks } = trace
  const isHost = (at: number) => clocks[lanes[instants.lane[at] ?? -1]?.clock ?? -1]?.kind === 'host'
  return {
    ...placed,
    trace: {
      ...trace,
      // Those on device lanes are ticks, which no one places.
      instants: { ...instants, time: instants.time.map((time, at) => (isHost(at) ? time - zeroNs : time)) },
      counters: trace.counters.map((counter) => ({ ...counter, timeNs: moved(counter.timeNs, -zeroNs) })),
    },
    lanes: placed.lanes.map((lane) => ({
      ...lane,
      startNs: moved(lane.startNs, -zeroNs),
      endNs: moved(lane.endNs, -zeroNs),
      maxEndNs: moved(lane.maxEndNs, -zeroNs),
    })),
    startNs: moved(placed.startNs, -zeroNs),
    endNs: moved(placed.endNs, -zeroNs),
    startOfAllNs: axis.startNs,
    endOfAllNs: axis.endNs,
  }
}

/** Both at their own zero, on the axis that holds both. */
export function alignTwo(
  a: PlacedTrace,
  b: PlacedTrace,
  zeroA: number,
  zeroB: number,
): readonly [PlacedTrace, PlacedTrace] {
  const axis = {
    startNs: Math.min(a.startOfAllNs - zeroA, b.startOfAllNs - zeroB),
    endNs: Math.max(a.endOfAllNs - zeroA, b.endOfAllNs - zeroB),
  }
  return [moveTo(a, zeroA, axis), moveTo(b, zeroB, axis)]
}
