/**
 * Findings of a device where nothing can be predicted: causes by their share of its time. Each gap
 * has one cause (idle-reasons.ts), copies and collectives count by what ran alone (device-time.ts),
 * so each moment of the device's extent counts once.
 */
import { percentText } from '../base/figures'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import { CauseFacts } from './cause-facts'
import { wordsOf } from './cause-words'
import type { AloneTime, DeviceTime, WorkKind } from './device-time'
import type { DeviceSummary } from './devices'
import { evidenceOf } from './finding-words'
import type { Example, Finding, IdleReason } from './findings'
import type { IdleReasons } from './idle-reasons'
import { IndexedSet } from './intervals'
import { CAUSES, type Cause } from './replay/causes'

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

/** The parts of a cause: gaps, or what ran alone. */
interface Part {
  readonly us: number
  readonly example: Example
}

/** What ran alone: the union of its parts. */
interface Alone {
  readonly us: number
  readonly parts: readonly Part[]
}

/** The largest share first. */
export function shareFindings(of: Shared): readonly Finding[] {
  const { placed, device, reasons, recordedUs, idleUs, isPage } = of
  const program = isPage ? null : reasons.programOf(device.id)
  const facts = program && new CauseFacts(placed, reasons.stacks, program)
  return CAUSES.flatMap((cause): readonly Finding[] => {
    // Idle time of an unknown reason is an excuse and no finding.
    if (cause === 'unknown') return []
    const alone = aloneOf(of, cause)
    const gaps = device.gaps.flatMap((gap, index): readonly Part[] =>
      gap.cause === cause ? [{ us: gap.durationNs / 1e3, example: { type: 'gap', gap: index } }] : [],
    )
    // The gaps round copies are part of what they cost; what is counted is copies.
    const parts = alone.us > 0 ? alone.parts : gaps
    const us = gaps.reduce((sum, each) => sum + each.us, alone.us)
    const longest = parts.reduce<Part | null>(
      (most, each) => (most && most.us >= each.us ? most : each),
      null,
    )
    if (!longest || us <= 0) return []
    const share = us / recordedUs
    const { title, beside, mend, onPage } = wordsOf(cause, isPage || (program?.read.stepCount ?? 0) > 1)
    const { what = '', line = null } = facts?.namesOf(cause) ?? {}
    const ownIdleUs = device.totals[cause as IdleReason]?.us ?? 0
    return [
      {
        cause,
        what,
        line,
        usPerStep: us,
        share,
        without: null,
        together: null,
        example: longest.example,
        title,
        sentence: `For ${percentText(share)} of the time the GPU was idle, or did nothing else, while ${beside}.`,
        evidence: evidenceOf(cause, {
          count: parts.length,
          us,
          medianUs: median(parts.map((each) => each.us)),
          longestUs: longest.us,
          idleShare: ownIdleUs > 0 && idleUs > 0 ? ownIdleUs / idleUs : null,
          what,
          copies: device.copies,
        }),
        mend: isPage ? (onPage ?? mend) : mend,
      },
    ]
  }).sort((a, b) => b.usPerStep - a.usPerStep)
}

/** Copies and collectives of a cause that ran alone for some of their time: by that time. */
function aloneOf({ placed, reasons, work, waits, time }: Shared, cause: Cause): Alone {
  const { start, end } = placed.trace.spans
  const of = (spans: readonly number[], { alone, ns }: AloneTime): Alone => {
    const set = IndexedSet.of(alone)
    const parts = spans.flatMap((span): readonly Part[] => {
      const us = set.totalWithin(start[span] ?? 0, end[span] ?? 0) / 1e3
      return us > 0 ? [{ us, example: { type: 'span', span } }] : []
    })
    return { us: ns / 1e3, parts }
  }
  const ofKind = (kind: WorkKind) => work.filter((span) => reasons.work.kindOf(span) === kind)
  switch (cause) {
    case 'pageable-copies':
      return of(ofKind('pageable-copy'), time.pageable)
    case 'copies-in-line':
      return of(ofKind('copy'), time.lone)
    case 'late-rank':
      return of(waits, time.waits)
    case 'collectives':
      return of(ofKind('collective'), time.collectives)
    default:
      return { us: 0, parts: [] }
  }
}
