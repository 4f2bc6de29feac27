/**
 * Measures this device's rate, so that work can be sized to a target time (`sizing.ts`), and probes the clock.
 * Runs before anything is measured; its spans are tagged as warm-up.
 */
import type { Dispatch, Pass, RunContext } from '../engine'
import { REPEAT_WARM_UP } from '../trace/schema'

/** A pass must last this many timestamp quanta: 20 × 65.536 µs = 1.3 ms gives 5 %. */
const QUANTA_PER_PASS = 20
/** Without timestamps, host times decide; completion is reported up to some ms late, so more work is needed. */
const HOST_TIMED_PASS_MS = 20
const MAX_DISPATCHES = 256
/**
 * A round trip may take this much longer than its passes: Firefox looks for completion every 100 ms. Where it takes more, the stamps
 * do not advance as time does, and the host's clock decides.
 */
const SLACK_MS = 150
/** Growth in one go where the device's clock covers a hundredth of the round trip or less: it may stand still. */
const CAREFUL_GROWTH = 4

export interface DispatchTiming {
  /** Time of one dispatch, ms. */
  readonly ms: number
  readonly dispatches: number
  readonly by: 'device-clock' | 'host-clock'
}

export interface PassTimes {
  /** Of each pass, by the device's clock; null where it has none, or one that cannot be believed. */
  readonly deviceMs: readonly number[] | null
  /** Of all of them, from submit() to completion as the host observes it. */
  readonly hostMs: number
}

/** Passes of one submission, one for each list of dispatches, awaited. A thread that was paused is no reason to distrust a clock: twice is. */
export async function timePasses(
  context: RunContext,
  passes: readonly (readonly Dispatch[])[],
): Promise<PassTimes> {
  const times = await timePassesOnce(context, passes)
  return times.deviceMs || !context.device.hasTimestamps ? times : await timePassesOnce(context, passes)
}

async function timePassesOnce(
  context: RunContext,
  passes: readonly (readonly Dispatch[])[],
): Promise<PassTimes> {
  const { queue } = context
  const encoding = queue.encode('calibration')
  const encoded: readonly Pass[] = passes.map((dispatches) => encoding.pass('calibration', dispatches))
  const submission = queue.submit('calibration', [encoding])
  await queue.wait(submission)
  const durations = await queue.collect()
  const hostMs = ((submission.completedNs ?? submission.submitEndNs) - submission.submitStartNs) / 1e6
  const deviceMs = encoded.flatMap((pass) => {
    const ticks = durations.get(pass)
    return ticks === undefined ? [] : [ticks / 1e6]
  })
  const all = deviceMs.reduce((sum, ms) => sum + ms, 0)
  const isCredible = deviceMs.length === passes.length && hostMs - all <= SLACK_MS && all <= hostMs + 1
  return { deviceMs: isCredible ? deviceMs : null, hostMs }
}

/** Time of one pass with these dispatches, awaited: by the device's clock where it has one, and by the host's. */
export async function timePass(
  context: RunContext,
  dispatches: readonly Dispatch[],
): Promise<{ readonly deviceMs: number | null; readonly hostMs: number }> {
  const { deviceMs, hostMs } = await timePasses(context, [dispatches])
  return { deviceMs: deviceMs?.[0] ?? null, hostMs }
}

/**
 * How long one dispatch takes. Passes come in pairs of one submission, since a browser may take 100 ms to report each; the first of
 * a size pays for first touches. The number of dispatches grows until a pass is long enough for the clock at hand, while a pass
 * stays under `maxPassMs` by either clock.
 */
export async function timeDispatch(
  context: RunContext,
  dispatch: Dispatch,
  deviceStepNs: number | null,
  maxPassMs = 50,
): Promise<DispatchTiming> {
  return await context.recorded(async () => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    const enoughMs = Math.max(0.5, (QUANTA_PER_PASS * (deviceStepNs ?? 0)) / 1e6)
    for (let count = 1; ;) {
      const pass = Array<Dispatch>(count).fill(dispatch)
      const { deviceMs, hostMs } = await timePasses(context, [pass, pass])
      const ms = deviceMs ? Math.min(...deviceMs) : hostMs / 2
      const enough = deviceMs ? enoughMs : HOST_TIMED_PASS_MS
      const perDispatchMs = ms / count
      const wanted = Math.ceil((1.2 * enough) / Math.max(perDispatchMs, 1e-4))
      const most = hostMs > 100 * ms ? count * CAREFUL_GROWTH : MAX_DISPATCHES
      const grown = Math.min(MAX_DISPATCHES, most, Math.max(wanted, count + 1))
      if (ms >= enough || count === MAX_DISPATCHES || perDispatchMs * grown > maxPassMs) {
        // So many dispatches take some time: a clock by which they take none stands still.
        if (ms === 0) return timing(hostMs / 2, count, null)
        if (count > 1) return timing(ms, count, deviceMs)
        // One dispatch was enough: the second pair is not the first of its size.
        const again = await timePasses(context, [pass, pass])
        const best = again.deviceMs ? Math.min(...again.deviceMs) : again.hostMs / 2
        return timing(best > 0 ? Math.min(ms, best) : ms, count, again.deviceMs)
      }
      count = grown
    }
  })
}

