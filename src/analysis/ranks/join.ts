/**
 * Several ranks as one trace: each rank's lanes after the other's, all times on the reference
 * rank's axis, matched collectives joined by arrows from the rank that began last, and the part of
 * each in which a rank waited for that one as a span of its own within it. Devices stay apart
 * (groups 'rank 0 · device 0'), so all analysis of a trace holds for each. A fresh trace; those
 * given are not changed.
 */
import { toHostNs } from '../../trace/clock'
import { TraceBuilder } from '../../trace/builder'
import { copySpan } from '../../trace/copy-span'
import { collectiveOfSpan } from '../../trace/collectives'
import { FLOW_KINDS, UNPROFILED_MS, type RunInfo, type Trace } from '../../trace/schema'
import { durationText, plain } from '../../base/figures'
import { median } from '../../base/stats'
import type { TimedMatch } from './stragglers'
import type { Rank, RankClock } from './types'

export const rankName = (rank: number, name: string): string => `rank ${String(rank)} · ${name}`

/** Null: no rank. By rank, each with its clock. */
export function joinRanks(
  ranks: readonly Rank[],
  clocks: readonly RankClock[],
  matches: readonly TimedMatch[],
): Trace | null {
  const reference = clocks.find(({ use }) => use === 'reference')
  const first = ranks.find(({ rank }) => rank === reference?.rank)
  const host = first?.placed.trace.clocks[0]
  if (!first || !host) return null
  const builder = new TraceBuilder(infoOf(ranks, clocks, first), {
    originMs: host.originMs,
    stepNs: host.stepNs,
  })
  const join = new Join(builder, matches)
  for (const rank of ranks) {
    const clock = clocks.find((each) => each.rank === rank.rank)
    if (clock) join.add(rank, clock)
  }
  join.tie()
  return builder.freeze()
}

function infoOf(ranks: readonly Rank[], clocks: readonly RankClock[], first: Rank): RunInfo {
  const { info } = first.placed.trace
  const derived: Record<string, string | number> = {
    ranks: ranks.map(({ rank }) => String(rank)).join(', '),
  }
  for (const name of ['PyTorch', 'CUDA']) {
    const said = info.derived[name]
    if (typeof said === 'string') derived[name] = said
  }
  // Ranks of one run wait for each other in each step, so one step time holds for all.
  const steps = ranks.map(({ placed }) => placed.trace.info.derived[UNPROFILED_MS])
  const knownMs = steps.filter((ms) => typeof ms === 'number')
  if (knownMs.length === ranks.length) derived[UNPROFILED_MS] = median(knownMs)
  for (const { rank, devices } of ranks)
    for (const { id, name } of devices) if (name !== id) derived[rankName(rank, id)] = name
  for (const clock of clocks) derived[`clock of rank ${String(clock.rank)}`] = clockText(clock)
  // The facts of a single rank, `distributed`, stay out.
  const { experiment, params, adapter, userAgent, crossOriginIsolated, startedAt, origin } = info
  return { experiment, params, derived, adapter, userAgent, crossOriginIsolated, startedAt, origin }
}

/** How a rank came onto the common axis, in a sentence. */
export function clockText({ use, offsetUs, driftPpm, boundUs, used, rejected }: RankClock): string {
  const left = rejected > 0 ? ` (${String(rejected)} left out)` : ''
  const ends = `the ends of ${String(used)} collectives${left} agree within ${durationText((boundUs ?? 0) * 1e3)}`
  switch (use) {
    case 'reference':
      return 'The axis is this rank’s own clock.'
    case 'file':
      return `By the time of day in the file: ${ends}.`
    case 'aligned': {
      const faster = driftPpm > 0 ? 'slow' : 'fast'
      const drift =
        driftPpm === 0 ? '' : `, and its clock is taken to run ${sayShare(driftPpm)} too ${faster}`
      return `Moved ${durationText(Math.abs(offsetUs) * 1e3)} ${offsetUs < 0 ? 'back' : 'on'} from the time of day in the file${drift}: then ${ends}.`
    }
    case 'none':
      return 'By the time of day in the file, unchecked.'
  }
}

/** Parts in 10^6, as a person would say them. */
const sayShare = (ppm: number): string =>
  Math.abs(ppm) >= 1e3 ? `${plain(Math.abs(ppm) / 1e4)} %` : `${plain(Math.abs(ppm))} ppm`

class Join {
  readonly #out: TraceBuilder
  readonly #matches: readonly TimedMatch[]
  /** `${rank} ${span}` -> match and wait. */
  readonly #memberOf = new Map<string, { readonly match: number; readonly waitNs: number }>()
  /** `${rank} ${span}` -> the span of the joined trace. */
  readonly #spanOf = new Map<string, number>()
  #submissions = 0

  constructor(out: TraceBuilder, matches: readonly TimedMatch[]) {
    this.#out = out
    this.#matches = matches
    for (const [match, { members }] of matches.entries())
      for (const { rank, collective, waitNs } of members)
        this.#memberOf.set(keyOf(rank, collective.span), { match, waitNs })
  }

