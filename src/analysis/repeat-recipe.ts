/**
 * A repeat read off a placed trace as a recipe that can be replayed (replay.ts), and which parts of it a cause of idle time stands for.
 * The host's window is cut at every begin and end of a span and every submit(), so that each step is of one sort. Times in host ns.
 */
import { lowerBound } from '../base/search'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import { FLOW_KINDS, SPAN_KINDS } from '../trace/schema'
import { activities, activityBit, type Activities } from './host-activity'
import { nothingRemoved, type HostSteps, type Pieces, type Recipe, type Removal } from './replay'
import type { Gap, GapCause } from '../trace/gaps'

interface Timed {
  readonly startNs: number
  readonly endNs: number
}
interface DevicePiece extends Timed {
  readonly submission: number
  readonly span: number
  readonly submittedNs: number
}

/** Submissions on the device, by submit(). */
export interface PieceTimes {
  readonly length: number
  readonly submission: Int32Array
  /** The longest pass or copy of each. */
  readonly span: Int32Array
  readonly submittedNs: Float64Array
  readonly startNs: Float64Array
  readonly endNs: Float64Array
}

/** Where the recipe's steps lie, and what the host was in. */
export interface StepTimes {
  readonly length: number
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /** -1: JavaScript between recorded steps. */
  readonly span: Int32Array
  /** Of a wait: what was awaited, as one of `activities`; 0 otherwise. */
  readonly awaited: Uint8Array
}

/** A repeat with its recipe; the device's times moved by `shiftNs`, within what the clock fit allows. */
export interface RepeatRecipe {
  readonly repeat: number
  /** Of the host's window. */
  readonly endNs: number
  readonly recipe: Recipe
  readonly steps: StepTimes
  readonly pieces: PieceTimes
  /** Submission -> index of its piece. */
  readonly pieceOf: ReadonlyMap<number, number>
  readonly shiftNs: number
}

