/**
 * Why a rank is late: what its device did from the end of the collective before until it began this one, against what the others' did. The
 * device computed longer, or was idle longer, for the cause that devices.ts names; of all that the largest difference, over all late steps.
 */
import { upperBound } from '../../base/search'
import { SPAN_KINDS } from '../../trace/schema'
import { GAP_CAUSES, type Gap } from '../../trace/gaps'
import { IndexedSet, union } from '../intervals'
import { durationText } from '../../base/figures'
import type { Straggler, TimedMatch, TimedMember } from './stragglers'
import type { StragglerCause, Rank } from './types'

export interface FoundCause {
  readonly cause: StragglerCause
  /** One sentence with the figures. */
  readonly evidence: string
}

const CAUSES: readonly StragglerCause[] = ['more-work', ...GAP_CAUSES]
const WORK = new Set([SPAN_KINDS.indexOf('compute'), SPAN_KINDS.indexOf('transfer')])

export function causeOf(late: Straggler, ranks: readonly Rank[], matches: readonly TimedMatch[]): FoundCause {
  const devices = new Map(ranks.map((rank) => [rank.rank, new DeviceTimes(rank)]))
  const ends = endsByRank(matches)
  const more = new Map<StragglerCause, number>(CAUSES.map((cause) => [cause, 0]))
  const spent: { readonly own: number; readonly others: number }[] = []
  const windows: Window[] = []
  for (const { worst } of late.late) {
    const own = windowOf(worst.last, ends)
    const others = worst.members
      .filter(({ rank }) => rank !== late.rank)
      .flatMap((member) => {
        const window = windowOf(member, ends)
        return window ? [{ window, times: devices.get(member.rank) }] : []
      })
    if (!own || others.length === 0) continue
    windows.push(own)
    for (const cause of CAUSES) {
      const ownNs = devices.get(late.rank)?.spent(cause, own) ?? 0
      const othersNs =
        others.reduce((sum, { window, times }) => sum + (times?.spent(cause, window) ?? 0), 0) / others.length
      more.set(cause, (more.get(cause) ?? 0) + ownNs - othersNs)
      if (cause === 'more-work') spent.push({ own: ownNs, others: othersNs })
    }
  }
  const [cause, moreNs] = [...more].reduce((most, each) => (each[1] > most[1] ? each : most))
  if (!(moreNs > 0))
    return {
      cause: 'unknown',
      evidence: 'Its file does not show what it did longer than the others before these collectives.',
    }
  const mean = (of: (each: (typeof spent)[number]) => number) =>
    durationText(spent.reduce((sum, each) => sum + of(each), 0) / Math.max(1, spent.length))
  if (cause === 'more-work')
    return {
      cause,
      evidence: `Its kernels and copies before the collective took ${mean(({ own }) => own)} a step on average, the others’ ${mean(({ others }) => others)}.`,
    }
  const gap = devices.get(late.rank)?.longestGap(cause, windows)
  return {
    cause,
    evidence: `Its device was idle for ${durationText(moreNs / Math.max(1, windows.length))} a step longer than the others’ on average.${gap ? ` ${gap.evidence}` : ''}`,
  }
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
      const list = ends.get(rank)
      if (list) list.push(collective.endNs)
      else ends.set(rank, [collective.endNs])
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

  constructor({ placed, device }: Rank) {
    const { spans, lanes } = placed.trace
    this.#gaps = device?.gaps ?? []
    const work: { start: number; end: number }[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device?.id || !WORK.has(spans.kind[span] ?? -1)) continue
      work.push({ start: placed.startNs[span] ?? Number.NaN, end: placed.endNs[span] ?? Number.NaN })
    }
    this.#sets.set('more-work', IndexedSet.of(union(work)))
    for (const cause of GAP_CAUSES)
      this.#sets.set(
        cause,
        IndexedSet.of(
          union(
            this.#gaps
              .filter((gap) => gap.cause === cause)
              .map(({ startNs, endNs }) => ({ start: startNs, end: endNs })),
          ),
        ),
      )
  }

  spent(cause: StragglerCause, { startNs, endNs }: Window): number {
    return this.#sets.get(cause)?.totalWithin(startNs, endNs) ?? 0
  }

  longestGap(cause: StragglerCause, windows: readonly Window[]): Gap | null {
    let longest: Gap | null = null
    const lengthOf = (gap: Gap | null) => gap?.durationNs ?? 0
    for (const gap of this.#gaps) {
      if (gap.cause !== cause || lengthOf(gap) <= lengthOf(longest)) continue
      const isIn = windows.some(({ startNs, endNs }) => gap.endNs > startNs && gap.startNs < endNs)
      if (isIn) longest = gap
    }
    return longest
  }
}
