/**
 * Writes the timestamps of a submission into the trace: spans of its passes, flows, and the
 * bracket for the clock’s fit. Ticks stay raw.
 */
import { END_BEFORE_BEGIN, NOT_RESOLVED } from '../trace/schema'
import type { SpanWriter } from './span-writer'
import { numbered } from './devices'
import type { DeviceRecord, Stamped, Submission } from './records'
import type { Ticks } from './stamps'

interface TickPair {
  readonly begin: bigint
  readonly end: bigint
}

/** Chromium's steps for ordinary visitors; no device counts in larger ones. */
const LARGEST_STEP_NS = 2 ** 16

/**
 * The largest power of two, up to 2^16, that divides the distance of each stamp to the first.
 * With few stamps it may be larger than the clock’s step, which widens bounds and never narrows
 * them wrongly. It is 1 where no two differ.
 */
export function stepOfStamps(ticks: Ticks): number {
  let first: bigint | null = null
  let bits = 0n
  for (const values of ticks.values())
    for (const value of values) {
      if (value === 0n) continue
      first ??= value
      bits |= value - first
    }
  const step = bits & -bits
  return step === 0n ? 1 : Math.min(Number(step), LARGEST_STEP_NS)
}

function pairOf(stamped: Stamped, ticks: Ticks): TickPair | null {
  const { slot, ofPage } = stamped
  const at = ofPage ?? (slot && { set: slot.set, begin: slot.index, end: slot.index + 1 })
  const values = at && ticks.get(at.set)
  if (!values) return null
  const begin = values[at.begin]
  const end = values[at.end]
  return begin === undefined || end === undefined ? null : { begin, end }
}

/**
 * Sanity gate: non-zero, ordered, no longer than the round trip, ends in queue order. A stamp
 * that fails draws nothing.
 */
function rejectReason({ begin, end }: TickPair, submission: Submission, hostStepNs: number): string | null {
  const { device, completedNs, submitStartNs } = submission
  if (begin === 0n || end === 0n) return 'zero timestamp'
  if (end < begin) return END_BEFORE_BEGIN
  if (end < device.lastEndTick) return 'ends before an earlier pass'
  const slackNs = 2 * (device.stepNs ?? 1) + 2 * hostStepNs
  // 1e-3: the two clocks' rates may differ, by far less than that.
  if (Number(end - begin) > ((completedNs ?? Infinity) - submitStartNs) * 1.001 + slackNs)
    return 'longer than its round trip'
  return null
}

export function writeSubmission(writer: SpanWriter, submission: Submission, ticks: Ticks): void {
  const { builder } = writer
  const { device, completedNs, submitStartNs } = submission
  let [beginTick, endTick] = [Infinity, -Infinity]
  for (const { stamped } of submission.encodings)
    for (const each of stamped ?? []) {
      if (each.isOfPage && !each.ofPage) builder.reject(NOT_RESOLVED)
      const pair = pairOf(each, ticks)
      if (!pair) continue
      const reason = rejectReason(pair, submission, writer.hostStepNs)
      if (reason !== null) {
        builder.reject(reason)
        continue
      }
      device.lastEndTick = pair.end
      ensureLane(writer, device, pair.begin)
      const begin = Number(pair.begin - device.originTick)
      const end = Number(pair.end - device.originTick)
      const span = addSpan(writer, submission, each, begin, end)
      each.durationNs = end - begin
      beginTick = Math.min(beginTick, begin)
      endTick = Math.max(endTick, end)
      if (each.role === 'copy') continue
      builder.addFlow(submission.span, span, 'submit')
      submission.lastPass = span
    }
  if (endTick < beginTick || completedNs === null) return
  if (submission.lastPass >= 0)
    for (const wait of submission.waits ?? []) builder.addFlow(submission.lastPass, wait, 'sync')
  builder.addSnapshot({
    clock: device.clock,
    hostBeforeNs: submitStartNs,
    beginTick,
    endTick,
    hostAfterNs: completedNs,
  })
}

function addSpan(
  { builder }: SpanWriter,
  submission: Submission,
  stamped: Stamped,
  start: number,
  end: number,
): number {
  const { role, name, tag, line, bytes, flops, fills } = stamped
  const span = builder.addSpan({
    lane: submission.device.lane,
    kind: role === 'copy' ? 'transfer' : 'compute',
    role,
    name: name === '' ? 'pass' : name,
    start,
    end,
    submission: submission.id,
    ...tag,
    line,
    bytes,
    flops,
  })
  for (const fill of fills ?? []) if (fill >= 0) builder.addFlow(fill, span, 'upload')
  return span
}

/** The device's clock counts from the first tick seen: raw ticks lie above 2^53. */
function ensureLane({ builder }: SpanWriter, device: DeviceRecord, first: bigint): void {
  if (device.lane >= 0) return
  device.originTick = first
  device.clock = builder.addClock({
    kind: 'device',
    name: numbered('device timestamps', device.index),
    originMs: 0,
    originTick: String(first),
    stepNs: device.stepNs ?? 1,
  })
  const name = numbered('device', device.index)
  device.lane = builder.addLane({ kind: 'device', name, clock: device.clock, group: 'device' })
}
