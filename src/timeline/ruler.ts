/**
 * The ruler: from a mark to where one points or steps, with what the clocks leave open. An end is
 * kept as the edge it stands on, not as a time, so that it stays on its edge when a growing run is
 * placed anew. Pure. Units: host ns.
 *
 * Bounds: two edges of one clock differ by their stamps, known to one step of it. Edges of two
 * clocks carry both their bounds, the fit's among them. A place without an edge is chosen by hand:
 * it is as sharp as half a pixel was.
 */
import { formatBound, formatDuration, formatTime } from './format'
import { MARKS, spanKindAt } from './marks'
import type { AreaSelection, RulerEnd, RulerReading, Target, TimelineData } from './types'
import type { Emitter } from './emitter'

export interface Ruler {
  readonly from: RulerEnd
  /** Null: only the mark is set. */
  readonly to: RulerEnd | null
}

const edgeEnd = (span: number, edge: 'start' | 'end'): RulerEnd => ({ type: 'edge', span, edge })

/**
 * The begin or end of a target as an end of the ruler; a gap's are the edges of the passes on its
 * sides. @internal
 */
export function endOfTarget(data: TimelineData, target: Target, edge: 'start' | 'end'): RulerEnd | null {
  switch (target.type) {
    case 'span':
      return Number.isFinite(data.placed.startNs[target.span] ?? Number.NaN)
        ? edgeEnd(target.span, edge)
        : null
    case 'gap': {
      const gap = data.gaps[target.gap]
      if (!gap) return null
      const span = edge === 'start' ? gap.before : gap.after
      // Before the first pass and behind the last there is none to hold on to.
      if (span < 0)
        return { type: 'free', timeNs: edge === 'start' ? gap.startNs : gap.endNs, toleranceNs: 0 }
      return edgeEnd(span, edge === 'start' ? 'end' : 'start')
    }
    case 'counter':
      return { type: 'free', timeNs: target.timeNs, toleranceNs: 0 }
  }
}

const sameEnd = (a: RulerEnd | null, b: RulerEnd | null): boolean =>
  a === b ||
  (a?.type === 'edge' && b?.type === 'edge' && a.span === b.span && a.edge === b.edge) ||
  (a?.type === 'free' && b?.type === 'free' && a.timeNs === b.timeNs)

/** The mark set on a target: its begin, and its end where its begin is the mark already. @internal */
export function markOn(data: TimelineData, ruler: Ruler | null, target: Target): Ruler | null {
  const begin = endOfTarget(data, target, 'start')
  const from = sameEnd(ruler?.from ?? null, begin) ? endOfTarget(data, target, 'end') : begin
  return from && { from, to: null }
}

export function endTimeNs({ placed }: TimelineData, end: RulerEnd): number {
  if (end.type === 'free') return end.timeNs
  return (end.edge === 'start' ? placed.startNs : placed.endNs)[end.span] ?? Number.NaN
}

/** How far before and after its place an end may lie. */
export const endBoundNs = ({ placed }: TimelineData, end: RulerEnd): readonly [number, number] =>
  end.type === 'free' ? [end.toleranceNs, end.toleranceNs] : placed.edgeBoundNs(end.span, end.edge)

const clockIndex = ({ placed: { trace } }: TimelineData, span: number): number =>
  trace.lanes[trace.spans.lane[span] ?? -1]?.clock ?? -1

/** 'begin of matmul', or the time of a place chosen by hand. */
function endWords({ placed: { trace } }: TimelineData, end: RulerEnd): string {
  if (end.type === 'free') return formatTime(end.timeNs)
  const name = trace.strings[trace.spans.name[end.span] ?? -1] ?? ''
  const what = name === '' ? MARKS[spanKindAt(trace.spans.kind, end.span)].label : name
  const submission = trace.spans.submission[end.span] ?? -1
  const which = submission < 0 ? '' : ` (submission ${submission})`
  return `${end.edge === 'start' ? 'begin' : 'end'} of ${what}${which}`
}

interface Measured {
  readonly distanceNs: number
  readonly bound: readonly [number, number]
  readonly basis: RulerReading['basis']
}

function measure(data: TimelineData, from: RulerEnd, to: RulerEnd): Measured {
  const { trace } = data.placed
  if (from.type === 'edge' && to.type === 'edge') {
    const clock = clockIndex(data, from.span)
    if (clock === clockIndex(data, to.span)) {
      const stampNs = ({ span, edge }: typeof from): number => trace.spans[edge][span] ?? Number.NaN
      const stepNs = sameEnd(from, to) ? 0 : (trace.clocks[clock]?.stepNs ?? Number.NaN)
      return { distanceNs: stampNs(to) - stampNs(from), bound: [stepNs, stepNs], basis: 'one clock' }
    }
  }
  const [fromBefore, fromAfter] = endBoundNs(data, from)
  const [toBefore, toAfter] = endBoundNs(data, to)
  return {
    distanceNs: endTimeNs(data, to) - endTimeNs(data, from),
    bound: [toBefore + fromAfter, toAfter + fromBefore],
    basis: from.type === 'edge' && to.type === 'edge' ? 'two clocks' : 'by hand',
  }
}

