/**
 * Idle time by cause in a link that holds part of a trace: worked out from the whole by the sender's page, carried as text, shown as it
 * came. It is not worked out again from the part, which would give other shares. Numbers to twelve figures, so that they read the same; what is not legible is none.
 */
import { idleTotals, type IdleCause, type IdleVariant } from '../analysis/idle-totals'
import { GAP_CAUSES, type Gap } from '../trace/gaps'
import { CARRIED, leftOutOf } from '../trace/left-out'
import type { Trace } from '../trace/schema'

export { leftOutOf }

const short = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(12))

const carriedText = (totals: readonly IdleVariant[]): string =>
  JSON.stringify(
    totals.map(({ variant, repeats, extentNs, idleNs, causes }) => [
      variant,
      repeats,
      short(extentNs),
      short(idleNs),
      causes.map(({ cause, count, totalNs, longestNs, perRepeat: { value, low, high, n } }) => [
        GAP_CAUSES.indexOf(cause),
        count,
        short(totalNs),
        short(longestNs),
        short(value),
        short(low),
        short(high),
        n,
      ]),
    ]),
  )

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
const orNull = (value: unknown): number | null => (isNumber(value) ? value : null)
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function readCause(raw: unknown, variant: string, extentNs: number): readonly IdleCause[] {
  const [which, count, totalNs, longestNs, value, low, high, n] = asList(raw)
  const cause = typeof which === 'number' ? GAP_CAUSES[which] : undefined
  if (cause === undefined || !isNumber(count) || !isNumber(totalNs) || !isNumber(longestNs)) return []
  const perRepeat = {
    name: `idle-${cause}`,
    variant,
    unit: 'ms',
    origin: 'device-clock',
    value: orNull(value),
    low: orNull(low),
    high: orNull(high),
    n: orNull(n) ?? 0,
  } as const
  return [{ cause, count, totalNs, share: totalNs / extentNs, longestNs, longest: -1, perRepeat }]
}

/** A link may have been written by anyone. */
function readCarried(text: unknown, trace: Trace): readonly IdleVariant[] {
  if (typeof text !== 'string') return []
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return []
  }
  return asList(raw).flatMap((each): readonly IdleVariant[] => {
    const [variant, repeats, extentNs, idleNs, causes] = asList(each)
    if (typeof variant !== 'string' || !isNumber(repeats) || !isNumber(extentNs) || !isNumber(idleNs))
      return []
    const variantIndex = trace.strings.indexOf(variant)
    return [
      {
        variant,
        variantIndex,
        repeats,
        extentNs,
        idleNs,
        causes: asList(causes).flatMap((cause) => readCause(cause, variant, extentNs)),
      },
    ]
  })
}

/** Of the whole run: from its trace, or, where only part of that is here, as they came with it. */
export const totalsOf = (trace: Trace, gaps: readonly Gap[]): readonly IdleVariant[] =>
  leftOutOf(trace) === null ? idleTotals(trace, gaps) : readCarried(trace.info.derived[CARRIED], trace)

/** To travel with a part of this trace; a part itself hands on what it came with. */
export const carriedOf = (trace: Trace, gaps: readonly Gap[]): string => carriedText(totalsOf(trace, gaps))
