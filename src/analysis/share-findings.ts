/**
 * Findings of a device where nothing can be replayed: causes by their share of its time. Idle time
 * has a reason each gap (idle-reasons.ts), copies and collectives count by what ran alone
 * (device-time.ts), so each moment of the device's extent counts once.
 */
import { percentText } from '../base/figures'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import { CAUSE_WORDS } from './cause-words'
import { evidenceOf } from './finding-words'
import type { AloneTime, DeviceTime, WorkKind } from './device-time'
import type { DeviceSummary } from './devices'
import type { Example, Finding, IdleReason } from './findings'
import { HostLook } from './host-look'
import type { IdleReasons } from './idle-reasons'
import { IndexedSet } from './intervals'
import { CAUSES, type Cause } from './replay/causes'

/**
 * At most this number of gaps of one reason is looked up in the thread's calls: they stand for all
 * of them.
 */
const MOST_LOOKS = 2000

/** Adds up one finding. */
class Tally {
  lengthsUs: number[] = []
  us = 0
  longestUs = 0
  longest: Example | null = null
  readonly look: HostLook

  constructor(look: HostLook) {
    this.look = look
  }

  /** One gap, copy or collective: `us` of what it costs. */
  add(us: number, lengthUs: number, example: Example): void {
    this.us += us
    this.lengthsUs.push(lengthUs)
    if (this.longest && lengthUs <= this.longestUs) return
    this.longestUs = lengthUs
    this.longest = example
  }
}

export interface Shared {
  readonly placed: PlacedTrace
  readonly device: DeviceSummary
  readonly reasons: IdleReasons
  /** Spans of the device: its work, and its waits for the last rank. */
  readonly work: readonly number[]
  readonly waits: readonly number[]
  readonly time: DeviceTime
  readonly recordedUs: number
  readonly idleUs: number
  readonly isPage: boolean
}

/** The largest share first. */
export function shareFindings(of: Shared): readonly Finding[] {
  const tallies = new Map<Cause | IdleReason, Tally>()
  const tallyOf = (cause: Cause | IdleReason): Tally => {
    const tally = tallies.get(cause) ?? new Tally(new HostLook(of.placed, of.reasons))
    tallies.set(cause, tally)
    return tally
  }
  addGaps(of, tallyOf)
  addAlone(of, tallyOf)
  return CAUSES.flatMap((cause) => {
    const tally = tallies.get(cause)
    // Idle time of an unknown reason is an excuse and no finding.
    return cause === 'unknown' || !tally ? [] : (findingOf(of, cause, tally) ?? [])
  }).sort((a, b) => b.usPerStep - a.usPerStep)
}

function addGaps({ device }: Shared, tallyOf: (cause: IdleReason) => Tally): void {
  const { gaps, reasoned } = device
  for (const [index, gap] of gaps.entries()) {
    const us = gap.durationNs / 1e3
    tallyOf(gap.cause as IdleReason).add(us, us, { type: 'gap', gap: index }) // of a profile
  }
  const seen = new Map<IdleReason, number>()
  for (const [index, gap] of gaps.entries()) {
    const found = reasoned[index]
    if (!found) break
    const { look, lengthsUs } = tallyOf(found.cause)
    const at = seen.get(found.cause) ?? 0
    if (at % Math.ceil(lengthsUs.length / MOST_LOOKS) === 0) look.add(found, gap)
    seen.set(found.cause, at + 1)
  }
}

/** Copies and collectives that ran alone for some of their time: by that time. */
function addAlone({ placed, reasons, work, waits, time }: Shared, tallyOf: (cause: Cause) => Tally): void {
  const { start, end } = placed.trace.spans
  const add = (cause: Cause, spans: readonly number[], { alone, ns }: AloneTime) => {
    if (ns === 0) return
    const tally = tallyOf(cause)
    // The gaps round copies are part of what they cost; what is counted is copies.
    tally.lengthsUs = []
    tally.longest = null
    tally.us += ns / 1e3
    const set = IndexedSet.of(alone)
    for (const span of spans) {
      const aloneUs = set.totalWithin(start[span] ?? 0, end[span] ?? 0) / 1e3
      if (aloneUs <= 0) continue
      tally.add(0, aloneUs, { type: 'span', span })
      const call = reasons.callOf(span)
      if (call >= 0) tally.look.source.add(call, aloneUs)
    }
  }
  const ofKind = (kind: WorkKind) => work.filter((span) => reasons.work.kindOf(span) === kind)
  add('pageable-copies', ofKind('pageable-copy'), time.pageable)
  add('copies-in-line', ofKind('copy'), time.lone)
  add('late-rank', waits, time.waits)
  add('collectives', ofKind('collective'), time.collectives)
}

function findingOf(
  { device, recordedUs, idleUs, isPage }: Shared,
  cause: Cause,
  { us, lengthsUs, longest, longestUs, look }: Tally,
): Finding | null {
  if (!longest || us <= 0) return null
  const share = us / recordedUs
  const { title, beside, mend, onPage } = CAUSE_WORDS[cause]
  const activity = look.source.activity()
  const wait = look.wait()
  const ownIdleUs = device.totals[cause as IdleReason]?.us ?? 0
  return {
    cause,
    what: wait ?? activity ?? '',
    line: look.source.line(),
    usPerStep: us,
    share,
    without: null,
    together: null,
    example: longest,
    title,
    sentence: `For ${percentText(share)} of the time the GPU was idle, or did nothing else, while ${beside}.`,
    evidence: evidenceOf(cause, {
      count: lengthsUs.length,
      us,
      medianUs: median(lengthsUs),
      longestUs,
      idleShare: ownIdleUs > 0 && idleUs > 0 ? ownIdleUs / idleUs : null,
      wait,
      activity: isPage && activity === '' ? null : activity,
      copies: device.copies,
    }),
    mend: isPage ? (onPage ?? mend) : mend,
  }
}
