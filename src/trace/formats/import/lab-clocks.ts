/**
 * Device clocks of a file that the lab wrote: the brackets in its metadata and the raw ticks of its
 * spans, so that each edge has the bound that it had, and no other. Believed only where the two
 * agree with what the file shows: where one span of a clock does not (a file that was changed by
 * hand, or made up), that clock is not restored, and its spans stand as drawn, to the widest bound
 * written.
 */
import * as v from 'valibot'
import { isOnAxis } from '../../budget'
import { ClockFitter, toHostNs, type ClockFit } from '../../clock'
import type { ClockSnapshot } from '../../schema'
import { rawTickOf, ticksFrom, type RawTick } from './raw-tick'

export interface LabClock {
  readonly name: string
  readonly stepNs: number
  readonly originTick: string
  readonly origin: RawTick
  readonly brackets: readonly Omit<ClockSnapshot, 'clock'>[]
  /** `${pid} ${tid}`. */
  readonly threads: ReadonlySet<string>
  readonly fit: ClockFit
}

/** A run has a handful; more are no clock of the lab's. */
const MAX_CLOCKS = 64
const MAX_BRACKETS = 100_000
/**
 * Times are written as whole ns, ticks too, and a span that carries an arrow lasts at least 1 ns.
 */
const AGREES_NS = 4

export const threadName = (pid: string | number, tid: string | number): string =>
  `${String(pid)} ${String(tid)}`

/** NaN is none. One check, as there may be 400,000 of them. */
const time = v.custom<number>((value) => typeof value === 'number' && isOnAxis(value))
const clockShape = v.object({
  kind: v.literal('device'),
  name: v.fallback(v.string(), 'device timestamps'),
  stepNs: v.pipe(time, v.minValue(0)),
  originTick: v.string(),
  brackets: v.pipe(
    v.array(v.object({ hostBeforeNs: time, beginTick: time, endTick: time, hostAfterNs: time })),
    v.minLength(1),
    v.maxLength(MAX_BRACKETS),
  ),
  threads: v.fallback(v.array(v.unknown()), []),
})
const threadShape = v.object({ pid: time, tid: time })

/** Those that can be fitted; what is missing, of another kind or out of order makes none. */
export function readLabClocks(clocks: readonly unknown[], hostStepNs: number): readonly LabClock[] {
  return clocks.slice(0, MAX_CLOCKS).flatMap((clock) => {
    // Its output, not the file's own objects: nothing but what is named above.
    const { success, output } = v.safeParse(clockShape, clock, { abortEarly: true })
    const origin = success ? rawTickOf(output.originTick) : null
    if (!success || !origin) return []
    const { name, stepNs, originTick, brackets } = output
    const fitter = new ClockFitter(0, { hostStepNs, deviceStepNs: stepNs })
    for (const bracket of brackets) fitter.add({ clock: 0, ...bracket })
    const result = fitter.result()
    if (result.state !== 'fitted') return []
    const threads = output.threads.flatMap((thread) =>
      v.is(threadShape, thread) ? [threadName(thread.pid, thread.tid)] : [],
    )
    return [
      {
        name,
        stepNs,
        originTick,
        origin,
        brackets,
        threads: new Set(threads),
        fit: result.fit,
      },
    ]
  })
}

export interface TickTimes {
  readonly start: number
  readonly end: number
}

/**
 * A span's edges in ticks; null where it has none, or where they are not what is drawn from
 * `startNs` to `endNs`.
 */
export function spanTicks(
  { origin, fit, stepNs }: LabClock,
  beginTick: RawTick | null,
  endTick: RawTick | null,
  startNs: number,
  endNs: number,
): TickTimes | null {
  if (!beginTick || !endTick) return null
  const [start, end] = [ticksFrom(origin, beginTick), ticksFrom(origin, endTick)]
  if (!(start <= end && isOnAxis(start) && isOnAxis(end))) return null
  const [beganNs, endedNs] = [toHostNs(fit, start + stepNs / 2), toHostNs(fit, end + stepNs / 2)]
  // A pass that was stamped as begun while the one before still ran is drawn from where that ended
  // (slices.ts).
  const isDrawn = startNs >= beganNs - AGREES_NS && Math.abs(endedNs - endNs) <= AGREES_NS
  return isDrawn ? { start, end } : null
}

/** An instant's time in ticks; null as above. */
export function instantTick(
  { origin, fit }: LabClock,
  atTick: RawTick | null,
  timeNs: number,
): number | null {
  if (!atTick) return null
  const tick = ticksFrom(origin, atTick)
  return Math.abs(toHostNs(fit, tick) - timeNs) <= AGREES_NS ? tick : null
}
