/**
 * Figures of a recorded page: what a frame of it does, and what it does once. Frames are the
 * windows from one turn of `requestAnimationFrame` to the next, of those that submit; a figure a
 * frame is their median, since the first one makes what the others use.
 */
import {
  COMPUTE_PASSES,
  RENDER_PASSES,
  SPAN_KINDS,
  SPAN_ROLES,
  spanKindIndex,
  spanRoleIndex,
  type Trace,
} from '../trace/schema'
import { rowsThat } from '../trace/columns'
import { median } from '../base/stats'
import { heldWaits } from './held-waits'

interface Frame {
  readonly startNs: number
  readonly lengthNs: number
  submits: number
  passes: number
}

/** How a figure is found: once a frame, of which it is the median, or of the whole recording. */
type Found =
  | { readonly frame: (frame: Frame) => number }
  | { readonly counter: string }
  | { readonly of: 'whole' }
/** `calls`: those behind it, as the recorder names their places; left out: as the counter. */
type Figure = Found & { readonly calls?: string }

/** By the names of `--fail-if`. */
const FIGURES = {
  submitsPerFrame: { frame: ({ submits }) => submits, calls: 'submit' },
  passesPerFrame: { frame: ({ passes }) => passes, calls: 'encode' },
  drawsPerFrame: { counter: 'draws' },
  writesPerFrame: { counter: 'writeBuffer calls', calls: 'write' },
  smallWritesPerFrame: { counter: 'writeBuffer calls up to 256 bytes' },
  bytesWrittenPerFrame: { counter: 'writeBuffer bytes', calls: 'write' },
  buffersMadePerFrame: { counter: 'buffers made' },
  buffersDestroyedPerFrame: { counter: 'buffers destroyed' },
  texturesMadePerFrame: { counter: 'textures made' },
  texturesDestroyedPerFrame: { counter: 'textures destroyed' },
  bindGroupsMadePerFrame: { counter: 'bind groups made' },
  imagesPerFrame: { counter: 'copyExternalImageToTexture calls', calls: 'image' },
  imageBytesPerFrame: { counter: 'copyExternalImageToTexture bytes', calls: 'image' },
  emptySubmitsPerFrame: { counter: 'empty submits' },
  frameMs: { frame: ({ lengthNs }) => lengthNs / 1e6 },
  /** In a page without frames. */
  submitsPerWait: { of: 'whole', calls: 'submit' },
  pipelinesInFrames: { of: 'whole', calls: 'pipelines made' },
  readbacksAwaitedAtOnce: { of: 'whole', calls: 'wait-map' },
} as const satisfies Readonly<Record<string, Figure>>
export type PageFigure = keyof typeof FIGURES
const figureOf = (name: PageFigure): Figure => FIGURES[name]
export const PAGE_FIGURES = Object.keys(FIGURES) as readonly PageFigure[] // of all

/** The calls behind a figure, as the recorder names their places. */
export function callsOf(name: PageFigure): string | undefined {
  const figure = figureOf(name)
  return figure.calls ?? ('counter' in figure ? figure.counter : undefined)
}

export interface PageFigures {
  /**
   * Null: there is no frame to count in; of a page without frames, no submit after its first
   * result.
   */
  readonly values: Readonly<Record<PageFigure, number | null>>
  /** Windows, those without a submit too. */
  readonly windowsNs: readonly number[]
  /** That submit. */
  readonly frames: number
  /** Frames in which something was counted at all, and the sum over them. */
  readonly seen: (figure: PageFigure) => { readonly frames: number; readonly sum: number }
  /** Frames that make a pipeline after the first submit: how many, and the longest, ns. */
  readonly stalls: { readonly frames: number; readonly longestNs: number }
  /** Null: nothing was submitted. */
  readonly startup: Startup | null
  /** The readbacks that were awaited at once, ns. */
  readonly readbacksNs: number
  /** The run of a page without frames; null: it has some, or submitted once. */
  readonly run: Run | null
}