/** Spans of a trace by what a recipe asks for; made once for all repeats. */
export class RecipeReader {
  readonly #placed: PlacedTrace
  /** By variant and repeat: the window span, the device spans. */
  readonly #windows = new Map<number, number>()
  readonly #work = new Map<number, number[]>()
  readonly #submits = new Map<number, number>()
  /** Wait -> submissions whose passes a 'sync' flow joins to it. */
  readonly #heardOf = new Map<number, number>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
    const { spans, flows } = placed.trace
    for (let span = 0; span < spans.length; span += 1) {
      const kind = spans.kind[span] ?? -1
      if (kind === SUBMIT) this.#submits.set(spans.submission[span] ?? -1, span)
      const repeat = spans.repeat[span] ?? -1
      if (repeat < 0 || (kind !== WINDOW && kind !== COMPUTE && kind !== TRANSFER)) continue
      const key = keyOf(spans.variant[span] ?? -1, repeat)
      if (kind === WINDOW) {
        this.#windows.set(key, span)
        continue
      }
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
  read(variant: number, repeat: number): RepeatRecipe | string {
    const key = keyOf(variant, repeat)
    const window = this.#windows.get(key)
    const work = this.#work.get(key) ?? []
    if (window === undefined) return 'The trace does not say when this repeat began and ended on the host.'
    if (work.length === 0) return 'No work of the device was recorded in it.'
    if (work.some((span) => Number.isNaN(this.#start(span))))
      return 'The device’s clock could not be tied to the host’s, so what waited for what is not known.'
    const { lane } = this.#placed.trace.spans
    if (work.some((span) => lane[span] !== lane[work[0] ?? -1]))
      return 'The device worked on several lanes at once, which the replay does not know.'
    const pieces = this.#pieces(work)
    if (!pieces) return 'A pass has no recorded submit(), so what it waited for is not known.'
    const bounds = { startNs: this.#start(window), endNs: this.#end(window) }
    if (pieces.submittedNs.some((ns) => ns < bounds.startNs || ns > bounds.endNs))
      return 'Some of its work was submitted outside of the repeat.'
    const pieceOf = new Map(Array.from(pieces.submission, (submission, index) => [submission, index]))
    const { times, steps } = this.#steps(lane[window] ?? -1, bounds, pieces, pieceOf)
    return {
      repeat,
      endNs: bounds.endNs,
      steps: times,
      pieces,
      pieceOf,
      shiftNs: 0,
      recipe: {
        lengthNs: bounds.endNs - bounds.startNs,
        steps,
        pieces: asPieces(pieces),
        overhangNs: overhangOf(pieces, bounds.endNs),
      },
    }
  }

  #pieces(work: readonly number[]): PieceTimes | null {
    const { submission } = this.#placed.trace.spans
    const bySubmission = new Map<number, { startNs: number; endNs: number; span: number }>()
    for (const span of work) {
      const [startNs, endNs] = [this.#start(span), this.#end(span)]
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
      pieces.push({ ...times, submission: id, submittedNs: this.#end(submitSpan) })
    }
    pieces.sort((a, b) => a.submittedNs - b.submittedNs || a.submission - b.submission)
    return {
      length: pieces.length,
      submission: Int32Array.from(pieces, (piece) => piece.submission),
      span: Int32Array.from(pieces, ({ span }) => span),
      submittedNs: Float64Array.from(pieces, ({ submittedNs }) => submittedNs),
      startNs: Float64Array.from(pieces, ({ startNs }) => startNs),
      endNs: Float64Array.from(pieces, ({ endNs }) => endNs),
    }
  }

  /** Positions in a host lane of what happened in the window. */
  #within(lane: PlacedLane, { startNs, endNs }: Timed): Int32Array {
    const { spans } = this.#placed.trace
    // The first that reaches into the window: all before it have ended.
    const first = lowerBound(lane.maxEndNs.subarray(0, lane.length), startNs)
    let past = first
    while (past < lane.length && (lane.startNs[past] ?? 0) <= endNs) past += 1
    return Int32Array.from({ length: past - first }, (_, index) => first + index).filter((at) => {
      const span = lane.span[at] ?? -1
      return (lane.endNs[at] ?? 0) >= startNs && activityBit(spans, span) !== 0
    })
  }

  #steps(
    hostLane: number,
    bounds: Timed,
    pieces: PieceTimes,
    pieceOf: ReadonlyMap<number, number>,
  ): { readonly times: StepTimes; readonly steps: HostSteps } {
    const { spans } = this.#placed.trace
    const lane = this.#placed.lanes.find((each) => each.lane === hostLane)
    const host = lane ? this.#within(lane, bounds) : new Int32Array()
    const startOf = (index: number): number => lane?.startNs[host[index] ?? -1] ?? Infinity
    const endOf = (index: number): number => lane?.endNs[host[index] ?? -1] ?? -Infinity
    const spanOf = (index: number): number => lane?.span[host[index] ?? -1] ?? -1
    const activityOf = (index: number): number => activityBit(spans, spanOf(index))
    const cuts = cutsOf(bounds, pieces.submittedNs, host.length, startOf, endOf)
    const made = new StepColumns(cuts.length + pieces.length)
    let [nextPiece, nextHost] = [0, 0]
    let open: number[] = []
    for (let cut = 1; cut < cuts.length; cut += 1) {
      const [from, to] = [cuts[cut - 1] ?? 0, cuts[cut] ?? 0]
      while (startOf(nextHost) <= from) {
        open.push(nextHost)
        nextHost += 1
      }
      if (open.some((index) => endOf(index) <= from)) open = open.filter((index) => endOf(index) > from)
      const isWaiting = open.length > 0 && open.every((index) => (activityOf(index) & WAITS.mask) !== 0)
      // A wait that another continuation broke in upon ends by what nobody recorded: it takes its time.
      const wait = isWaiting ? open.find((index) => endOf(index) === to) : undefined
      if (wait === undefined) made.add(from, to, spanOf(open.at(-1) ?? -1))
      else {
        const span = spanOf(wait)
        const heard = pieceOf.get(this.#heardOf.get(span) ?? spans.submission[span] ?? -1)
        made.add(from, to, span, activityOf(wait), heard, pieces.endNs[heard ?? -1])
      }
      // Several submit() may end within one step of the clock: each hands over its piece, in turn.
      for (; nextPiece < pieces.length && (pieces.submittedNs[nextPiece] ?? Infinity) <= to; nextPiece += 1)
        made.submit(to, nextPiece)
    }
    return made.done()
  }

  #start(span: number): number {
    return this.#placed.startNs[span] ?? Number.NaN
  }
  #end(span: number): number {
    return this.#placed.endNs[span] ?? Number.NaN
  }
}

const [SUBMIT, WINDOW, COMPUTE, TRANSFER] = (['submit', 'window', 'compute', 'transfer'] as const).map(
  (kind) => SPAN_KINDS.indexOf(kind),
)
const WAITS = activities('await-result', 'await-staging', 'await-batch')
/** The awaits that a cause stands for. */
const AWAITS_OF: Partial<Record<GapCause, Activities>> = {
  'host-waited': activities('await-result'),
  'upload-not-ready': WAITS,
}

/** One number for both: variants are indices into the strings, repeats are counted. */
const REPEATS = 2 ** 24
const keyOf = (variant: number, repeat: number) => variant * REPEATS + repeat

/** Every begin and end in the window once, in order, its own ends among them. */
function cutsOf(
  { startNs, endNs }: Timed,
  submittedNs: Float64Array,
  hosts: number,
  startOf: (index: number) => number,
  endOf: (index: number) => number,
): Float64Array {
  const edges = new Float64Array(2 * hosts + submittedNs.length + 2)
  let length = 0
  const add = (edge: number) => {
    if (edge < startNs || edge > endNs) return
    edges[length] = edge
    length += 1
  }
  add(startNs)
  add(endNs)
  submittedNs.forEach(add)
  for (let index = 0; index < hosts; index += 1) {
    add(startOf(index))
    add(endOf(index))
  }
  return edges
    .subarray(0, length)
    .sort()
    .filter((edge, at, sorted) => at === 0 || edge !== sorted[at - 1])
}

/** Steps as they are found. */
class StepColumns {
  #length = 0
  readonly #startNs: Float64Array
  readonly #endNs: Float64Array
  readonly #span: Int32Array
  readonly #awaited: Uint8Array
  readonly #piece: Int32Array
  readonly #noticeNs: Float64Array
  readonly #submits: Int32Array

  constructor(most: number) {
    this.#startNs = new Float64Array(most)
    this.#endNs = new Float64Array(most)
    this.#span = new Int32Array(most)
    this.#awaited = new Uint8Array(most)
    this.#piece = new Int32Array(most)
    this.#noticeNs = new Float64Array(most)
    this.#submits = new Int32Array(most)
  }

  add(startNs: number, endNs: number, span: number, awaited = 0, piece = -1, pieceEndNs = Number.NaN): void {
    const at = this.#length
    this.#length += 1
    this.#startNs[at] = startNs
    this.#endNs[at] = endNs
    this.#span[at] = span
    this.#awaited[at] = awaited
    this.#piece[at] = piece
    this.#noticeNs[at] = endNs - pieceEndNs
    this.#submits[at] = -1
  }

  submit(atNs: number, piece: number): void {
    this.add(atNs, atNs, -1)
    this.#submits[this.#length - 1] = piece
  }

  done(): { readonly times: StepTimes; readonly steps: HostSteps } {
    const length = this.#length
    const startNs = this.#startNs.subarray(0, length)
    const endNs = this.#endNs.subarray(0, length)
    const awaited = this.#awaited.subarray(0, length)
    return {
      times: { length, startNs, endNs, awaited, span: this.#span.subarray(0, length) },
      steps: {
        length,
        isWait: awaited.map((activity) => (activity === 0 ? 0 : 1)),
        lengthNs: endNs.map((ns, at) => ns - (startNs[at] ?? 0)),
        piece: this.#piece.subarray(0, length),
        noticeNs: this.#noticeNs.subarray(0, length),
        submits: this.#submits.subarray(0, length),
      },
    }
  }
}

function asPieces({ length, submittedNs, startNs, endNs }: PieceTimes): Pieces {
  const before = (at: number) => (at === 0 ? Number.NaN : (endNs[at - 1] ?? Number.NaN))
  return {
    length,
    lengthNs: endNs.map((ns, at) => ns - (startNs[at] ?? 0)),
    latencyNs: startNs.map((ns, at) => ns - (submittedNs[at] ?? 0)),
    switchNs: startNs.map((ns, at) => ns - before(at)),
    isQueued: Uint8Array.from(submittedNs, (ns, at) => (ns <= before(at) ? 1 : 0)),
  }
}

const overhangOf = ({ length, endNs }: PieceTimes, windowEndNs: number): number =>
  Math.max(0, (endNs[length - 1] ?? -Infinity) - windowEndNs)

/** The same repeat with the device's times moved: what the host did, and what it waited for, stays. */
export function shifted(read: RepeatRecipe, shiftNs: number): RepeatRecipe {
  if (shiftNs === 0) return read
  const move = (times: Float64Array) => times.map((ns) => ns + shiftNs)
  const pieces = { ...read.pieces, startNs: move(read.pieces.startNs), endNs: move(read.pieces.endNs) }
  const { steps, lengthNs } = read.recipe
  const noticeNs = steps.noticeNs.map(
    (_, at) => (read.steps.endNs[at] ?? 0) - (pieces.endNs[steps.piece[at] ?? -1] ?? Number.NaN),
  )
  return {
    ...read,
    pieces,
    shiftNs: read.shiftNs + shiftNs,
    recipe: {
      lengthNs,
      steps: { ...steps, noticeNs },
      pieces: asPieces(pieces),
      overhangNs: overhangOf(pieces, read.endNs),
    },
  }
}

/**
 * What goes when a cause goes. host-waited: the awaits of results between the gap's begin and the submit() that ended it.
 * upload-not-ready: those and the awaits of staging buffers and of a loader's batches. host-late: the host's work in that time delays the device no more.
 * launch-overhead, and uploads that were handed over after submit(): the next work begins at once.
 */
export function removalOf(
  { recipe, steps, pieces, pieceOf, shiftNs }: RepeatRecipe,
  submissionOf: (span: number) => number,
  gaps: readonly Gap[],
  cause: GapCause,
): Removal {
  const removal = nothingRemoved(recipe)
  const { waits, hostNs, launches, insideNs } = removal
  const goes = AWAITS_OF[cause]?.mask ?? 0
  for (const gap of gaps) {
    if (gap.cause !== cause) continue
    const submission = submissionOf(gap.after)
    const [index, from] = [pieceOf.get(submission), gap.startNs + shiftNs]
    if (index === undefined) continue
    if (submissionOf(gap.before) === submission) {
      insideNs[index] = (insideNs[index] ?? 0) + (gap.endNs - gap.startNs)
      continue
    }
    const submittedNs = pieces.submittedNs[index] ?? 0
    if (cause === 'launch-overhead' || submittedNs <= from) launches[index] = 1
    for (let at = lowerBound(steps.endNs, from); at < steps.length; at += 1) {
      const startNs = steps.startNs[at] ?? 0
      if (startNs >= submittedNs) break
      const withinNs = Math.min(steps.endNs[at] ?? 0, submittedNs) - Math.max(startNs, from)
      if (!(withinNs > 0)) continue
      if (((steps.awaited[at] ?? 0) & goes) !== 0) waits[at] = 1
      else if (cause === 'host-late' && recipe.steps.isWait[at] === 0)
        hostNs[at] = Math.min(recipe.steps.lengthNs[at] ?? 0, (hostNs[at] ?? 0) + withinNs)
    }
  }
  return removal
}
