/**
 * Measures this device's rate, so that work can be sized to a target time (`sizing.ts`), and probes the clock.
 * Runs before anything is measured; its spans are tagged as warm-up.
 */
import type { Dispatch, PassRecord, RunContext } from '../engine'
import { REPEAT_WARM_UP } from '../trace/schema'

/** A pass must last this many timestamp quanta: 20 × 65.536 µs = 1.3 ms gives 5 %. */
const QUANTA_PER_PASS = 20
/** Without timestamps, host times decide; completion is heard up to 3 ms late (MEASURED), so more work is needed. */
const HOST_TIMED_PASS_MS = 20
const MAX_DISPATCHES = 256

export interface DispatchTiming {
  /** Median time of one dispatch, ms. */
  readonly ms: number
  readonly dispatches: number
  readonly by: 'device-clock' | 'host-clock'
}

/** Time of one pass with these dispatches, awaited: by the device's clock where it has one, and by the host's. */
export async function timePass(
  context: RunContext,
  dispatches: readonly Dispatch[],
): Promise<{ readonly deviceMs: number | null; readonly hostMs: number }> {
  const { queue } = context
  const encoding = queue.encode('calibration')
  const pass: PassRecord = encoding.pass('calibration', dispatches)
  const submission = queue.submit('calibration', [encoding])
  await queue.wait(submission)
  const durations = await queue.collect()
  const ticks = durations.get(pass)
  return {
    deviceMs: ticks === undefined ? null : ticks / 1e6,
    hostMs: ((submission.completedNs ?? submission.submitEndNs) - submission.submitStartNs) / 1e6,
  }
}

/**
 * How long one dispatch takes. Grows the number of dispatches in a pass until the pass is long enough for the clock at hand,
 * while a pass stays under `maxPassMs`.
 */
export async function timeDispatch(
  context: RunContext,
  dispatch: Dispatch,
  deviceStepNs: number | null,
  maxPassMs = 50,
): Promise<DispatchTiming> {
  return await context.recorded(async () => {
    context.recorder.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    const enoughMs = Math.max(0.5, (QUANTA_PER_PASS * (deviceStepNs ?? 0)) / 1e6)
    for (let count = 1; ;) {
      const { deviceMs, hostMs } = await timePass(context, Array<Dispatch>(count).fill(dispatch))
      const ms = deviceMs ?? hostMs
      const enough = deviceMs === null ? HOST_TIMED_PASS_MS : enoughMs
      const grown = Math.min(MAX_DISPATCHES, count * 4)
      if (ms >= enough || count === MAX_DISPATCHES || (ms / count) * grown > maxPassMs) {
        // The last size twice more: the first pass of a size pays for first touches.
        const again = [
          await timePass(context, Array<Dispatch>(count).fill(dispatch)),
          await timePass(context, Array<Dispatch>(count).fill(dispatch)),
        ]
        const best = Math.min(...again.map((timing) => timing.deviceMs ?? timing.hostMs))
        return { ms: best / count, dispatches: count, by: deviceMs === null ? 'host-clock' : 'device-clock' }
      }
      count = grown
    }
  })
}

/** Clocks of a GPU ramp up under load (DVFS): keep it busy for this long before a rate is believed (MECHANICS §8.7). */
const RAMP_MS = 200

/** Runs a dispatch for about RAMP_MS; on a software adapter there is no clock to ramp. */
export async function rampClocks(context: RunContext, dispatch: Dispatch, oneMs: number): Promise<void> {
  const { queue, recorder } = context
  recorder.tag = { variant: 'ramp', repeat: REPEAT_WARM_UP, step: -1 }
  const count = Math.max(1, Math.min(MAX_DISPATCHES, Math.floor(20 / Math.max(oneMs, 1e-3))))
  const start = recorder.now()
  while (recorder.now() - start < RAMP_MS * 1e6) {
    const encoding = queue.encode('ramp')
    encoding.pass('ramp', Array<Dispatch>(count).fill(dispatch))
    await queue.wait(queue.submit('ramp', [encoding]))
  }
  await queue.collect()
}

/** Probes enough to hit the completion poll at every phase; each takes a few ms. */
const CLOCK_PROBES = 24
/** Host busy-waits this long between the submit and the nudge that makes Chromium poll: the kernel takes some µs. */
const NUDGE_DELAYS_US = [60, 120, 250, 500]

/**
 * Tight causality brackets with the queue idle: the smallest dispatch, and an empty submit a little later, which makes the GPU
 * process look for completion at once instead of at its next poll (MECHANICS §3). Used here only: it disturbs a queue at work.
 */
export async function probeClock(context: RunContext, tick: Dispatch): Promise<void> {
  const { queue, recorder } = context
  recorder.tag = { variant: 'clock probe', repeat: REPEAT_WARM_UP, step: -1 }
  for (let probe = 0; probe < CLOCK_PROBES; probe += 1) {
    const encoding = queue.encode('clock probe')
    encoding.pass('clock probe', [tick])
    const submission = queue.submit('clock probe', [encoding])
    const delayNs = (NUDGE_DELAYS_US[probe % NUDGE_DELAYS_US.length] ?? 0) * 1e3
    while (recorder.now() - submission.submitEndNs < delayNs);
    queue.nudge()
    await queue.wait(submission)
  }
  await queue.collect()
}