/** How a page began, beside how it went on. */
export interface Startup {
  /**
   * The first frame that submits, or until the first submission was complete where that is longer,
   * ns.
   */
  readonly firstNs: number
  /** Median of all frames that submit, or of all submissions where there are none, ns. */
  readonly medianNs: number
  /** Made synchronously until then. */
  readonly pipelines: number
  /** Time in these calls, ns. */
  readonly callsNs: number
}

function startupOf(trace: Trace, frames: readonly Frame[]): Startup | null {
  const { spans } = trace
  const lengthOf = (span: number) => (spans.end[span] ?? 0) - (spans.start[span] ?? 0)
  const queued = rowsThat(spans.length, (span) => spans.kind[span] === spanKindIndex('queued'))
  const [first] = queued
  if (first === undefined) return null
  const compiling = rowsThat(
    spans.length,
    (span) =>
      spans.kind[span] === spanKindIndex('host-work') &&
      spans.role[span] === spanRoleIndex('compile') &&
      (spans.start[span] ?? 0) < (spans.start[first] ?? 0),
  )
  const framesNs = frames.map(({ lengthNs }) => lengthNs)
  return {
    firstNs: Math.max(framesNs[0] ?? 0, lengthOf(first)),
    medianNs: median(framesNs.length > 0 ? framesNs : queued.map(lengthOf)),
    pipelines: compiling.length,
    callsNs: compiling.reduce((sum, span) => sum + lengthOf(span), 0),
  }
}

export function pageFigures(trace: Trace): PageFigures {
  const { spans } = trace
  const all = new Map<number, Frame>()
  const roleOf = (span: number) => SPAN_ROLES[spans.role[span] ?? 0] ?? 'none'
  let firstSubmitNs = Infinity
  for (let span = 0; span < spans.length; span += 1) {
    const [start, end] = [spans.start[span] ?? 0, spans.end[span] ?? 0]
    if (SPAN_KINDS[spans.kind[span] ?? 0] === 'window')
      all.set(spans.repeat[span] ?? -1, { startNs: start, lengthNs: end - start, submits: 0, passes: 0 })
    if (roleOf(span) === 'submit') firstSubmitNs = Math.min(firstSubmitNs, start)
  }
  for (let span = 0; span < spans.length; span += 1) {
    const role = roleOf(span)
    const frame = all.get(spans.repeat[span] ?? -1)
    if (!frame) continue
    if (role === 'submit') frame.submits += 1
    if (role === 'pass' || role === 'render-pass') frame.passes += 1
  }
  const windows = [...all.values()]
  const countersOf = new Map(trace.counters.map((counter) => [counter.name, samplesOf(counter)]))
  // Older recordings have only those with timestamps.
  const begun = [COMPUTE_PASSES, RENDER_PASSES].flatMap((name) => countersOf.get(name) ?? [])
  if (begun.length > 0)
    for (const frame of windows)
      frame.passes = begun.reduce((sum, samples) => sum + (samples.get(frame.startNs) ?? 0), 0)
  const frames = windows.filter(({ submits }) => submits > 0)
  const inFrames = (name: PageFigure): readonly number[] => {
    const figure = figureOf(name)
    if ('frame' in figure) return frames.map((frame) => figure.frame(frame))
    if (!('counter' in figure)) return []
    const samples = countersOf.get(figure.counter)
    return frames.map((frame) => samples?.get(frame.startNs) ?? 0)
  }
  const made = (frame: Frame) => countersOf.get('pipelines made')?.get(frame.startNs) ?? 0
  const later = frames.filter((frame) => frame.startNs > firstSubmitNs && made(frame) > 0)
  const readbacks = readbacksAwaitedAtOnce(trace)
  const run = frames.length > 0 ? null : runOf(trace)
  const medians = PAGE_FIGURES.map((name) => {
    const values = inFrames(name)
    return [name, values.length > 0 ? median(values) : null] as const
  })
  return {
    values: {
      ...(Object.fromEntries(medians) as Record<PageFigure, number | null>), // of all
      submitsPerWait: run && run.waits > 0 ? run.submits / run.waits : null,
      pipelinesInFrames: frames.length > 0 ? later.reduce((sum, frame) => sum + made(frame), 0) : null,
      readbacksAwaitedAtOnce: readbacks.length,
    },
    windowsNs: windows.map(({ lengthNs }) => lengthNs),
    frames: frames.length,
    seen: (figure) => {
      const values = inFrames(figure).filter((value) => value > 0)
      return { frames: values.length, sum: values.reduce((sum, value) => sum + value, 0) }
    },
    stalls: {
      frames: later.length,
      longestNs: later.reduce((longest, { lengthNs }) => Math.max(longest, lengthNs), 0),
    },
    startup: startupOf(trace, frames),
    readbacksNs: readbacks.reduce((sum, span) => sum + (spans.end[span] ?? 0) - (spans.start[span] ?? 0), 0),
    run,
  }
}

