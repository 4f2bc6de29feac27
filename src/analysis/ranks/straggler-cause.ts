/**
 * Why a rank is late: what its device did from the end of the collective before until it began one that the others waited in, against what
 * theirs did. The device computed longer, or was idle longer, for the cause that devices.ts names; of all that the largest difference, over
 * all late steps. And what its host was in meanwhile. Ranks without a device are their hosts.
 */
import { addTo } from '../../base/lists'
import { upperBound } from '../../base/search'
import { SPAN_KINDS } from '../../trace/schema'
import { GAP_CAUSES, type Gap } from '../../trace/gaps'
import { IndexedSet, intersect, union } from '../intervals'
import type { DeviceReplay } from '../replay/device-replay'
import type { Interval } from '../types'
import { durationText } from '../../base/figures'
import { HostLook } from '../host-look'
import { HostStacks } from '../host-stacks'
import { SourceTally } from '../source-tally'
import type { PlacedTrace } from '../../trace/place'
import type { Straggler, TimedMatch, TimedMember } from './stragglers'
import type { StragglerCause, Rank } from './types'

export interface FoundCause {
  readonly cause: StragglerCause
  /** One sentence with the figures. */
  readonly evidence: string
  /** Says what its host did then; '' if the file does not show it. */
  readonly doing: string
}

const CAUSES: readonly StragglerCause[] = ['more-work', ...GAP_CAUSES]
const HOST_WORK = SPAN_KINDS.indexOf('host-work')
const WORK = new Set([SPAN_KINDS.indexOf('compute'), SPAN_KINDS.indexOf('transfer')])

export function causeOf(late: Straggler, ranks: readonly Rank[], matches: readonly TimedMatch[]): FoundCause {
  const devices = new Map(ranks.map((rank) => [rank.rank, new DeviceTimes(rank)]))
  const own = ranks.find(({ rank }) => rank === late.rank)
  const ownTimes = devices.get(late.rank)
  const ends = endsByRank(matches)
  const more = new Map<StragglerCause, number>(CAUSES.map((cause) => [cause, 0]))
  const work = { ownNs: 0, othersNs: 0 }
  const windows: Window[] = []
  let rounds = 0
  for (const round of late.late) {
    const told = round.matches.flatMap(({ last, members }) => {
      const window = windowOf(last, ends)
      return window ? [{ window, others: members.filter(({ rank }) => rank !== late.rank) }] : []
    })
    // The time before a profile's first collective is not in it.
    if (told.length < round.matches.length) continue
    rounds += 1
    for (const { window, others } of told) {
      windows.push(window)
      const theirs = others.flatMap((member) => {
        const own = windowOf(member, ends)
        return own ? [{ window: own, times: devices.get(member.rank) }] : []
      })
      for (const cause of CAUSES) {
        const ownNs = ownTimes?.spent(cause, window) ?? 0
        const othersNs =
          theirs.reduce((sum, other) => sum + (other.times?.spent(cause, other.window) ?? 0), 0) /
          Math.max(1, theirs.length)
        more.set(cause, (more.get(cause) ?? 0) + ownNs - othersNs)
        if (cause !== 'more-work') continue
        work.ownNs += ownNs
        work.othersNs += othersNs
      }
    }
  }
  const [cause, moreNs] = [...more].reduce((most, each) => (each[1] > most[1] ? each : most))
  const mean = (ns: number) => durationText(ns / Math.max(1, rounds))
  if (own && own.device === null) return hostsCause(own, windows)
  if (!(moreNs > 0))
    return {
      cause: 'unknown',
      evidence: 'Its file does not show what it did longer than the others before these collectives.',
      doing: '',
    }
  if (cause === 'more-work')
    return {
      cause,
      evidence: `Its kernels and copies before the collective${late.unit === 'step' ? 's' : ''} took ${mean(work.ownNs)} a ${late.unit} on average, the others’ ${mean(work.othersNs)}.`,
      doing: '',
    }
  const gap = ownTimes?.longestGap(cause, windows)
  return {
    cause,
    evidence: `Its device was idle for ${mean(moreNs)} a ${late.unit} longer than the others’ on average.${gap ? ` ${gap.evidence}` : ''}`,
    doing: own ? doingIn(own, cause, windows) : '',
  }
}

/** Says what the host was in during the gaps of a cause. */
function doingIn(
  { placed, reasons, device }: Rank,
  cause: StragglerCause,
  windows: readonly Window[],
): string {
  if (!reasons || !device) return ''
  const look = new HostLook(placed, reasons)
  for (const [index, gap] of device.gaps.entries()) {
    const reasoned = device.reasoned[index]
    if (gap.cause === cause && reasoned && isInSome(gap, windows)) look.add(reasoned, gap)
  }
  return doingWords(look.wait(), look.source)
}

