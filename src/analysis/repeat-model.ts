/**
 * A repeat read off a placed trace as a model that can be replayed (replay.ts), and which parts of it a cause of idle time stands for.
 * The host's window is cut at every begin and end of a span and every submit(), so that each step is of one sort. Times in host ns.
 */
import { lowerBound } from '../base/search'
import type { Gap, GapCause } from '../trace/gaps'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import { FLOW_KINDS, SPAN_KINDS } from '../trace/schema'
import { activities, activityBit, type Activities } from './host-activity'
import { nothingRemoved, type DeviceWork, type HostStep, type Removal, type ReplayModel } from './replay'

interface Timed {
  readonly startNs: number
  readonly endNs: number
}

/** One submission on the device. */
interface Submitted extends Timed {
  readonly submission: number
  /** Its longest pass or copy. */
  readonly span: number
  readonly submittedNs: number
}
type RepeatWork = Submitted & DeviceWork

export interface RepeatStep extends Timed, HostStep {
  /** -1: JavaScript between recorded steps. */
  readonly span: number
  /** Of a wait: what was awaited, as one of `activities`; 0 otherwise. */
  readonly awaited: number
}

/** The device's times may be moved by `shiftNs`, within what the clock fit allows. */
export interface RepeatModel extends ReplayModel {
  /** Of the host's window. */
  readonly endNs: number
  readonly steps: readonly RepeatStep[]
  readonly work: readonly RepeatWork[]
  /** Submission -> index of its work. */
  readonly workOf: ReadonlyMap<number, number>
  readonly shiftNs: number
}

