/**
 * Reads submissions and waits of one run from the recorder's trace, in order. Host times in ns
 * since the trace's origin.
 */
import { SPAN_KINDS, SPAN_ROLES, type SpanRole, type Trace } from '../trace/schema'
import type { ProgramRun } from './types'

type Named = Pick<ProgramRun, 'name' | 'repeat'>

/** Spans of one run, by start. */
export interface RunSpan {
  readonly role: SpanRole
  readonly name: string
  readonly startNs: number
  readonly endNs: number
  /** -1 none. */
  readonly submission: number
  readonly bytes: number
  /** Line of the program, from 1; less where none is known. */
  readonly line: number
  readonly span: number
}

/** ' (line 12)', ' (lines 12, 15)': where that was called; '' where no line is known. */
export function atLines(spans: readonly Pick<RunSpan, 'line'>[]): string {
  const lines = [...new Set(spans.flatMap(({ line }) => (line >= 1 ? [line] : [])))].toSorted((a, b) => a - b)
  if (lines.length === 0) return ''
  return ` (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')})`
}

/** The lines that a sentence of `atLines` names. */
export const linesIn = (text: string): readonly number[] =>
  (/\(lines? ([\d, ]+)\)/.exec(text)?.[1] ?? '').split(', ').filter(Boolean).map(Number)

/** The same of all calls of these roles in a run; '' where nothing was recorded. */
export const linesOf = (trace: Trace | null, run: Named, ...roles: readonly SpanRole[]): string =>
  trace ? atLines(hostSpansOf(trace, run, roles)) : ''

const isOfRun = ({ spans, strings }: Trace, { name, repeat }: Named, span: number): boolean =>
  spans.repeat[span] === repeat && strings[spans.variant[span] ?? -1] === name

function spanAt(trace: Trace, span: number): RunSpan {
  const { spans, strings } = trace
  return {
    role: roleAt(trace, span),
    name: strings[spans.name[span] ?? -1] ?? '',
    startNs: spans.start[span] ?? Number.NaN,
    endNs: spans.end[span] ?? Number.NaN,
    submission: spans.submission[span] ?? -1,
    bytes: spans.bytes[span] ?? Number.NaN,
    line: spans.line[span] ?? -1,
    span,
  }
}

const roleAt = ({ spans }: Trace, span: number): SpanRole => SPAN_ROLES[spans.role[span] ?? 0] ?? 'none'

/** In the order of recording. */
function spansOf(trace: Trace, run: Named, isMeant: (span: number) => boolean): readonly RunSpan[] {
  const found: RunSpan[] = []
  for (let span = 0; span < trace.spans.length; span += 1)
    if (isMeant(span) && isOfRun(trace, run, span)) found.push(spanAt(trace, span))
  return found
}

/** Only lanes of the host's clock have times that can be compared with each other here. */
export const hostSpansOf = (trace: Trace, run: Named, roles: readonly SpanRole[]): readonly RunSpan[] =>
  spansOf(trace, run, (span) => roles.includes(roleAt(trace, span))).toSorted((a, b) => a.startNs - b.startNs)

export const waitsOf = (trace: Trace, run: Named): readonly RunSpan[] =>
  hostSpansOf(trace, run, ['wait-map', 'wait-done', 'wait-staging'])

/** Bytes that the host wrote for the GPU, by mapping or by writeBuffer(). */
export const uploadsOf = (trace: Trace, run: Named): readonly RunSpan[] =>
  hostSpansOf(trace, run, ['fill', 'write'])
export const bytesOf = (spans: readonly RunSpan[]): number => spans.reduce((all, { bytes }) => all + bytes, 0)
export const uploadedBytesOf = (trace: Trace, run: Named): number => bytesOf(uploadsOf(trace, run))

/**
 * Writes and buffers are parameters below this share of a batch, and alignment above a whole one.
 */
const SPARE_SHARE = 0.1
/**
 * How many batches fit into the buffers that a run made for the host to map. The browser stages
 * each call of writeBuffer() anew, in memory of its own.
 */
export const stagedBatches = (trace: Trace, run: Named, batchBytes: number): number =>
  Math.max(0, Math.ceil(bytesOf(hostSpansOf(trace, run, ['create', 'write'])) / batchBytes - SPARE_SHARE))

/**
 * Waits that block the chain of what is handed over: nothing was handed over while they lasted, and
 * something was later. A reader beside that chain blocks nothing, nor does a wait for promises of
 * before, awaited in order.
 */
export const blockingWaitsOf = (
  trace: Trace,
  run: Named,
  handed: readonly { readonly startNs: number }[],
): readonly RunSpan[] =>
  waitsOf(trace, run).filter(
    (wait) =>
      handed.some(({ startNs }) => startNs >= wait.endNs) &&
      !handed.some(({ startNs }) => startNs > wait.startNs && startNs < wait.endNs),
  )

export interface RunSubmission {
  readonly id: number
  readonly line: number
  readonly startNs: number
  readonly endNs: number
  /** When completion was reported; null where it was not. */
  readonly completedNs: number | null
}

export function submissionsOf(trace: Trace, run: Named): readonly RunSubmission[] {
  const completed = new Map<number, number>()
  const { spans } = trace
  for (let span = 0; span < spans.length; span += 1)
    if (SPAN_KINDS[spans.kind[span] ?? -1] === 'queued')
      completed.set(spans.submission[span] ?? -1, spans.end[span] ?? Number.NaN)
  return hostSpansOf(trace, run, ['submit']).map(({ submission, line, startNs, endNs }) => ({
    id: submission,
    line,
    startNs,
    endNs,
    completedNs: completed.get(submission) ?? null,
  }))
}

/**
 * The submissions that have what was encoded at these times: of each, the first that was made after
 * it. By start, each once.
 */
export function submissionsWith(
  trace: Trace,
  run: Named,
  encodedNs: readonly number[],
): readonly RunSubmission[] {
  const submissions = submissionsOf(trace, run)
  return [...new Set(encodedNs.flatMap((atNs) => submissions.find(({ startNs }) => startNs >= atNs) ?? []))]
}

/** The device's passes of this name in one run, by its clock; without timestamps there are none. */
export function passSpansOf(
  trace: Trace,
  run: Named,
  name: string,
): readonly { readonly ns: number; readonly flops: number }[] {
  return spansOf(trace, run, (span) => roleAt(trace, span) === 'pass')
    .filter((pass) => pass.name === name)
    .map(({ startNs, endNs, span }) => ({
      ns: endNs - startNs,
      flops: trace.spans.flops[span] ?? Number.NaN,
    }))
}

/**
 * The share of a run's time in which the device computed, by the stamps of its passes; null without
 * timestamps, or where one is in reverse. Passes of one queue do not overlap but for a clock step,
 * so their lengths add up.
 */
export function computedShare(trace: Trace, run: ProgramRun): number | null {
  const passes = spansOf(trace, run, (span) => SPAN_KINDS[trace.spans.kind[span] ?? -1] === 'compute')
  const ns = passes.reduce((sum, { startNs, endNs }) => sum + (endNs - startNs), 0)
  return passes.length > 0 && ns >= 0 ? Math.min(1, ns / (run.endNs - run.startNs)) : null
}
