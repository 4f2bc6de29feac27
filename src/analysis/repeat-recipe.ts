/**
 * A repeat read off a placed trace as a recipe that can be replayed (replay.ts), and which parts of it a cause of idle time stands for.
 * The host's window is cut at every begin and end of a span and every submit(), so that each step is of one sort. Times in host ns.
 */
import { lowerBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { FLOW_KINDS, SPAN_KINDS } from '../trace/schema'
import { hostActivity, type HostActivity } from './host-activity'
import { NOTHING_REMOVED, type HostStep, type Piece, type Recipe, type Removal } from './replay'
import type { Gap, GapCause } from './types'

interface Timed {
  readonly startNs: number
  readonly endNs: number
}
interface HostSpan extends Timed {
  readonly span: number
  readonly activity: HostActivity
  readonly submission: number
}
interface DevicePiece extends Timed {
  readonly submission: number
  /** Its longest pass or copy. */
  readonly span: number
  readonly submitSpan: number
  readonly submittedNs: number
}
interface Step extends Timed {
  readonly step: HostStep
  /** What the host was in; -1: JavaScript between recorded steps. */
  readonly span: number
  /** Of a wait: what was awaited. */
  readonly activity: HostActivity | null
}

/** A repeat with its recipe; the device's times moved by `shiftNs`, within what the clock fit allows. */
export interface RepeatRecipe {
  readonly repeat: number
  readonly recipe: Recipe
  readonly steps: readonly Step[]
  /** Submission -> index of its piece. */
  readonly pieceOf: ReadonlyMap<number, number>
  readonly pieces: readonly DevicePiece[]
  readonly shiftNs: number
}

/** Spans of a trace by what a recipe asks for; made once for all repeats. */
export class RecipeReader {
  readonly #placed: PlacedTrace
  /** `${variant} ${repeat}` -> the window span, the device spans. */
  readonly #windows = new Map<string, number>()
  readonly #work = new Map<string, number[]>()
  readonly #submits = new Map<number, number>()
  /** Wait -> submissions whose passes a 'sync' flow joins to it. */
  readonly #heardOf = new Map<number, number>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
    const { spans, flows } = placed.trace
    for (let span = 0; span < spans.length; span += 1) {
      const kind = SPAN_KINDS[spans.kind[span] ?? -1]
      if (kind === 'submit') this.#submits.set(spans.submission[span] ?? -1, span)
      const repeat = spans.repeat[span] ?? -1
      if (repeat < 0) continue
      const key = keyOf(spans.variant[span] ?? -1, repeat)
      if (kind === 'window') this.#windows.set(key, span)
      if (kind !== 'compute' && kind !== 'transfer') continue
      const list = this.#work.get(key)
      if (list) list.push(span)
      else this.#work.set(key, [span])
    }
    const sync = FLOW_KINDS.indexOf('sync')
    for (let flow = 0; flow < flows.length; flow += 1)
      if (flows.kind[flow] === sync)
        this.#heardOf.set(flows.to[flow] ?? -1, spans.submission[flows.from[flow] ?? -1] ?? -1)
  }

  /** Counted repeats of a variant (an index into the strings), in order. */
  repeatsOf(variant: number): readonly number[] {
    const { spans } = this.#placed.trace
    const own = [...this.#windows.values()].filter((span) => spans.variant[span] === variant)
    return own.map((span) => spans.repeat[span] ?? -1).sort((a, b) => a - b)
  }

  /** Length of a repeat by the host's clock; NaN where it has no window. */
  lengthNs(variant: number, repeat: number): number {
    const window = this.#windows.get(keyOf(variant, repeat)) ?? -1
    return this.#end(window) - this.#start(window)
  }

  /** How far the device's times may be moved against the host's in this repeat: [earlier, later], ns. */
  shiftsNs(variant: number, repeat: number): readonly [number, number] {
    const first = this.#work.get(keyOf(variant, repeat))?.[0]
    return first === undefined ? [0, 0] : this.#placed.edgeBoundNs(first, 'start')
  }

  /** A sentence where the repeat cannot be replayed. */
  read(variant: number, repeat: number, shiftNs: number): RepeatRecipe | string {
    const key = keyOf(variant, repeat)
    const window = this.#windows.get(key)
    const work = this.#work.get(key) ?? []
    if (window === undefined) return 'The trace does not say when this repeat began and ended on the host.'
    if (work.length === 0) return 'No work of the device was recorded in it.'
    if (work.some((span) => Number.isNaN(this.#start(span))))
      return 'The device’s clock could not be tied to the host’s, so what waited for what is not known.'
    const lanes = new Set(work.map((span) => this.#placed.trace.spans.lane[span]))
    if (lanes.size > 1) return 'The device worked on several lanes at once, which the replay does not know.'
    const pieces = this.#pieces(work, shiftNs)
    if (!pieces) return 'A pass has no recorded submit(), so what it waited for is not known.'
    const bounds = { startNs: this.#start(window), endNs: this.#end(window) }
    if (pieces.some(({ submittedNs }) => submittedNs < bounds.startNs || submittedNs > bounds.endNs))
      return 'Some of its work was submitted outside of the repeat.'
    const host = this.#hostSpans(this.#placed.trace.spans.lane[window] ?? -1, bounds)
    const pieceOf = new Map(pieces.map(({ submission }, index) => [submission, index]))
    const steps = this.#steps(bounds, host, pieces, pieceOf)
    return {
      repeat,
      steps,
      pieces,
      pieceOf,
      shiftNs,
      recipe: {
        lengthNs: bounds.endNs - bounds.startNs,
        steps: steps.map(({ step }) => step),
        pieces: pieces.map((piece, index) => asPiece(piece, pieces[index - 1])),
        overhangNs: Math.max(0, (pieces.at(-1)?.endNs ?? -Infinity) - bounds.endNs),
      },
    }
  }

  #pieces(work: readonly number[], shiftNs: number): readonly DevicePiece[] | null {
    const { submission } = this.#placed.trace.spans
    const bySubmission = new Map<number, { startNs: number; endNs: number; span: number }>()
    for (const span of work) {
      const [startNs, endNs] = [this.#start(span) + shiftNs, this.#end(span) + shiftNs]
      const known = bySubmission.get(submission[span] ?? -1)
      if (!known) bySubmission.set(submission[span] ?? -1, { startNs, endNs, span })
      else {
        if (endNs - startNs > this.#end(known.span) - this.#start(known.span)) known.span = span
        known.startNs = Math.min(known.startNs, startNs)
        known.endNs = Math.max(known.endNs, endNs)
      }
    }
    const pieces: DevicePiece[] = []
    for (const [id, times] of bySubmission) {
      const submitSpan = this.#submits.get(id)
      if (id < 0 || submitSpan === undefined) return null
      pieces.push({ ...times, submission: id, submitSpan, submittedNs: this.#end(submitSpan) })
    }
    return pieces.sort((a, b) => a.submittedNs - b.submittedNs || a.submission - b.submission)
  }

  #hostSpans(lane: number, { startNs, endNs }: Timed): readonly HostSpan[] {
    const { spans, strings } = this.#placed.trace
    const placedLane = this.#placed.lanes.find((each) => each.lane === lane)
    const found: HostSpan[] = []
    if (!placedLane) return found
    // The first that reaches into the window: all before it have ended.
    const first = lowerBound(placedLane.maxEndNs.subarray(0, placedLane.length), startNs)
    for (let at = first; at < placedLane.length; at += 1) {
      const span = placedLane.span[at] ?? -1
      const times = { startNs: placedLane.startNs[at] ?? 0, endNs: placedLane.endNs[at] ?? 0 }
      if (times.startNs > endNs) break
      const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
      const activity = hostActivity(kind, strings[spans.name[span] ?? -1] ?? '')
      if (!activity || times.endNs < startNs) continue
      found.push({ span, activity, submission: spans.submission[span] ?? -1, ...times })
    }
    return found
  }

  #steps(
    { startNs, endNs }: Timed,
    host: readonly HostSpan[],
    pieces: readonly DevicePiece[],
    pieceOf: ReadonlyMap<number, number>,
  ): readonly Step[] {
    const edges = host.flatMap((span) => [span.startNs, span.endNs])
    const cuts = [...new Set([startNs, ...edges, ...pieces.map((piece) => piece.submittedNs), endNs])]
      .filter((cut) => cut >= startNs && cut <= endNs)
      .sort((a, b) => a - b)
    const steps: Step[] = []
    let [nextPiece, nextHost] = [0, 0]
    let open: HostSpan[] = []
    const add = (from: number, to: number) => {
      while ((host[nextHost]?.startNs ?? Infinity) <= from) {
        const span = host[nextHost]
        if (span) open.push(span)
        nextHost += 1
      }
      if (open.some((span) => span.endNs <= from)) open = open.filter((span) => span.endNs > from)
      const isWaiting = open.length > 0 && open.every(({ activity }) => WAITS.has(activity))
      // A wait that another continuation broke in upon ends by what nobody recorded: it takes its time.
      const wait = isWaiting ? open.find((span) => span.endNs === to) : undefined
      const piece = wait ? (pieceOf.get(this.#heardOf.get(wait.span) ?? wait.submission) ?? -1) : -1
      const ended = pieces[piece]?.endNs
      const common: Omit<HostStep, 'submits'> = {
        type: wait ? 'wait' : 'work',
        lengthNs: to - from,
        piece: ended === undefined ? -1 : piece,
        noticeNs: ended === undefined ? Number.NaN : to - ended,
      }
      const span = wait?.span ?? open.at(-1)?.span ?? -1
      const times = { startNs: from, endNs: to, activity: wait?.activity ?? null, span }
      steps.push({ ...times, step: { ...common, submits: -1 } })
      // Several submit() may end within one step of the clock: each hands over its piece, in turn.
      for (; (pieces[nextPiece]?.submittedNs ?? Infinity) <= to; nextPiece += 1) {
        const step: HostStep = {
          type: 'work',
          lengthNs: 0,
          piece: -1,
          noticeNs: Number.NaN,
          submits: nextPiece,
        }
        steps.push({ startNs: to, endNs: to, activity: null, span: -1, step })
      }
    }
    for (const [index, cut] of cuts.slice(1).entries()) add(cuts[index] ?? startNs, cut)
    return steps
  }

  #start(span: number): number {
    return this.#placed.startNs[span] ?? Number.NaN
  }
  #end(span: number): number {
    return this.#placed.endNs[span] ?? Number.NaN
  }
}

const WAITS: ReadonlySet<HostActivity> = new Set(['await-result', 'await-staging'])
const keyOf = (variant: number, repeat: number) => `${String(variant)} ${String(repeat)}`

function asPiece(piece: DevicePiece, before: DevicePiece | undefined): Piece {
  return {
    lengthNs: piece.endNs - piece.startNs,
    latencyNs: piece.startNs - piece.submittedNs,
    switchNs: before ? piece.startNs - before.endNs : Number.NaN,
    isQueued: before !== undefined && piece.submittedNs <= before.endNs,
  }
}

/**
 * What goes when a cause goes. host-waited: the awaits of results between the gap's begin and the submit() that ended it.
 * upload-not-ready: those and the awaits of staging buffers. host-late: the host's work in that time delays the device no more.
 * launch-overhead, and uploads that were handed over after submit(): the next work begins at once.
 */
export function removalOf(
  { steps, pieces, pieceOf, shiftNs }: RepeatRecipe,
  submissionOf: (span: number) => number,
  gaps: readonly Gap[],
  cause: GapCause,
): Removal {
  const waits = new Set<number>()
  const hostNs = new Map<number, number>()
  const launches = new Set<number>()
  const insideNs = new Map<number, number>()
  const ends = Float64Array.from(steps, ({ endNs }) => endNs)
  for (const gap of gaps) {
    if (gap.cause !== cause) continue
    const [index, from] = [pieceOf.get(submissionOf(gap.after)) ?? -1, gap.startNs + shiftNs]
    const piece = pieces[index]
    if (!piece) continue
    if (submissionOf(gap.before) === piece.submission) {
      insideNs.set(index, (insideNs.get(index) ?? 0) + (gap.endNs - gap.startNs))
      continue
    }
    if (cause === 'launch-overhead' || piece.submittedNs <= from) launches.add(index)
    for (let at = lowerBound(ends, from); at < steps.length; at += 1) {
      const each = steps[at]
      if (!each || each.startNs >= piece.submittedNs) break
      const { startNs, endNs, step, activity } = each
      const withinNs = Math.min(endNs, piece.submittedNs) - Math.max(startNs, from)
      if (!(withinNs > 0)) continue
      const isAwaited = activity === 'await-result' || activity === 'await-staging'
      if (cause === 'host-late' && step.type === 'work')
        hostNs.set(at, Math.min(step.lengthNs, (hostNs.get(at) ?? 0) + withinNs))
      else if (cause === 'upload-not-ready' && isAwaited) waits.add(at)
      else if (cause === 'host-waited' && activity === 'await-result') waits.add(at)
    }
  }
  return { ...NOTHING_REMOVED, waits, hostNs, launches, insideNs }
}
