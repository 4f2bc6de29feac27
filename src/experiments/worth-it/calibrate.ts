/** Which sizes this machine can do in time: a size is not tried once smaller ones, or a known rate, foretell too much. */
import { FaultError } from '../../base/fault'
import type { Dispatch, RunContext } from '../../engine'
import { REPEAT_WARM_UP } from '../../trace/schema'
import { rampClocks, timeDispatch, timePasses } from '../calibrate'
import type { RunServices } from '../run-types'
import { fitsCpu, fitsDevice, foretell, stepsTo } from './plan'

/** Enough calls that compilers and caches have settled, little enough that all sizes take a fraction of a second. */
const SETTLED_MS = 5
const MAX_CALLS = 50

/** The fastest of some calls, ms; the first, which pays for memory, does not count. */
async function timeCalls(context: RunContext, call: () => Promise<unknown>): Promise<number> {
  await context.breathe()
  await call()
  await context.breathe()
  let fastest = Infinity
  let spent = 0
  for (let calls = 0; calls < MAX_CALLS && spent < SETTLED_MS; calls += 1) {
    const startNs = context.session.now()
    await call()
    const ms = (context.session.now() - startNs) / 1e6
    spent += ms
    fastest = Math.min(fastest, ms)
  }
  return fastest
}

/** Time of one product on the CPU by size, ms; sizes that take too long are missing. */
export async function calibrateCpu(
  context: RunContext,
  multiply: (n: number) => Promise<unknown>,
  sizes: readonly number[],
  uses: number,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  let before: { readonly n: number; readonly ms: number } | null = null
  for (const n of stepsTo(sizes)) {
    if (before && !fitsCpu(foretell(before.ms, before.n, n), uses)) break
    const ms = await timeCalls(context, () => multiply(n))
    if (!fitsCpu(ms, uses)) break
    if (sizes.includes(n)) found.set(n, ms)
    before = { n, ms }
  }
  return found
}

export interface TimedDispatch {
  readonly n: number
  readonly dispatch: Dispatch
  /** Of one matmul. */
  readonly ms: number
}

/** Half a ms is enough for an exact clock, 20 steps for a coarse one. */
const enoughMs = (deviceStepNs: number | null): number => Math.max(0.5, (20 * (deviceStepNs ?? 0)) / 1e6)
const MAX_DISPATCHES = 256

/** Rates of the kernel with large matrices, GFLOP/s: it is no slower, and no faster, for certain. */
export interface KnownRates {
  readonly least: number
  readonly most: number
}

/**
 * The same for the device. What its rate or the sizes before foretell to be short enough is timed in one submission, since a browser
 * may take 100 ms to report each.
 */
export async function calibrateDevice(
  context: RunContext,
  services: Pick<RunServices, 'isSoftware' | 'deviceStepNs' | 'roundTripMs'>,
  {
    sizes,
    uses,
    rates,
  }: { readonly sizes: readonly number[]; readonly uses: number; readonly rates: KnownRates },
  prepare: (n: number) => Promise<Dispatch>,
): Promise<ReadonlyMap<number, TimedDispatch>> {
  const found = new Map<number, TimedDispatch>()
  let last: TimedDispatch | null = null
  let left = stepsTo(sizes)
  while (left.length > 0) {
    const known: TimedDispatch | null = last
    const foretold = (n: number): number =>
      Math.min(msAt(n, rates.least), known ? foretell(known.ms, known.n, n) : Infinity)
    const batch = left.filter((n) => fitsDevice(foretold(n), uses))
    if (batch.length === 0) break
    left = left.slice(batch.length)
    const trials: Trial[] = []
    for (const n of batch) {
      const count = Math.min(MAX_DISPATCHES, Math.ceil(enoughMs(services.deviceStepNs) / foretold(n)))
      trials.push({ n, dispatch: await prepare(n), count })
    }
    for (const { n, dispatch, ms } of await timeAll(context, trials, services)) {
      // A clock that stands still must not make the work look like none.
      last = { n, dispatch, ms: Math.max(ms, msAt(n, rates.most)) }
      if (!fitsDevice(last.ms, uses)) left = []
      else if (sizes.includes(n)) found.set(n, last)
    }
  }
  // Clocks that had cooled down ramp up under load; a software adapter has none.
  if (last && !services.isSoftware) await rampClocks(context, last.dispatch, last.ms)
  return found
}

const msAt = (n: number, gflops: number): number => (2 * n ** 3) / (gflops * 1e6)

interface Trial {
  readonly n: number
  readonly dispatch: Dispatch
  /** Dispatches in a pass. */
  readonly count: number
}

/** Two passes each, of which the first pays for first touches; where stamps cannot be believed, one size after the other. */
const timeAll = (
  context: RunContext,
  trials: readonly Trial[],
  { deviceStepNs, roundTripMs }: Pick<RunServices, 'deviceStepNs' | 'roundTripMs'>,
): Promise<readonly TimedDispatch[]> =>
  context.recorded(async () => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    const passes = trials.flatMap(({ dispatch, count }) => {
      const pass = Array<Dispatch>(count).fill(dispatch)
      return [pass, pass]
    })
    const { deviceMs, hostMs } = await timePasses(context, passes)
    const all = deviceMs?.reduce((sum, ms) => sum + ms, 0) ?? 0
    const isCredible = deviceMs && hostMs <= 3 * all + 3 * roundTripMs + 5
    const timed: TimedDispatch[] = []
    for (const [index, { n, dispatch, count }] of trials.entries()) {
      const pair = deviceMs?.slice(2 * index, 2 * index + 2) ?? []
      const ms = isCredible
        ? Math.min(...pair) / count
        : (await timeDispatch(context, dispatch, deviceStepNs)).ms
      timed.push({ n, dispatch, ms })
    }
    return timed
  })

export const tooSlow = (n: number, uses: number): FaultError =>
  new FaultError({
    code: 'limit',
    message: `Even ${String(uses)} × the product of ${String(n)} × ${String(n)} takes too long here, on the CPU or on the device.`,
    hint: 'Choose smaller sizes, or fewer matmuls on each upload.',
    data: { size: n, uses },
  })
