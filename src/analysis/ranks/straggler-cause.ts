/**
 * Why a rank is late: what its device did from the end of the collective before until it began one
 * that the others waited in, against what theirs did. The device computed longer, or was idle
 * longer, for the cause that devices.ts names; of all that the largest difference, over all late
 * steps. And what its host was in meanwhile. Ranks without a device are their hosts.
 */
import { addTo } from '../../base/lists'
import { upperBound } from '../../base/search'
import { SPAN_KINDS } from '../../trace/schema'
import { GAP_CAUSES } from '../../trace/gaps'
import { IndexedSet, intersect, union } from '../intervals'
import type { DeviceReplay } from '../replay/device-replay'
import type { Interval } from '../types'
import { durationText } from '../../base/figures'
import { HostStacks } from '../host-stacks'
import { nest, partsOf } from '../replay/host-stretches'
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
const [HOST_WORK, WINDOW] = [SPAN_KINDS.indexOf('host-work'), SPAN_KINDS.indexOf('window')]
const WORK = new Set([SPAN_KINDS.indexOf('compute'), SPAN_KINDS.indexOf('transfer')])

export function causeOf(late: Straggler, ranks: readonly Rank[], matches: readonly TimedMatch[]): FoundCause {
  const devices = new Map(ranks.map((rank) => [rank.rank, new DeviceTimes(rank)]))
  const own = ranks.find(({ rank }) => rank === late.rank)
  const ownTimes = devices.get(late.rank)
  const ends = endsByRank(matches)
  const more = new Map<StragglerCause, number>(CAUSES.map((cause) => [cause, 0]))
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
      }
    }
  }
  const [cause, moreNs] = [...more].reduce((most, each) => (each[1] > most[1] ? each : most))
  if (own && own.device === null) return hostsCause(own, windows)
  if (!(moreNs > 0))
    return {
      cause: 'unknown',
      evidence: 'Its file does not show what took it longer than the others before these collectives.',
      doing: '',
    }
  const did = cause === 'more-work' ? 'Its kernels and copies ran' : 'Its device was idle'
  return {
    cause,
    evidence: `${did} for ${durationText(moreNs / Math.max(1, rounds))} a ${late.unit} longer than the others’ on average.`,
    doing: own ? doingIn(own, cause, windows) : '',
  }
}

/** Says what the host was in while it was at a cause and the device idle, in the windows. */
function doingIn(
  { placed, reasons, device }: Rank,
  cause: StragglerCause,
  windows: readonly Window[],
): string {
  const program = reasons?.programOf(device?.id ?? '')?.read.program
  if (!reasons || !program) return ''
  const own = program.stretches.filter((stretch) => stretch.cause === cause)
  const waits = own.some(({ awaits }) => awaits.length > 0)
  const idle = intersect(timesOf(windows), timesOf(device?.gaps ?? []))
  return doingWords(placed, reasons.stacks, own, idle, waits)
}

/** A rank that computes on its host is late for what that did: no other has a part in it. */
function hostsCause({ placed, reasons }: Rank, windows: readonly Window[]): FoundCause {
  const lane = placed.lanes.find((each) => each.lane === busiestThread(placed))
  const nested = lane && nest(lane)
  const parts = nested ? partsOf(nested, -Infinity, Infinity) : []
  const spans = parts.map(({ at, ...times }) => ({ ...times, span: nested?.span[at] ?? -1 }))
  const stacks = reasons?.stacks ?? new HostStacks(placed)
  const doing = doingWords(placed, stacks, spans, timesOf(windows))
  return doing === ''
    ? { cause: 'unknown', evidence: 'Its file does not show what it did before these collectives.', doing }
    : { cause: 'host-code', evidence: 'It has no device: its host does the computing.', doing }
}

/**
 * Names the function of the reader's, and the innermost call, that took most of a thread's parts
 * within these times; '' where nothing is recorded.
 */
function doingWords(
  { trace }: PlacedTrace,
  stacks: HostStacks,
  parts: readonly (Window & { readonly span: number })[],
  times: readonly Interval[],
  waits = false,
): string {
  const within = IndexedSet.of(times)
  const [places, activities] = [new Map<string, number>(), new Map<string, number>()]
  const add = (to: Map<string, number>, name: string, ns: number) => to.set(name, (to.get(name) ?? 0) + ns)
  for (const { span, startNs, endNs } of parts) {
    const ns = within.totalWithin(startNs, endNs)
    if (ns <= 0) continue
    const around = span < 0 ? [] : stacks.around(span)
    const [innermost = -1] = around.filter((each) => trace.spans.kind[each] !== WINDOW)
    add(activities, trace.strings[trace.spans.name[innermost] ?? -1] ?? '', ns)
    const frame = stacks.frameAmong(around)
    if (frame) add(places, `${frame.file}(${String(frame.line)}): ${frame.name}`, ns)
  }
  const longest = (all: ReadonlyMap<string, number>) => [...all].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
  const [where, activity] = [longest(places), longest(activities)]
  if (waits) return `It waits in ${activity}()${where === '' ? '' : `, called in ${where}`}.`
  if (where !== '') return `It is mostly in ${where}.`
  return activity === '' ? '' : `It is mostly in ${activity}.`
}

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

/** In the file's own ns. */
interface Window {
  readonly startNs: number
  readonly endNs: number
}

const timesOf = (windows: readonly Window[]): readonly Interval[] =>
  union(windows.map(({ startNs, endNs }) => ({ start: startNs, end: endNs })))

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

/**
 * From the end of the synchronising collective before, on that rank, to the start of this one.
 * Null: there was none.
 */
function windowOf({ rank, collective: { startNs } }: TimedMember, ends: ReadonlyMap<number, Float64Array>) {
  const own = ends.get(rank)
  const fromNs = own?.[upperBound(own, startNs) - 1]
  return fromNs === undefined ? null : { startNs: fromNs, endNs: startNs }
}

class DeviceTimes {
  readonly #sets = new Map<StragglerCause, IndexedSet>()

  constructor({ placed, device, reasons }: Rank) {
    const { spans, lanes } = placed.trace
    const gaps = device?.gaps ?? []
    const work: { start: number; end: number }[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device?.id || !WORK.has(spans.kind[span] ?? -1)) continue
      work.push({ start: placed.startNs[span] ?? Number.NaN, end: placed.endNs[span] ?? Number.NaN })
    }
    this.#sets.set('more-work', IndexedSet.of(union(work)))
    const program = device && reasons ? reasons.programOf(device.id) : null
    const spent = program && stretchesOf(program)
    const idle = timesOf(gaps)
    for (const cause of GAP_CAUSES) {
      const own = () => timesOf(gaps.filter((gap) => gap.cause === cause))
      // The host is read while its device was idle: a gap can begin in a wait that every rank has.
      this.#sets.set(cause, IndexedSet.of(spent ? intersect(idle, spent.get(cause) ?? []) : own()))
    }
  }

  spent(cause: StragglerCause, { startNs, endNs }: Window): number {
    return this.#sets.get(cause)?.totalWithin(startNs, endNs) ?? 0
  }
}

/** When a rank's host was at what, by cause, disjoint and by start. */
function stretchesOf({ read }: DeviceReplay): ReadonlyMap<string, readonly Interval[]> {
  const byCause = new Map<string, Window[]>()
  for (const stretch of read.program.stretches) if (stretch.cause) addTo(byCause, stretch.cause, stretch)
  return new Map([...byCause].map(([cause, list]) => [cause, timesOf(list)]))
}
