/**
 * A recorded page, or a repeat of a run of the lab, as a program (program.ts): its one thread in
 * calls of WebGPU, in waits that held it back, in tasks that the browser reports, and until its
 * next frame or timer. What lies between is unknown, and stays as long as it was.
 */
import { addTo } from '../../base/lists'
import { rowsThat } from '../../trace/columns'
import { lowerBound } from '../../base/search'
import type { PlacedLane, PlacedTrace } from '../../trace/place'
import { FRAME_CALLBACKS, SPAN_KINDS, SPAN_ROLES, spanRoleIndex, TIMER_SUBMITS } from '../../trace/schema'
import { displayPeriodNs, heldWaits } from '../held-waits'
import { activityOf, frameWaits } from '../host-activity'
import type { Cause } from './causes'
import { draftStretches, draftWork, type Draft, type DraftStretch, type DraftWork } from './draft'
import { nest, partsOf, type NestedLane, type Part } from './host-stretches'
import { overlaid } from './host-threads'
import { tieUploads, PageWaits } from './tie-page'
import { programOf, recordedEnds, type ReadProgram } from './read-program'
import { SpanNames } from './span-names'
import type { Steps } from './steps'
import { tieWork } from './tie-work'

const [WAIT, SUBMIT, WINDOW] = (['host-wait', 'submit', 'window'] as const).map((kind) =>
  SPAN_KINDS.indexOf(kind),
)
const COMPUTE = SPAN_KINDS.indexOf('compute')
const HOST_WORK = SPAN_KINDS.indexOf('host-work')
const TASK = spanRoleIndex('task')
const LEAST_FRAMES = 4
/** The last frames of a page: as many tell as much as all. */
const MOST_FRAMES = 64
/** A pause this long ends a turn. */
const NEW_TURN_NS = 1e6
/** Timers are due in steps of 1 ms. */
const TIMER_STEP_NS = 1e6
/** Host time of an awaited promise. */
const CALL_NS = 5_000

/** Of an encoder, its making and its end: these go where one command buffer has all passes. */
const ENCODER_NS = 8_000

/** Code of what no call of WebGPU is. */
export const SCRIPT = 'the page’s script'
/**
 * Calls that a page can do without, each with a gain of its own; others are the way to its work.
 */
export const COSTLY = {
  image: 'copyExternalImageToTexture()',
  compile: 'making pipelines',
  create: 'buffers mapped at creation',
  texture: 'writeTexture()',
  write: 'writeBuffer()',
  fill: 'filling staging buffers',
  read: 'reading mapped buffers',
} as const
/** The calls among these that hold the next pass back. */
const UPLOADS: readonly string[] = ['image', 'compile', 'create', 'texture', 'write', 'fill']
const isCostly = (role: string): role is keyof typeof COSTLY => role in COSTLY
const WAIT_CAUSES: Readonly<Partial<Record<(typeof SPAN_ROLES)[number], Cause>>> = {
  'wait-map': 'read-back',
  'wait-done': 'synchronize',
  'wait-staging': 'copies-in-line',
  'wait-batch': 'data-loading',
}

/** A sentence where it can't be read so. @param device group of its lanes */
export function readPage(placed: PlacedTrace, device: string): ReadProgram | string {
  const isOwnLane = Uint8Array.from(placed.trace.lanes, ({ kind, group }) =>
    Number(kind === 'device' && group === device),
  )
  const { lane } = placed.trace.spans
  return new PageReader(placed, (span) => isOwnLane[lane[span] ?? -1] === 1, null).read()
}

/**
 * One repeat of a run of the lab, which is one step. Whatever the program marks as its own work is
 * host code. @param window the span of the repeat
 */
export function readRepeat(placed: PlacedTrace, window: number): ReadProgram | string {
  const { variant, repeat } = placed.trace.spans
  const isOwn = (span: number) => variant[span] === variant[window] && repeat[span] === repeat[window]
  return new PageReader(placed, isOwn, window).read()
}

