/**
 * How long a dispatch takes on this device, so that work can be sized to a target time. By the
 * device's clock where there is one, but always bounded by the host's: a kernel cannot take longer
 * than from submit() to completion. Runs before anything is measured.
 */
import { encodePass, type Dispatch, type LabDevice, type RunContext } from '../..'
import { REPEAT_WARM_UP } from '../../../trace/schema'

/** A dispatch of many seconds freezes desktops and trips watchdogs (Windows' TDR after 2 s). */
export const MAX_DISPATCH_MS = 50
/** A pass must last this many timestamp quanta: 20 × 65.536 µs = 1.3 ms gives 5 %. */
const QUANTA_PER_PASS = 20
const LEAST_PASS_MS = 0.5
/**
 * Without timestamps, host times decide; completion is reported up to some ms late, so more work is
 * needed.
 */
const HOST_TIMED_PASS_MS = 20
/** Most dispatches in one pass. */
export const MAX_DISPATCHES = 256
/**
 * Growth in one go where the device's clock covers a hundredth of the round trip or less: it may
 * stand still.
 */
const CAREFUL_GROWTH = 4

/** How long a pass must last for the clock at hand: the device's of this step, or the host's. */
export const leastPassMs = (deviceStepNs: number | null): number =>
  deviceStepNs === null ? HOST_TIMED_PASS_MS : Math.max(LEAST_PASS_MS, (QUANTA_PER_PASS * deviceStepNs) / 1e6)

export interface DispatchTiming {
  /** Time of one dispatch, ms. */
  readonly ms: number
  readonly dispatches: number
  readonly by: 'device-clock' | 'host-clock'
}

interface PassTimes {
  /**
   * Time of each pass by the device's clock; null where it has none, or one that cannot be
   * believed.
   */
  readonly deviceMs: readonly number[] | null
  /** Time of all passes, from submit() to completion as the host observes it. */
  readonly hostMs: number
  /** Lower bound for all passes by the host's clock, whatever the device's clock says. */
  readonly leastMs: number
}

const slacks = new WeakMap<LabDevice, number>()
const EMPTY_TRIPS = 3
/**
 * Half as much again as the longest of a few empty round trips (Chromium: 3 ms; Firefox looks for
 * completion every 100 ms), and this.
 */
const OWN_SLACK_MS = 10

/**
 * A submission may take so much longer than twice its passes, ms. Where it takes more, the stamps
 * do not advance as time does, and the host's clock decides: a clock a thousand times too slow
 * would otherwise have a thousand times the work queued.
 */
async function slackOf({ device, queue }: RunContext): Promise<number> {
  let slackMs = slacks.get(device)
  if (slackMs !== undefined) return slackMs
  let longestMs = 0
  for (let trip = 0; trip < EMPTY_TRIPS; trip += 1) {
    const submission = queue.submit('calibration')
    await queue.wait(submission)
    longestMs = Math.max(longestMs, ((submission.completedNs ?? 0) - submission.submitStartNs) / 1e6)
  }
  slackMs = 1.5 * longestMs + OWN_SLACK_MS
  slacks.set(device, slackMs)
  return slackMs
}

/**
 * Passes of one submission, one for each list of dispatches, awaited. A thread that was paused is
 * no reason to distrust a clock: twice is.
 */
async function timePasses(context: RunContext, passes: readonly (readonly Dispatch[])[]): Promise<PassTimes> {
  const slackMs = await slackOf(context)
  const times = await timePassesOnce(context, passes, slackMs)
  return times.deviceMs || !context.device.hasTimestamps
    ? times
    : await timePassesOnce(context, passes, slackMs)
}