/**
 * How long one dispatch of each takes, ms: all of them in one submission, twice, since a browser may take 100 ms to report each.
 * Singly, and each until its pass is long enough, where the device's clock cannot tell them apart.
 */
export async function timeEach(
  context: RunContext,
  dispatches: readonly Dispatch[],
  deviceStepNs: number | null,
): Promise<readonly number[]> {
  const passes = dispatches.map((dispatch) => [dispatch])
  const [first, second] = await context.recorded(async () => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    return [await timePasses(context, passes), await timePasses(context, passes)]
  })
  const enoughMs = (QUANTA_PER_PASS * (deviceStepNs ?? Infinity)) / 1e6
  const times: number[] = []
  for (const [index, dispatch] of dispatches.entries()) {
    const ms = Math.min(first.deviceMs?.[index] ?? 0, second.deviceMs?.[index] ?? 0)
    times.push(ms >= enoughMs ? ms : (await timeDispatch(context, dispatch, deviceStepNs)).ms)
  }
  return times
}

const timing = (ms: number, count: number, deviceMs: readonly number[] | null): DispatchTiming => ({
  ms: ms / count,
  dispatches: count,
  by: deviceMs ? 'device-clock' : 'host-clock',
})

/** Clocks of a GPU ramp up under load (DVFS): keep it busy for this long before a rate is believed. */
const RAMP_MS = 200

/** Runs a dispatch for about RAMP_MS; on a software adapter there is no clock to ramp. */
export async function rampClocks(context: RunContext, dispatch: Dispatch, oneMs: number): Promise<void> {
  const { queue, session } = context
  session.tag = { variant: 'ramp', repeat: REPEAT_WARM_UP, step: -1 }
  const count = Math.max(1, Math.min(MAX_DISPATCHES, Math.floor(20 / Math.max(oneMs, 1e-3))))
  const start = session.now()
  while (session.now() - start < RAMP_MS * 1e6) {
    const encoding = queue.encode('ramp')
    encoding.pass('ramp', Array<Dispatch>(count).fill(dispatch))
    await queue.wait(queue.submit('ramp', [encoding]))
  }
  await queue.collect()
}

/** Probes enough to hit the completion poll at every phase; each takes a few ms, or 100 where completion is looked for so seldom. */
const CLOCK_PROBES = 24
const LEAST_PROBES = 4
const PROBING_MS = 300
/** Host busy-waits this long between the submit and the nudge that makes Chromium poll: the kernel takes some µs. */
const NUDGE_DELAYS_US = [60, 120, 250, 500]

/**
 * Tight causality brackets with the queue idle: the smallest dispatch, and an empty submit a little later, which makes Chromium's GPU
 * process look for completion at once instead of at its next poll. Used here only: it disturbs a queue at work.
 */
export async function probeClock(context: RunContext, tick: Dispatch): Promise<void> {
  const { queue, session } = context
  session.tag = { variant: 'clock probe', repeat: REPEAT_WARM_UP, step: -1 }
  const startNs = session.now()
  for (let probe = 0; probe < CLOCK_PROBES; probe += 1) {
    if (probe >= LEAST_PROBES && session.now() - startNs > PROBING_MS * 1e6) break
    const encoding = queue.encode('clock probe')
    encoding.pass('clock probe', [tick])
    const submission = queue.submit('clock probe', [encoding])
    const delayNs = (NUDGE_DELAYS_US[probe % NUDGE_DELAYS_US.length] ?? 0) * 1e3
    while (session.now() - submission.submitEndNs < delayNs);
    queue.nudge()
    await queue.wait(submission)
  }
  await queue.collect()
}