class PageReader {
  readonly #placed: PlacedTrace
  readonly #names: SpanNames
  readonly #isOwn: (span: number) => boolean
  /** The span of the one step; null: frames, or all. */
  readonly #window: number | null
  readonly #isHeld: (span: number) => boolean
  readonly #chains: string[][] = []

  constructor(placed: PlacedTrace, isOwn: (span: number) => boolean, window: number | null) {
    this.#placed = placed
    this.#names = new SpanNames(placed.trace)
    this.#isHeld = heldWaits(placed.trace)
    this.#isOwn = isOwn
    this.#window = window
  }

  read(): ReadProgram | string {
    const { trace, startNs, endNs } = this.#placed
    const { spans } = trace
    const callOf = new Map<number, number>()
    const work: number[] = []
    for (let span = 0; span < spans.length; span += 1) {
      if (spans.kind[span] === SUBMIT) callOf.set(spans.submission[span] ?? -1, span)
      if (spans.kind[span] !== COMPUTE || !this.#isOwn(span)) continue
      if (Number.isNaN(startNs[span] ?? Number.NaN)) return 'The GPU’s clock could not be tied to the host’s.'
      work.push(span)
    }
    const workOfCall = new Map<number, number[]>()
    for (const span of work.sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))) {
      const call = callOf.get(spans.submission[span] ?? -1)
      if (call === undefined) continue
      addTo(workOfCall, call, span)
    }
    const calls = [...workOfCall.keys()].sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
    const [first = -1] = calls
    if (calls.length < 2) return 'Too little was submitted.'
    const lane = spans.lane[first] ?? -1
    const endOfWorkNs = work.reduce((last, span) => Math.max(last, endNs[span] ?? 0), 0)
    const steps = this.#window === null ? this.#steps(lane, calls, endOfWorkNs) : this.#oneStep(this.#window)
    if (this.#window === null) this.#addUploads(workOfCall, lane, steps.edgesNs)
    const draft = this.#draft(lane, steps.edgesNs, workOfCall)
    if (this.#window !== null && draft.work.length < work.length)
      return 'Some of its work was submitted outside of the repeat, or by another thread.'
    if (this.#window === null) this.#tieUploads(draft, steps.edgesNs)
    else tieWork(draft)
    this.#classify(draft, lane)
    const isLoop = this.#window === null && steps.from === 'extent'
    return {
      program: programOf(draft, { stretches: draft.stretches, chains: this.#chains }),
      steps,
      stepCount: steps.from === 'frames' ? this.#frames(lane).length : 1,
      profilerNs: 0,
      recordedEndsNs: isLoop ? [(steps.edgesNs[1] ?? 0) - (steps.edgesNs[0] ?? 0)] : recordedEnds(draft),
      unlinkedShare: 0,
      problem: '',
    }
  }

  /** Calls that the GPU process has to do with are work, too. */
  #addUploads(workOfCall: Map<number, number[]>, lane: number, [fromNs = 0]: readonly number[]): void {
    const { spans } = this.#placed.trace
    const isUpload = (span: number) => UPLOADS.includes(SPAN_ROLES[spans.role[span] ?? 0] ?? 'none')
    for (const span of this.#ownSpans(lane, isUpload))
      if ((spans.start[span] ?? 0) >= fromNs) workOfCall.set(span, [span])
  }

  #tieUploads({ work, workOfCall }: Draft, [fromNs = 0]: readonly number[]): void {
    const { trace, endNs } = this.#placed
    const { role, start } = trace.spans
    let freeNs = -Infinity
    for (const [call, passes] of workOfCall)
      if ((start[call] ?? 0) < fromNs) freeNs = Math.max(freeNs, endNs[passes.at(-1) ?? -1] ?? 0)
    const roleOf = ({ span }: DraftWork) => SPAN_ROLES[role[span] ?? 0] ?? 'none'
    for (const each of work) {
      const of = roleOf(each)
      if (isCostly(of)) each.code = this.#codeOf(COSTLY[of])
    }
    tieUploads(work, freeNs, (each) => roleOf(each) === 'compile')
  }

  #ownSpans(lane: number, isOf: (span: number) => boolean): readonly number[] {
    const { spans } = this.#placed.trace
    return rowsThat(spans.length, (span) => spans.lane[span] === lane && isOf(span)).toSorted(
      (a, b) => (spans.start[a] ?? 0) - (spans.start[b] ?? 0),
    )
  }

  /** Frames that submit. */
  #frames(lane: number): readonly number[] {
    const { spans } = this.#placed.trace
    const submitting = new Set<number>()
    for (const span of this.#ownSpans(lane, (at) => spans.kind[at] === SUBMIT))
      submitting.add(spans.repeat[span] ?? -1)
    return this.#ownSpans(
      lane,
      (span) => spans.kind[span] === WINDOW && submitting.has(spans.repeat[span] ?? -1),
    )
  }

  /**
   * Frames, where most submissions are made in some; else all from the first result on, or the
   * first submission, is one step.
   */
  #steps(lane: number, calls: readonly number[], endNs: number): Steps {
    const { spans } = this.#placed.trace
    const frames = this.#frames(lane)
    const numbers = new Set(frames.map((span) => spans.repeat[span] ?? -1))
    const inFrames = calls.filter((call) => numbers.has(spans.repeat[call] ?? -1)).length
    if (frames.length >= LEAST_FRAMES && inFrames * 2 >= calls.length) {
      // The first makes what the others use, and what the last one held back is not recorded.
      const chosen = frames.slice(Math.max(1, frames.length - MOST_FRAMES))
      return { from: 'frames', edgesNs: chosen.map((span) => spans.start[span] ?? 0), lane }
    }
    // Earlier work only prepares.
    const resultNs = this.#ownSpans(lane, (span) => spans.kind[span] === WAIT).reduce(
      (least, span) => Math.min(least, spans.end[span] ?? Infinity),
      Infinity,
    )
    const after = calls.filter((call) => (spans.start[call] ?? 0) >= resultNs).length
    const begin = after > 1 ? resultNs : (spans.start[calls[0] ?? -1] ?? 0)
    // As much of the device's work is still to be done at its last wait as at its first result.
    const heldNs = this.#ownSpans(lane, (span) => spans.kind[span] === WAIT && this.#isHeld(span)).reduce(
      (last, span) => Math.max(last, spans.end[span] ?? 0),
      begin,
    )
    const within = calls.filter(
      (call) => (spans.start[call] ?? 0) >= begin && (spans.start[call] ?? 0) < heldNs,
    )
    if (within.length > 1) return { from: 'extent', edgesNs: [begin, heldNs], lane }
    const submits = this.#ownSpans(lane, (span) => spans.kind[span] === SUBMIT)
    const end = submits.reduce((last, span) => Math.max(last, spans.end[span] ?? 0), endNs)
    return { from: 'extent', edgesNs: [begin, end], lane }
  }

  #oneStep(window: number): Steps {
    const { lane, start, end } = this.#placed.trace.spans
    return { from: 'extent', edgesNs: [start[window] ?? 0, end[window] ?? 0], lane: lane[window] ?? -1 }
  }

  #draft(lane: number, edgesNs: readonly number[], workOfCall: ReadonlyMap<number, number[]>): Draft {
    const { trace } = this.#placed
    const { spans } = trace
    const [fromNs, toNs] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    const isCall = (span: number) => spans.kind[span] !== WAIT && activityOf(spans, span) !== null
    // A long frame's scripts lie in its tasks, and are reported apart.
    const tasks = rowsThat(spans.length, (span) => spans.role[span] === TASK).toSorted(
      (a, b) => (spans.start[a] ?? 0) - (spans.start[b] ?? 0) || (spans.end[b] ?? 0) - (spans.end[a] ?? 0),
    )
    const within = (span: readonly number[]) => partsOf(this.#lane(span), fromNs, toNs)
    let parts: readonly Part[] = within([])
    const layers = [
      tasks,
      this.#ownSpans(lane, (span) => spans.kind[span] === WAIT && this.#isHeld(span)),
      this.#ownSpans(lane, isCall),
    ]
    const [ofTasks, ...others] = layers.map((layer) => within(layer).filter(({ at }) => at >= 0))
    parts = overlaid(parts, ofTasks ?? [])
    parts = overlaid(parts, this.#callbacks(lane, fromNs, toNs))
    for (const layer of others) parts = overlaid(parts, layer)
    parts = overlaid(parts, this.#instants(workOfCall))
    const timersNs = [...(trace.counters.find(({ name }) => name === TIMER_SUBMITS)?.timeNs ?? [])]
    const encoders = this.#ownSpans(lane, (span) => SPAN_ROLES[spans.role[span] ?? 0] === 'encode')
    const encodersNs = encoders.map((span) => (spans.start[span] ?? 0) + ENCODER_NS)
    const stretches = draftStretches([parts], [...edgesNs, ...timersNs, ...encodersNs], [])
    const drafted = draftWork(this.#placed, this.#names, workOfCall, stretches)
    const [placed, names] = [this.#placed, this.#names]
    const none = { once: [], backlogEndNs: -Infinity }
    return {
      placed,
      names,
      workOfCall,
      edgesNs,
      ...none,
      threads: 1,
      bareThreads: new Set<number>(),
      stretches,
      ...drafted,
    }
  }

  #lane(span: readonly number[]): NestedLane {
    const { spans } = this.#placed.trace
    const startNs = Float64Array.from(span, (at) => spans.start[at] ?? 0)
    const endNs = Float64Array.from(span, (at) => spans.end[at] ?? 0)
    const lane = { lane: 0, length: span.length, span: Uint32Array.from(span), startNs, endNs }
    return nest({ ...lane, maxEndNs: endNs } satisfies PlacedLane)
  }

  /** Submissions within one step of the host's clock. */
  #instants(workOfCall: ReadonlyMap<number, number[]>): readonly Part[] {
    const { start, end } = this.#placed.trace.spans
    const lane = this.#lane([...workOfCall.keys()].filter((call) => start[call] === end[call]))
    return Array.from(lane.startNs, (startNs, at) => ({ lane, startNs, endNs: startNs, at }))
  }

  /** Work of frame callbacks beside calls of WebGPU. */
  #callbacks(lane: number, fromNs: number, toNs: number): Part[] {
    const { counters } = this.#placed.trace
    const counter = counters.find((each) => each.name === FRAME_CALLBACKS && each.lane === lane)
    const code = this.#lane([])
    return [...(counter?.timeNs ?? [])].flatMap((startNs, index) => {
      const endNs = Math.min(toNs, startNs + (counter?.value[index] ?? 0))
      return startNs < fromNs || endNs <= startNs ? [] : [{ lane: code, startNs, endNs, at: CALLBACK }]
    })
  }

  #classify(draft: Draft, lane: number): void {
    const { stretches, work, placed } = draft
    const { spans } = placed.trace
    const waits = new PageWaits(draft)
    let hasSubmitted = false
    const lastCallNs = work.findLast(({ code }) => code < 0)?.callNs ?? 0
    for (const [index, stretch] of stretches.entries()) {
      const { span, at, startNs, endNs, lengthNs } = stretch
      const role = SPAN_ROLES[spans.role[span] ?? 0] ?? 'none'
      if (at === CALLBACK || role === 'task') {
        stretch.cause = 'host-code'
        stretch.code = this.#codeOf(SCRIPT)
      } else if (span < 0) {
        stretch.cause = 'unknown'
        if (lengthNs > NEW_TURN_NS) hasSubmitted = false
      } else if (spans.kind[span] === WAIT) {
        // The wait that closes a repeat stays.
        const stays = this.#window !== null && startNs >= lastCallNs
        stretch.cause = stays ? null : (WAIT_CAUSES[role] ?? 'synchronize')
        stretch.isRead = !stays && role === 'wait-map'
        hasSubmitted = false
        const awaited = waits.of(spans.submission[span] ?? -1, endNs)
        if (!awaited) continue
        // A wait that other calls interrupt ends with its last part. A task's edge cuts it, too.
        if (endNs < (spans.end[span] ?? 0)) {
          if (stretches[index + 1]?.span === span) stretch.lengthNs = 0
          continue
        }
        Object.assign(stretch, awaited)
        stretch.lengthNs = Math.min(stretch.lengthNs, CALL_NS)
      } else {
        // The first submission of a turn is the way to its work, and so is what is encoded; others
        // could be in it.
        const isFirst = startNs === spans.start[span]
        const isSubmit = role === 'submit' && isFirst
        const before = stretches[index - 1]
        if (hasSubmitted && (isSubmit || (role === 'encode' && isFirst))) stretch.cause = 'dispatch'
        // A submission that is cut goes whole.
        else if (role === 'submit' && before?.span === span) stretch.cause = before.cause
        if (stretch.cause === 'dispatch' && before && isBetweenCalls(before, stretches[index - 2]))
          Object.assign(before, { cause: 'dispatch', code: -1 })
        if (isSubmit) hasSubmitted = true
        if (isCostly(role)) stretch.code = this.#codeOf(COSTLY[role])
        else if (spans.kind[span] !== HOST_WORK || this.#window === null) continue
        stretch.cause = 'host-code'
      }
    }
    if (this.#window === null) this.#pace(stretches, lane)
  }

  #codeOf(name: string): number {
    const at = this.#chains.findIndex(([known]) => known === name)
    return at >= 0 ? at : this.#chains.push([name]) - 1
  }

  /**
   * Frames begin at the display's pace, and timers when they are due, however early the page is
   * done.
   */
  #pace(stretches: readonly DraftStretch[], lane: number): void {
    const { trace } = this.#placed
    const { spans, counters } = trace
    const windows = this.#ownSpans(lane, (span) => spans.kind[span] === WINDOW)
    const waits = frameWaits(this.#placed, lane, this.#isHeld)
    const intervals = windows.map((span) => (spans.end[span] ?? 0) - (spans.start[span] ?? 0))
    const periodNs = displayPeriodNs(intervals)
    const ends = Float64Array.from(stretches, ({ endNs }) => endNs)
    const stretchUntil = (timeNs: number) => {
      const at = lowerBound(ends, timeNs)
      return ends[at] === timeNs ? stretches[at] : undefined
    }
    for (const [index, window] of windows.entries()) {
      const [startNs, lengthNs] = [spans.start[window] ?? 0, intervals[index] ?? 0]
      const last = stretchUntil(startNs + lengthNs)
      if (!last) continue
      const idleNs = waits.totalWithin(startNs, startNs + lengthNs)
      const periods = Math.max(1, Math.round(lengthNs / periodNs))
      // It missed so many for what it did itself, and not for the browser’s or the GPU’s sake.
      const isLate = lengthNs - idleNs > (lengthNs * (periods - 1)) / periods
      last.everyNs = isLate ? lengthNs / periods : lengthNs
      if (last.cause !== 'unknown') continue
      last.cause = null
      last.lengthNs = 0
    }
    const timers = counters.find((each) => each.name === TIMER_SUBMITS && each.lane === lane)
    for (const [index, timeNs] of [...(timers?.timeNs ?? [])].entries()) {
      const last = stretchUntil(timeNs)
      const beforeNs = timers?.timeNs[index - 1]
      if (!last || beforeNs === undefined || last.everyNs > 0) continue
      // One that was set after the work of the one before it comes sooner where that does.
      if (timeNs - (timers?.value[index] ?? 0) > beforeNs + TIMER_STEP_NS) continue
      last.everyNs = timeNs - beforeNs
      last.isTimer = true
      if (last.cause === 'unknown' && beforeNs >= (stretches[0]?.startNs ?? 0)) last.lengthNs = 0
    }
  }
}

/** The script around each of many calls goes with the calls. */
const isBetweenCalls = ({ span, code, lengthNs }: DraftStretch, before: DraftStretch | undefined): boolean =>
  code >= 0 && span !== before?.span && before?.cause === 'dispatch' && lengthNs <= BETWEEN_CALLS_NS
/** Chosen: on an H200's host nine of ten such stretches between submissions in a row took less. */
const BETWEEN_CALLS_NS = 15_000

/** In place of a position: a callback of a frame, which is no span. */
const CALLBACK = -2