const BASIS: Readonly<Record<RulerReading['basis'], string>> = {
  'one clock': 'both edges by one clock, so its step is the bound',
  'two clocks': 'edges of two clocks, so the bounds of both and the fit between them add up',
  'by hand': 'one end is no edge but a place chosen by hand, as sharp as half a pixel',
}

/** Null where an end has no place (any more). */
export function readRuler(data: TimelineData, { from, to }: Ruler): RulerReading | null {
  const fromNs = endTimeNs(data, from)
  const toNs = endTimeNs(data, to ?? from)
  if (!Number.isFinite(fromNs) || !Number.isFinite(toNs)) return null
  const fromWords = endWords(data, from)
  if (!to)
    return {
      fromNs,
      toNs,
      fromWords,
      toWords: '',
      value: '',
      basis: 'one clock',
      note: 'Step to another bar, or point at one.',
      spoken: `Mark at ${fromWords}. Step or point to measure.`,
    }
  const { distanceNs, bound, basis } = measure(data, from, to)
  const value = `${formatDuration(distanceNs)} ${formatBound(...bound)}`
  const toWords = endWords(data, to)
  return {
    fromNs,
    toNs,
    fromWords,
    toWords,
    value,
    basis,
    note: BASIS[basis],
    spoken: `${value}, from ${fromWords} to ${toWords}`,
  }
}

/**
 * The ruler over newer data of the same run, in which spans count from `moved` on. Null where an
 * end fell out. @internal
 */
export function carryRuler(ruler: Ruler, moved: number): Ruler | null {
  const carry = (end: RulerEnd): RulerEnd | null =>
    end.type === 'free' ? end : end.span >= moved ? { ...end, span: end.span - moved } : null
  const from = carry(ruler.from)
  return from && { from, to: ruler.to && carry(ruler.to) }
}

/**
 * The ruler in a hand: set on a selection or at a place, moved by stepping and pointing, held by a
 * click. Knows what the next end is; reading and drawing it are ruler.ts and paint-ruler.ts.
 */
export class Measuring {
  readonly #emitter: Emitter
  #ruler: Ruler | null = null
  /** A click has fixed the end: pointing no longer moves it. */
  #isHeld = false

  constructor(emitter: Emitter) {
    this.#emitter = emitter
  }

  get ruler(): Ruler | null {
    return this.#ruler
  }

  markTarget(data: TimelineData, target: Target): void {
    this.#isHeld = false
    this.#set(data, markOn(data, this.#ruler, target))
  }

  markAt(data: TimelineData, end: RulerEnd): void {
    this.#isHeld = false
    this.#set(data, { from: end, to: null })
  }

  /** Stepped to. */
  toTarget(data: TimelineData, target: Target, edge: 'start' | 'end'): void {
    const to = endOfTarget(data, target, edge)
    if (!this.#ruler || !to) return
    this.#isHeld = false
    this.#to(data, to)
  }

  /** Pointed at, or with `hold` clicked. */
  toPlace(data: TimelineData, end: RulerEnd, hold: boolean): void {
    if (this.#isHeld && !hold) return
    this.#isHeld = hold
    this.#to(data, end)
  }

  clear(): void {
    if (!this.#ruler) return
    this.#ruler = null
    this.#emitter.emit('ruler', null)
  }

  /**
   * New data of the same run, whose spans count from `moved` on; another place of the same edges is
   * another reading.
   */
  carryOver(data: TimelineData, moved: number): void {
    if (!this.#ruler) return
    this.#set(data, carryRuler(this.#ruler, moved))
  }

  area(data: TimelineData, lanes: readonly number[]): AreaSelection | null {
    const reading = this.#ruler?.to ? readRuler(data, this.#ruler) : null
    if (!reading || reading.fromNs === reading.toNs) return null
    return {
      startNs: Math.min(reading.fromNs, reading.toNs),
      endNs: Math.max(reading.fromNs, reading.toNs),
      lanes,
    }
  }

  #to(data: TimelineData, to: RulerEnd): void {
    if (!this.#ruler || sameEnd(this.#ruler.to, to)) return
    this.#set(data, { from: this.#ruler.from, to })
  }

  #set(data: TimelineData, ruler: Ruler | null): void {
    const reading = ruler && readRuler(data, ruler)
    this.#ruler = reading ? ruler : null
    this.#emitter.emit('ruler', reading)
  }
}