/** A rank that computes on its host is late for what that did: no other has a part in it. */
function hostsCause({ placed, reasons }: Rank, windows: readonly Window[]): FoundCause {
  const lane = busiestThread(placed)
  const source = new SourceTally(placed, reasons?.stacks ?? new HostStacks(placed))
  for (const { startNs, endNs } of windows)
    source.addMoments(
      lane,
      SAMPLES.map((share) => startNs + share * (endNs - startNs)),
      (endNs - startNs) / 1e3,
    )
  const doing = doingWords(null, source)
  return doing === ''
    ? { cause: 'unknown', evidence: 'Its file does not show what it did before these collectives.', doing }
    : { cause: 'host-code', evidence: 'It has no device: what it computes is its host’s work.', doing }
}

/** The moments of a stretch before a collective: enough to see one operator among several. */
const SAMPLES = Array.from({ length: 20 }, (_, index) => (index + 0.5) / 20)

/** The thread that has most of the program's operators. */
function busiestThread({ trace, lanes }: PlacedTrace): number {
  let [busiest, mostNs] = [-1, 0]
  for (const { lane, span, startNs, endNs, length } of lanes) {
    let ns = 0
    for (let at = 0; at < length; at += 1)
      if (trace.spans.kind[span[at] ?? -1] === HOST_WORK) ns += (endNs[at] ?? 0) - (startNs[at] ?? 0)
    if (ns > mostNs) [busiest, mostNs] = [lane, ns]
  }
  return busiest
}

function doingWords(wait: string | null, source: SourceTally): string {
  const [line, activity] = [source.line(), source.activity()]
  const place = line ? `${line.name} of ${line.file}(${String(line.line)})` : ''
  if (wait !== null) return `It waits in ${wait}${place === '' ? '' : `, called in ${place}`}.`
  if (place !== '') return `It is mostly in ${place}.`
  return activity === null || activity === '' ? '' : `It is mostly in ${activity}.`
}

/** In the file's own ns. */
interface Window {
  readonly startNs: number
  readonly endNs: number
}

/** By rank: ends of its synchronising collectives, in the file's own ns. */
function endsByRank(matches: readonly TimedMatch[]): ReadonlyMap<number, Float64Array> {
  const ends = new Map<number, number[]>()
  for (const { match, members } of matches) {
    if (!match.isSynchronising) continue
    for (const { rank, collective } of members) {
      addTo(ends, rank, collective.endNs)
    }
  }
  return new Map([...ends].map(([rank, list]) => [rank, Float64Array.from(list).sort()]))
}

/** From the end of the synchronising collective before, on that rank, to the start of this one. Null: there was none. */
function windowOf({ rank, collective: { startNs } }: TimedMember, ends: ReadonlyMap<number, Float64Array>) {
  const own = ends.get(rank)
  const fromNs = own?.[upperBound(own, startNs) - 1]
  return fromNs === undefined ? null : { startNs: fromNs, endNs: startNs }
}

class DeviceTimes {
  readonly #sets = new Map<StragglerCause, IndexedSet>()
  readonly #gaps: readonly Gap[]

  constructor({ placed, device, reasons }: Rank) {
    const { spans, lanes } = placed.trace
    this.#gaps = device?.gaps ?? []
    const work: { start: number; end: number }[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device?.id || !WORK.has(spans.kind[span] ?? -1)) continue
      work.push({ start: placed.startNs[span] ?? Number.NaN, end: placed.endNs[span] ?? Number.NaN })
    }
    this.#sets.set('more-work', IndexedSet.of(union(work)))
    const replayed = device && reasons ? reasons.replayOf(device.id) : ''
    const spent = typeof replayed === 'string' ? null : stretchesOf(replayed)
    const idle = union(this.#gaps.map(({ startNs, endNs }) => ({ start: startNs, end: endNs })))
    for (const cause of GAP_CAUSES) {
      const own = this.#gaps
        .filter((gap) => gap.cause === cause)
        .map(({ startNs, endNs }) => ({ start: startNs, end: endNs }))
      // The host is read while its device was idle: a gap can begin in a wait that every rank has.
      this.#sets.set(cause, IndexedSet.of(spent ? intersect(idle, spent.get(cause) ?? []) : union(own)))
    }
  }

  spent(cause: StragglerCause, { startNs, endNs }: Window): number {
    return this.#sets.get(cause)?.totalWithin(startNs, endNs) ?? 0
  }

  longestGap(cause: StragglerCause, windows: readonly Window[]): Gap | null {
    let longest: Gap | null = null
    const lengthOf = (gap: Gap | null) => gap?.durationNs ?? 0
    for (const gap of this.#gaps) {
      if (gap.cause !== cause || lengthOf(gap) <= lengthOf(longest)) continue
      if (isInSome(gap, windows)) longest = gap
    }
    return longest
  }
}

/** When a rank's host was at what, by cause, disjoint and by start. */
function stretchesOf({ read }: DeviceReplay): ReadonlyMap<string, readonly Interval[]> {
  const byCause = new Map<string, Interval[]>()
  for (const { cause, startNs, endNs } of read.program.stretches) {
    if (cause === null) continue
    addTo(byCause, cause, { start: startNs, end: endNs })
  }
  return new Map([...byCause].map(([cause, list]) => [cause, union(list)]))
}

const isInSome = (gap: Gap, windows: readonly Window[]): boolean =>
  windows.some(({ startNs, endNs }) => gap.endNs > startNs && gap.startNs < endNs)