  add({ rank, placed }: Rank, { toCommonNs }: RankClock): void {
    const { trace } = placed
    const { spans, lanes, strings, flows, instants, counters, details } = trace
    const clockOf = trace.clocks.map((clock) =>
      this.#out.addClock({
        ...clock,
        kind: 'host', // placed already
        name: rankName(rank, clock.name),
        originTick: '0',
      }),
    )
    const laneOf = lanes.map(({ kind, name, group, clock }) =>
      this.#out.addLane({
        kind,
        name: rankName(rank, name),
        group: rankName(rank, group),
        clock: clockOf[clock] ?? 0,
      }),
    )
    const textOf = (index: number | undefined) => strings[index ?? -1] ?? ''
    const submissionOf = this.#submissionsOf(trace)
    const newSpan = new Int32Array(spans.length).fill(-1)
    for (let span = 0; span < spans.length; span += 1) {
      const startNs = toCommonNs(placed.startNs[span] ?? Number.NaN)
      const endNs = toCommonNs(placed.endNs[span] ?? Number.NaN)
      if (!(endNs >= startNs)) continue // no place on any common axis
      const at = this.#out.addSpan({
        ...copySpan(spans, span, textOf),
        lane: laneOf[spans.lane[span] ?? -1] ?? 0,
        start: startNs,
        end: endNs,
        submission: submissionOf(spans.submission[span] ?? -1),
      })
      newSpan[span] = at
      this.#addCollective(rank, trace, span, at)
    }
    for (let row = 0; row < details.length; row += 1) {
      const span = newSpan[details.span[row] ?? -1] ?? -1
      const [shape, form, values] = [details.shape[row], details.form[row], details.values[row]].map(textOf)
      if (span >= 0 && shape !== undefined && form !== undefined && values !== undefined)
        this.#out.addDetail({ span, shape, form, values })
    }
    for (let flow = 0; flow < flows.length; flow += 1) {
      const [from = -1, to = -1] = [newSpan[flows.from[flow] ?? -1], newSpan[flows.to[flow] ?? -1]]
      const kind = FLOW_KINDS[flows.kind[flow] ?? -1]
      if (from >= 0 && to >= 0 && kind) this.#out.addFlow(from, to, kind)
    }
    for (let row = 0; row < instants.length; row += 1) {
      const clock = lanes[instants.lane[row] ?? -1]?.clock ?? -1
      const time = instants.time[row] ?? Number.NaN
      const fit = placed.fits[clock]
      const ns = trace.clocks[clock]?.kind !== 'device' ? time : fit ? toHostNs(fit, time) : Number.NaN
      if (!Number.isFinite(ns)) continue
      const lane = laneOf[instants.lane[row] ?? -1] ?? 0
      this.#out.addInstant({ lane, time: toCommonNs(ns), name: textOf(instants.name[row]) })
    }
    for (const { name, unit, lane, length, timeNs, value } of counters) {
      const counter = this.#out.addCounter({ name: rankName(rank, name), unit, lane: laneOf[lane] ?? 0 })
      for (let row = 0; row < length; row += 1)
        this.#out.addCounterSample(counter, toCommonNs(timeNs[row] ?? 0), value[row] ?? 0)
    }
  }

  /** Arrows, waits and who was last: when every rank's spans are there. */
  tie(): void {
    for (const { match, members, last, lateNs, boundNs } of this.#matches) {
      const from = this.#spanOf.get(keyOf(last.rank, last.collective.span))
      for (const { rank, collective, startNs, waitNs } of members) {
        const to = this.#spanOf.get(keyOf(rank, collective.span))
        if (from === undefined || to === undefined || rank === last.rank) continue
        this.#out.addFlow(from, to, 'collective')
        // Less than the clocks leave open is none that could be pointed at.
        if (waitNs <= boundNs) continue
        this.#out.addSpan({
          lane: this.#out.laneOf(to),
          kind: 'collective-wait',
          source: 'inferred',
          start: startNs,
          end: startNs + waitNs,
          name: `waiting for rank ${String(last.rank)}`,
          step: collective.step,
        })
      }
      if (from !== undefined && lateNs > boundNs)
        this.#out.addInstant({
          lane: this.#out.laneOf(from),
          time: last.startNs,
          name: `rank ${String(last.rank)} is the last in ${match.operation}, by ${durationText(lateNs)}`,
        })
    }
  }

  #addCollective(rank: number, trace: Trace, span: number, at: number): void {
    const said = collectiveOfSpan(trace, span)
    if (!said) return
    const member = this.#memberOf.get(keyOf(rank, span))
    this.#out.addCollective({ ...said, span: at, match: member?.match, waitNs: member?.waitNs })
    this.#spanOf.set(keyOf(rank, span), at)
  }

  /** Numbers of one rank mean nothing on another: given anew. */
  #submissionsOf({ spans }: Trace): (submission: number) => number {
    const given = new Map<number, number>()
    for (let span = 0; span < spans.length; span += 1) {
      const submission = spans.submission[span] ?? -1
      if (submission >= 0 && !given.has(submission)) given.set(submission, this.#submissions++)
    }
    return (submission) => given.get(submission) ?? -1
  }
}

const keyOf = (rank: number, span: number): string => `${String(rank)} ${String(span)}`