/**
 * A page without frames at its work: after its first result, or after its first submit where hardly
 * any follow that.
 */
interface Run {
  readonly lengthNs: number
  readonly submits: number
  readonly waits: number
  /** The host waited for so long of it. */
  readonly waitedNs: number
  /** The part of these waits that is for the queue to be empty. */
  readonly queueWaits: { readonly count: number; readonly ns: number }
}

function runOf(trace: Trace): Run | null {
  const { spans } = trace
  const isHeld = heldWaits(trace)
  const of = (kind: (typeof SPAN_KINDS)[number]) => {
    const code = spanKindIndex(kind)
    return rowsThat(spans.length, (span) => spans.kind[span] === code).map((span) => ({
      span,
      role: SPAN_ROLES[spans.role[span] ?? 0],
      startNs: spans.start[span] ?? 0,
      endNs: spans.end[span] ?? 0,
    }))
  }
  // Submits without work are calls, too.
  const submits = of('submit')
  const waits = of('host-wait').filter(({ span }) => (spans.submission[span] ?? -1) >= 0)
  const firstNs = (all: typeof submits) => all.reduce((first, { endNs }) => Math.min(first, endNs), Infinity)
  const [submittedNs, resultNs] = [firstNs(submits), firstNs(waits)]
  const later = submits.filter(({ startNs }) => startNs >= resultNs)
  const afterResult = later.length > 1
  const startNs = afterResult ? resultNs : submittedNs
  const inRun = afterResult ? later : submits.slice(1)
  const waited = waits.filter((wait) => wait.endNs > startNs)
  const endNs = [...inRun, ...waited].reduce((last, each) => Math.max(last, each.endNs), startNs)
  if (inRun.length === 0 || endNs === startNs) return null
  const nsOf = (some: typeof waits) =>
    some.reduce((sum, wait) => sum + wait.endNs - Math.max(startNs, wait.startNs), 0)
  const queueWaits = waited.filter(({ role, span }) => role === 'wait-done' && isHeld(span))
  return {
    lengthNs: endNs - startNs,
    submits: inRun.length,
    waits: waited.length,
    waitedNs: nsOf(waited),
    queueWaits: { count: queueWaits.length, ns: nsOf(queueWaits) },
  }
}

/** By the beginning of the frame that a sample is of (recorder/counts.ts). */
const samplesOf = ({ timeNs, value }: Trace['counters'][number]): ReadonlyMap<number, number> =>
  new Map(Array.from(timeNs, (at, index) => [at, value[index] ?? 0]))

/**
 * Waits for a readback of the newest submission that held the next one back: nothing was queued
 * behind it.
 */
function readbacksAwaitedAtOnce(trace: Trace): readonly number[] {
  const { spans } = trace
  const isHeld = heldWaits(trace)
  const [submit, wait] = [spanRoleIndex('submit'), spanRoleIndex('wait-map')]
  const calls = rowsThat(
    spans.length,
    (span) => spans.role[span] === submit || spans.role[span] === wait,
  ).toSorted((a, b) => (spans.start[a] ?? 0) - (spans.start[b] ?? 0) || a - b)
  let newest = -1
  return calls.filter((span) => {
    const submission = spans.submission[span] ?? -1
    if (spans.role[span] === wait) return submission >= 0 && submission === newest && isHeld(span)
    newest = submission
    return false
  })
}
