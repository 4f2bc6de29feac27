/**
 * The rules of Trace Event JSON that Perfetto and chrome://tracing insist on, checked on a file's
 * text. Knows nothing of how the exporter works; tests of the exporter and of the command line use
 * it.
 */
import { isRecord } from '../../../base/is-record'
import type { Report } from '../../report'
import type { Trace } from '../../schema'
import { traceEventParts } from '../trace-event'

/** What is wrong, one sentence each; nothing when the file obeys. At most `limit` of them. */
export function validateTraceEventText(text: string, limit = 20): readonly string[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (thrown) {
    return [`not JSON: ${String(thrown)}`]
  }
  const problems: string[] = []
  const report = (problem: string) => {
    if (problems.length < limit) problems.push(problem)
  }
  if (!isRecord(parsed) || !Array.isArray(parsed['traceEvents'])) return ['no traceEvents']
  if (parsed['displayTimeUnit'] !== 'ns') report('displayTimeUnit is not ns')
  checkMetadata(parsed['metadata'], report)
  const events = parsed['traceEvents'].filter((event, index): event is TraceEvent => {
    const problem = checkFields(event)
    if (problem) report(`event ${String(index)}: ${problem}`)
    return !problem
  })
  const slices = events.filter((event) => event.ph === 'X')
  checkNesting(slices, report)
  checkNames(events, report)
  checkAsync(events, report)
  checkFlows(events, slices, report)
  checkPasses(slices, report)
  return problems
}

export interface TraceEvent {
  readonly ph: string
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur: number
  readonly id?: number | string
  readonly s?: string
  readonly bp?: string
  readonly args?: Readonly<Record<string, unknown>>
}
type Tell = (problem: string) => void

const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const toNs = (us: number): number => Math.round(us * 1e3)
const show = (event: TraceEvent) => `${event.ph} '${event.name}' at ${String(event.ts)} µs`

const KNOWN = new Set(['X', 'b', 'e', 'i', 'C', 's', 'f', 'M'])
const METADATA = new Set(['process_name', 'thread_name', 'process_sort_index', 'thread_sort_index'])

function checkMetadata(metadata: unknown, report: Tell): void {
  if (!isRecord(metadata)) {
    report('metadata is no object')
    return
  }
  for (const key of ['experiment', 'userAgent', 'startedAt', 'origin', 'clocks', 'hostOriginMs'])
    if (metadata[key] === undefined || metadata[key] === null) report(`metadata says no ${key}`)
}

function checkFields(event: unknown): string | null {
  if (!isRecord(event)) return 'no object'
  const { ph, name, pid, tid, ts, dur, args, cat, id, s } = event
  if (typeof ph !== 'string' || !KNOWN.has(ph)) return `unknown phase ${String(ph)}`
  if (typeof name !== 'string' || name === '') return 'no name'
  for (const number of [pid, tid])
    if (!Number.isInteger(number) || (number as number) < 1 || (number as number) >= 2 ** 32)
      return 'pid and tid must be whole and from 1 to 2^32'
  if (args !== undefined && !isRecord(args)) return 'args is no object'
  if (ph === 'M') {
    if (!METADATA.has(name)) return `unknown metadata ${name}`
    const wanted = name.endsWith('sort_index')
      ? isFinite(args?.['sort_index'])
      : typeof args?.['name'] === 'string'
    return wanted ? null : `${name} without its argument`
  }
  if (!isFinite(ts) || ts < 0) return 'ts is not a time'
  if (Math.abs(ts * 1e3 - toNs(ts)) > 1e-3) return 'ts is not whole nanoseconds'
  if (ph === 'X' && (!isFinite(dur) || dur < 0)) return 'dur is not a duration'
  if (ph !== 'X' && dur !== undefined) return 'dur on something that has none'
  if (ph !== 'C' && (typeof cat !== 'string' || cat === '')) return 'no category'
  if (ph === 'i' && s !== 't' && s !== 'p' && s !== 'g') return 'an instant without scope'
  if (ph === 'C' && (!args || Object.keys(args).length === 0 || !Object.values(args).every(isFinite)))
    return 'a counter needs numbers'
  if ((ph === 'b' || ph === 'e') && typeof id !== 'string') return 'an async event needs a text id'
  if ((ph === 's' || ph === 'f') && !Number.isInteger(id)) return 'a flow needs a whole id'
  return null
}

const threadOf = (event: TraceEvent) => `${String(event.pid)}/${String(event.tid)}`

