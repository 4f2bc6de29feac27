/**
 * Findings of a device where nothing can be predicted: causes by their share of its time. Each gap
 * has one cause (idle-reasons.ts), copies and collectives count by what ran alone (device-time.ts),
 * so each moment of the device's extent counts once.
 */
import { counted, durationText, percentText } from '../base/figures'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import { CauseFacts } from './cause-facts'
import { wordsOf } from './cause-words'
import type { AloneTime, DeviceTime, WorkKind } from './device-time'
import type { DeviceSummary } from './devices'
import type { Example, Finding } from './findings'
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
  readonly isPage: boolean
}

/** The parts of a cause: gaps, or what ran alone. */
interface Part {
  readonly us: number
  readonly example: Example
}

/** What ran alone: the union of its parts. */
interface Alone {
  readonly noun: 'copy' | 'collective'
  readonly us: number
  readonly parts: readonly Part[]
}

/** The largest share first. */
export function shareFindings(of: Shared): readonly Finding[] {
  const { placed, device, reasons, recordedUs, isPage } = of
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
    const [longest] = parts.toSorted((a, b) => b.us - a.us)
    if (!longest || us <= 0) return []
    const share = us / recordedUs
    const { title, beside, mend, onPage } = wordsOf(cause, isPage || (program?.read.stepCount ?? 0) > 1)
    const { what = '', line = null } = facts?.namesOf(cause) ?? {}
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
        evidence: `${countedText(alone.us > 0 ? alone.noun : 'gap', parts, longest.us, us)}${what === '' ? '' : ` The host was mostly in ${what}.`}`,
        mend: isPage ? (onPage ?? mend) : mend,
      },
    ]
  }).sort((a, b) => b.usPerStep - a.usPerStep)
}

const PLURALS = { gap: 'gaps', copy: 'copies', collective: 'collectives' } as const

/** '9 gaps, median 12 µs, longest 40 µs; 150 µs in all.' */
function countedText(
  noun: keyof typeof PLURALS,
  parts: readonly Part[],
  longestUs: number,
  sumUs: number,
): string {
  const [middle, longest, sum] = [median(parts.map((each) => each.us)), longestUs, sumUs].map((us) =>
    durationText(us * 1e3),
  )
  const count = `${counted(parts.length, noun, PLURALS[noun])}${noun === 'gap' ? '' : ' with no kernel running'}`
  return parts.length === 1
    ? `${count}; ${String(sum)}.`
    : `${count}, median ${String(middle)}, longest ${String(longest)}; ${String(sum)} in all.`
}

/** Copies and collectives of a cause that ran alone for some of their time: by that time. */
function aloneOf({ placed, reasons, work, waits, time }: Shared, cause: Cause): Alone {
  const { start, end } = placed.trace.spans
  const of = (noun: Alone['noun'], spans: readonly number[], { alone, ns }: AloneTime): Alone => {
    const set = IndexedSet.of(alone)
    const parts = spans.flatMap((span): readonly Part[] => {
      const us = set.totalWithin(start[span] ?? 0, end[span] ?? 0) / 1e3
      return us > 0 ? [{ us, example: { type: 'span', span } }] : []
    })
    return { noun, us: ns / 1e3, parts }
  }
  const ofKind = (kind: WorkKind) => work.filter((span) => reasons.work.kindOf(span) === kind)
  switch (cause) {
    case 'pageable-copies':
      return of('copy', ofKind('pageable-copy'), time.pageable)
    case 'copies-in-line':
      return of('copy', ofKind('copy'), time.lone)
    case 'late-rank':
      return of('collective', waits, time.waits)
    case 'collectives':
      return of('collective', ofKind('collective'), time.collectives)
    default:
      return { noun: 'copy', us: 0, parts: [] }
  }
}
