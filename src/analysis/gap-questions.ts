/** Questions to a list of gaps: totals by cause, the next one to look at, one in words. */
import type { PlacedTrace } from '../trace/place'
import type { Trace } from '../trace/schema'
import type { Gap, GapCause } from './types'
import { sayDuration } from './wording'

export const GAP_CAUSES: readonly GapCause[] = [
  'host-waited',
  'host-late',
  'upload-not-ready',
  'launch-overhead',
  'unknown',
]

/** In a sentence: 'the device was idle because …'. */
export const causeWords: Readonly<Record<GapCause, string>> = {
  'host-waited': 'the host waited for a result before it submitted more',
  'host-late': 'the host was still at work and had submitted nothing',
  'upload-not-ready': 'the upload was not ready',
  'launch-overhead': 'the next pass was queued and had yet to start',
  unknown: 'the evidence does not decide why',
}

export interface CauseTotal {
  readonly count: number
  readonly totalNs: number
  /** Of the variant's idle time; 0 where there is none. */
  readonly share: number
}
export interface VariantCauses {
  readonly variant: string
  /** Repeats that have gaps. */
  readonly repeats: number
  readonly idleNs: number
  readonly causes: Readonly<Record<GapCause, CauseTotal>>
}

/** Idle time by cause for each variant, all repeats together; variants in the order of their first gap. */
export function causeTotals(trace: Trace, gaps: readonly Gap[]): readonly VariantCauses[] {
  const variants = [...new Set(gaps.map((gap) => gap.variant))]
  return variants.map((variant) => {
    const own = gaps.filter((gap) => gap.variant === variant)
    const idleNs = own.reduce((sum, gap) => sum + gap.durationNs, 0)
    const totalOf = (cause: GapCause): CauseTotal => {
      const some = own.filter((gap) => gap.cause === cause)
      const totalNs = some.reduce((sum, gap) => sum + gap.durationNs, 0)
      return { count: some.length, totalNs, share: idleNs > 0 ? totalNs / idleNs : 0 }
    }
    const causes = Object.fromEntries(GAP_CAUSES.map((cause) => [cause, totalOf(cause)]))
    return {
      variant: trace.strings[variant] ?? '',
      repeats: new Set(own.map((gap) => gap.repeat)).size,
      idleNs,
      causes: causes as Record<GapCause, CauseTotal>, // one entry for each of GAP_CAUSES
    }
  })
}

/** Index of the nearest gap that begins after (1) or before (−1) a host time; null when there is none. Gaps without a place are passed over. */
export function nextGap(gaps: readonly Gap[], fromNs: number, direction: 1 | -1): number | null {
  let best: number | null = null
  let bestDistance = Infinity
  for (const [index, gap] of gaps.entries()) {
    const distance = (gap.startNs - fromNs) * direction
    if (distance > 0 && distance < bestDistance) {
      best = index
      bestDistance = distance
    }
  }
  return best
}

/** A gap in two sentences, for the details pane and the screen reader. */
export function describeGap({ trace }: PlacedTrace, gap: Gap): string {
  const { spans, strings, clocks, lanes } = trace
  const stepNs = clocks[lanes[gap.lane]?.clock ?? -1]?.stepNs ?? 0
  const pass = (span: number) => {
    const step = spans.step[span] ?? -1
    return `${strings[spans.name[span] ?? -1] ?? 'pass'}${step >= 0 ? ` of step ${String(step)}` : ''}`
  }
  const variant = strings[gap.variant] ?? ''
  const where = `between ${pass(gap.before)} and ${pass(gap.after)} (${variant}, repeat ${String(gap.repeat + 1)})`
  const length = `${sayDuration(gap.durationNs)} ± ${sayDuration(stepNs)}`
  return `The device was idle for ${length} ${where}: ${causeWords[gap.cause]}. ${gap.evidence}`
}