async function timePassesOnce(
  { queue, session }: RunContext,
  passes: readonly (readonly Dispatch[])[],
  slackMs: number,
): Promise<PassTimes> {
  const encoded: GPUComputePassEncoder[] = []
  const submission = queue.submit('calibration', (encoder) => {
    for (const dispatches of passes) encoded.push(encodePass(encoder, 'calibration', dispatches))
  })
  await queue.wait(submission)
  await queue.collect()
  const hostMs = ((submission.completedNs ?? submission.submitEndNs) - submission.submitStartNs) / 1e6
  const deviceMs = encoded.flatMap((pass) => {
    const ticks = session.ticksOf(pass)
    return ticks === undefined ? [] : [ticks / 1e6]
  })
  const all = deviceMs.reduce((sum, ms) => sum + ms, 0)
  const isCredible = deviceMs.length === passes.length && hostMs - 2 * all <= slackMs && all <= hostMs + 1
  return { deviceMs: isCredible ? deviceMs : null, hostMs, leastMs: Math.max(0, hostMs - slackMs) }
}

/** The shorter of two equal passes: the first may pay for first touches. */
const shorterOf = ({ deviceMs, hostMs, leastMs }: PassTimes): number =>
  deviceMs ? Math.max(Math.min(...deviceMs), leastMs / 2) : hostMs / 2

/**
 * How long one dispatch takes. Passes come in pairs of one submission, since a browser may take 100
 * ms to report each; the first of a size pays for first touches. The number of dispatches grows
 * until a pass is long enough for the clock at hand, while a pass stays under MAX_DISPATCH_MS by
 * either clock.
 */
export async function timeDispatch(
  context: RunContext,
  dispatch: Dispatch,
  deviceStepNs: number | null,
): Promise<DispatchTiming> {
  return await context.recorded(async () => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    const enoughMs = leastPassMs(deviceStepNs)
    for (let count = 1; ;) {
      const pass = Array<Dispatch>(count).fill(dispatch)
      const pair = await timePasses(context, [pass, pass])
      const { deviceMs, hostMs } = pair
      const ms = shorterOf(pair)
      const enough = deviceMs ? enoughMs : HOST_TIMED_PASS_MS
      const perDispatchMs = ms / count
      const wanted = Math.ceil((1.2 * enough) / Math.max(perDispatchMs, 1e-4))
      const most = hostMs > 100 * ms ? count * CAREFUL_GROWTH : MAX_DISPATCHES
      const grown = Math.min(MAX_DISPATCHES, most, Math.max(wanted, count + 1))
      if (ms >= enough || count === MAX_DISPATCHES || perDispatchMs * grown > MAX_DISPATCH_MS) {
        // This many dispatches take some time, so a clock that shows none stands still.
        if (ms === 0) return timing(hostMs / 2, count, null)
        if (count > 1) return timing(ms, count, deviceMs)
        // One dispatch was enough: the second pair is not the first of its size.
        const again = await timePasses(context, [pass, pass])
        const best = shorterOf(again)
        return timing(best > 0 ? Math.min(ms, best) : ms, count, again.deviceMs)
      }
      count = grown
    }
  })
}

/**
 * How long one dispatch of each takes, ms: all of them in one submission, twice, since a browser
 * may take 100 ms to report each. Singly, and each until its pass is long enough, where the
 * device's clock cannot tell them apart.
 */
export async function timeEach(
  context: RunContext,
  dispatches: readonly Dispatch[],
  deviceStepNs: number | null,
): Promise<readonly number[]> {
  const enoughMs = leastPassMs(deviceStepNs)
  const pairs = await context.recorded(async () => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    if (dispatches.length < 2 || deviceStepNs === null) return []
    const passes = dispatches.map((dispatch) => [dispatch])
    return [await timePasses(context, passes), await timePasses(context, passes)]
  })
  const times: number[] = []
  for (const [index, dispatch] of dispatches.entries()) {
    const ms = Math.min(...pairs.map(({ deviceMs }) => deviceMs?.[index] ?? 0))
    const isEnough = pairs.length > 0 && ms >= enoughMs
    times.push(isEnough ? ms : (await timeDispatch(context, dispatch, deviceStepNs)).ms)
  }
  return times
}

const timing = (ms: number, count: number, deviceMs: readonly number[] | null): DispatchTiming => ({
  ms: ms / count,
  dispatches: count,
  by: deviceMs ? 'device-clock' : 'host-clock',
})