/** Of equal starts the longer first: how Perfetto sorts them. */
const inOrder = (a: TraceEvent, b: TraceEvent) => toNs(a.ts) - toNs(b.ts) || toNs(b.dur) - toNs(a.dur)

function checkNesting(slices: readonly TraceEvent[], report: Tell): void {
  const open = new Map<string, TraceEvent[]>()
  for (const slice of [...slices].sort(inOrder)) {
    const stack = open.get(threadOf(slice)) ?? []
    open.set(threadOf(slice), stack)
    const endOf = (event: TraceEvent) => toNs(event.ts) + toNs(event.dur)
    for (let top = stack.at(-1); top && endOf(top) <= toNs(slice.ts); top = stack.at(-1)) stack.pop()
    const top = stack.at(-1)
    if (top && endOf(slice) > endOf(top)) report(`${show(slice)} overlaps ${show(top)} partly`)
    stack.push(slice)
  }
}

function checkNames(events: readonly TraceEvent[], report: Tell): void {
  const named = (what: string, key: (event: TraceEvent) => string) =>
    new Set(events.filter((event) => event.ph === 'M' && event.name === what).map(key))
  const processes = named('process_name', (event) => String(event.pid))
  const threads = named('thread_name', threadOf)
  for (const event of events) {
    if (event.ph === 'M') continue
    if (!processes.has(String(event.pid))) report(`process ${String(event.pid)} has no name`)
    if (!threads.has(threadOf(event))) report(`thread ${threadOf(event)} has no name`)
  }
}

function checkAsync(events: readonly TraceEvent[], report: Tell): void {
  const pairs = new Map<string, TraceEvent[]>()
  for (const event of events) {
    if (event.ph !== 'b' && event.ph !== 'e') continue
    const key = `${event.cat ?? ''} ${String(event.id)}`
    pairs.set(key, [...(pairs.get(key) ?? []), event])
  }
  for (const [key, pair] of pairs) {
    const [begin, end] = pair
    const fits =
      pair.length === 2 &&
      begin?.ph === 'b' &&
      end?.ph === 'e' &&
      begin.pid === end.pid &&
      begin.name === end.name &&
      end.ts >= begin.ts
    if (!fits) report(`async ${key} is not one b and then one e`)
  }
}

function checkFlows(events: readonly TraceEvent[], slices: readonly TraceEvent[], report: Tell): void {
  const byThread = new Map<string, TraceEvent[]>()
  for (const slice of [...slices].sort(inOrder)) {
    const list = byThread.get(threadOf(slice)) ?? []
    list.push(slice)
    byThread.set(threadOf(slice), list)
  }
  const innermost = (point: TraceEvent): TraceEvent | undefined => {
    const at = toNs(point.ts)
    return byThread
      .get(threadOf(point))
      ?.findLast((slice) => toNs(slice.ts) <= at && at < toNs(slice.ts) + toNs(slice.dur))
  }
  const open = new Map<string, TraceEvent>()
  const closed = new Set<string>()
  for (const event of events) {
    if (event.ph !== 's' && event.ph !== 'f') continue
    const key = `${event.cat ?? ''} ${event.name} ${String(event.id)}`
    const slice = innermost(event)
    if (!slice) report(`${show(event)} lies in no slice`)
    if (event.ph === 's') {
      if (open.has(key)) report(`flow ${key} starts twice`)
      if (slice && toNs(slice.ts) !== toNs(event.ts)) report(`${show(event)} is not at its slice's start`)
      open.set(key, event)
      continue
    }
    const start = open.get(key)
    if (event.bp !== 'e') report(`${show(event)} would bind to the next slice`)
    if (!start) report(`flow ${key} ends before it starts`)
    else if (event.ts < start.ts) report(`flow ${key} goes back in time`)
    if (closed.has(key)) report(`flow ${key} ends twice`)
    closed.add(key)
  }
  for (const key of open.keys()) if (!closed.has(key)) report(`flow ${key} does not end`)
}

function checkPasses(slices: readonly TraceEvent[], report: Tell): void {
  for (const slice of slices) {
    if (slice.cat !== 'device') continue
    const args = slice.args ?? {}
    const isTick = (value: unknown) => typeof value === 'string' && /^-?\d+$/.test(value)
    if (!isTick(args['begin_ns']) || !isTick(args['end_ns'])) report(`${show(slice)} has no raw ticks`)
    if (!isFinite(args['uncertainty_us'])) report(`${show(slice)} has no uncertainty`)
  }
}

/** Files in one string, for short traces. */
export const traceEventText = (trace: Trace, report: Report | null = null): string =>
  [...traceEventParts(trace, report)].join('')