/** Spans of a trace by what a model asks for; made once for all repeats. */
export class RepeatReader {
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
  read(variant: number, repeat: number): RepeatModel | string {
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
    const submitted = this.#submitted(work)
    if (!submitted) return 'A pass has no recorded submit(), so what it waited for is not known.'
    const bounds = { startNs: this.#start(window), endNs: this.#end(window) }
    if (submitted.some(({ submittedNs: ns }) => ns < bounds.startNs || ns > bounds.endNs))
      return 'Some of its work was submitted outside of the repeat.'
    const workOf = new Map(submitted.map(({ submission }, index) => [submission, index]))
    return {
      endNs: bounds.endNs,
      workOf,
      shiftNs: 0,
      lengthNs: bounds.endNs - bounds.startNs,
      steps: this.#steps(lane[window] ?? -1, bounds, submitted, workOf),
      work: withCosts(submitted),
      overhangNs: overhangOf(submitted, bounds.endNs),
    }
  }

  /** In the order of submission. Null where a submit() is missing. */
  #submitted(work: readonly number[]): readonly Submitted[] | null {
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
    const submitted: Submitted[] = []
    for (const [id, times] of bySubmission) {
      const submitSpan = this.#submits.get(id)
      if (id < 0 || submitSpan === undefined) return null
      submitted.push({ ...times, submission: id, submittedNs: this.#end(submitSpan) })
    }
    return submitted.sort((a, b) => a.submittedNs - b.submittedNs || a.submission - b.submission)
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
    submitted: readonly Submitted[],
    workOf: ReadonlyMap<number, number>,
  ): readonly RepeatStep[] {
    const { spans } = this.#placed.trace
    const lane = this.#placed.lanes.find((each) => each.lane === hostLane)
    const host = lane ? this.#within(lane, bounds) : new Int32Array()
    const startOf = (index: number): number => lane?.startNs[host[index] ?? -1] ?? Infinity
    const endOf = (index: number): number => lane?.endNs[host[index] ?? -1] ?? -Infinity
    const spanOf = (index: number): number => lane?.span[host[index] ?? -1] ?? -1
    const activityOf = (index: number): number => activityBit(spans, spanOf(index))
    const cuts = cutsOf(bounds, submitted, host.length, startOf, endOf)
    const steps: RepeatStep[] = []
    let [nextWork, nextHost] = [0, 0]
    let open: number[] = []
    for (let cut = 1; cut < cuts.length; cut += 1) {
      const [startNs, endNs] = [cuts[cut - 1] ?? 0, cuts[cut] ?? 0]
      while (startOf(nextHost) <= startNs) {
        open.push(nextHost)
        nextHost += 1
      }
      if (open.some((index) => endOf(index) <= startNs)) open = open.filter((index) => endOf(index) > startNs)
      const isWaiting = open.length > 0 && open.every((index) => (activityOf(index) & WAITS.mask) !== 0)
      // A wait that another continuation broke in upon ends by what nobody recorded: it takes its time.
      const wait = isWaiting ? open.find((index) => endOf(index) === endNs) : undefined
      if (wait === undefined) steps.push(stepOf({ startNs, endNs }, spanOf(open.at(-1) ?? -1)))
      else {
        const span = spanOf(wait)
        const heard = workOf.get(this.#heardOf.get(span) ?? spans.submission[span] ?? -1) ?? -1
        steps.push(waitOf({ startNs, endNs, span }, activityOf(wait), heard, submitted[heard]?.endNs))
      }
      // Several submit() may end within one step of the clock: each hands over its work, in turn.
      for (; (submitted[nextWork]?.submittedNs ?? Infinity) <= endNs; nextWork += 1)
        steps.push(stepOf({ startNs: endNs, endNs }, -1, nextWork))
    }
    return steps
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
  submitted: readonly Submitted[],
  hosts: number,
  startOf: (index: number) => number,
  endOf: (index: number) => number,
): Float64Array {
  const edges = new Float64Array(2 * hosts + submitted.length + 2)
  let length = 0
  const add = (edge: number) => {
    if (edge < startNs || edge > endNs) return
    edges[length] = edge
    length += 1
  }
  add(startNs)
  add(endNs)
  for (const { submittedNs } of submitted) add(submittedNs)
  for (let index = 0; index < hosts; index += 1) {
    add(startOf(index))
    add(endOf(index))
  }
  return edges
    .subarray(0, length)
    .sort()
    .filter((edge, at, sorted) => at === 0 || edge !== sorted[at - 1])
}

const stepOf = ({ startNs, endNs }: Timed, span: number, submits = -1): RepeatStep => ({
  startNs,
  endNs,
  span,
  lengthNs: endNs - startNs,
  isWait: false,
  awaited: 0,
  heard: -1,
  completionLatencyNs: Number.NaN,
  submits,
})

const waitOf = (
  { startNs, endNs, span }: Timed & Pick<RepeatStep, 'span'>,
  awaited: number,
  heard: number,
  heardEndNs = Number.NaN,
): RepeatStep => ({
  startNs,
  endNs,
  span,
  lengthNs: endNs - startNs,
  isWait: true,
  awaited,
  heard,
  completionLatencyNs: endNs - heardEndNs,
  submits: -1,
})

/** Literals of all members, here and below: to spread 10^4 objects takes longer than to replay them. */
function withCosts(submitted: readonly Submitted[], shiftNs = 0): readonly RepeatWork[] {
  let beforeNs = Number.NaN
  return submitted.map((own) => {
    const { submission, span, submittedNs } = own
    const [startNs, endNs] = [own.startNs + shiftNs, own.endNs + shiftNs]
    const work = {
      submission,
      span,
      submittedNs,
      startNs,
      endNs,
      lengthNs: endNs - startNs,
      latencyNs: startNs - submittedNs,
      switchNs: startNs - beforeNs,
      isQueued: submittedNs <= beforeNs,
    }
    beforeNs = endNs
    return work
  })
}

const overhangOf = (submitted: readonly Submitted[], windowEndNs: number): number =>
  Math.max(0, (submitted.at(-1)?.endNs ?? -Infinity) - windowEndNs)

/** The same repeat with the device's times moved: what the host did, and what it waited for, stays. */
export function shifted(model: RepeatModel, shiftNs: number): RepeatModel {
  if (shiftNs === 0) return model
  const work = withCosts(model.work, shiftNs)
  return {
    ...model,
    work,
    steps: model.steps.map((step) => {
      const heard = work[step.heard]
      return heard ? waitOf(step, step.awaited, step.heard, heard.endNs) : step
    }),
    shiftNs: model.shiftNs + shiftNs,
    overhangNs: overhangOf(work, model.endNs),
  }
}

/**
 * What goes when a cause goes. host-waited: the awaits of results between the gap's begin and the submit() that ended it.
 * upload-not-ready: those and the awaits of staging buffers and of a loader's batches. host-late: the host's work in that time delays the device no more.
 * launch-overhead, and uploads that were handed over after submit(): the next work begins at once.
 */
export function removalOf(
  { steps, work, workOf, shiftNs }: RepeatModel,
  submissionOf: (span: number) => number,
  gaps: readonly Gap[],
  cause: GapCause,
): Removal {
  const removal = nothingRemoved()
  const { waits, hostNs, launches, insideNs } = removal
  const goes = AWAITS_OF[cause]?.mask ?? 0
  const ends = Float64Array.from(steps, ({ endNs }) => endNs)
  for (const gap of gaps) {
    if (gap.cause !== cause) continue
    const submission = submissionOf(gap.after)
    const [index, from] = [workOf.get(submission), gap.startNs + shiftNs]
    if (index === undefined) continue
    if (submissionOf(gap.before) === submission) {
      insideNs.set(index, (insideNs.get(index) ?? 0) + (gap.endNs - gap.startNs))
      continue
    }
    const submittedNs = work[index]?.submittedNs ?? 0
    if (cause === 'launch-overhead' || submittedNs <= from) launches.add(index)
    for (let at = lowerBound(ends, from); at < steps.length; at += 1) {
      const { startNs = Infinity, endNs = 0, lengthNs = 0, awaited = 0, isWait } = steps[at] ?? {}
      if (startNs >= submittedNs) break
      const withinNs = Math.min(endNs, submittedNs) - Math.max(startNs, from)
      if (!(withinNs > 0)) continue
      if ((awaited & goes) !== 0) waits.add(at)
      else if (cause === 'host-late' && isWait === false)
        hostNs.set(at, Math.min(lengthNs, (hostNs.get(at) ?? 0) + withinNs))
    }
  }
  return removal
}
