/**
 * One run from device to report: clock probes, the experiment's own half, clock probes again, then everything that is read off
 * the trace. A run that was hidden, whose clock could not be fitted, or whose results are wrong is reported as invalid.
 */
import { RunContext, USAGE, type LabDevice } from '../engine'
import { tickKernel } from '../kernels/calibrate/tick'
import { kernelCall } from '../kernels/kernel'
import { placeTrace, type PlacedTrace } from '../trace/place'
import { REPORT_SCHEMA, type ClockReport, type Environment, type Report } from '../trace/report'
import type { RunInfo, TraceChunk } from '../trace/schema'
import type { Progress } from './progress'
import { probeClock } from './calibrate'
import type { ExperimentMeta, ParamValues } from './experiment'
import { measureVariants } from './measure'
import type { Runner, Window } from './run-types'
import type { TuningMemory } from './tune-types'

export interface RunHooks {
  readonly record: boolean
  readonly live: boolean
  readonly opened: (context: RunContext) => void
  readonly started: (info: RunInfo) => void
  readonly progress: (progress: Progress) => void
  readonly chunk: (chunk: TraceChunk) => void
  readonly tuningMemory?: TuningMemory
}

/** Throws FaultError or CancelledError; a run that ended but cannot be believed is a report with `validity.valid` false. */
export async function runWith(
  runner: Runner,
  device: LabDevice,
  environment: Environment,
  meta: ExperimentMeta,
  params: ParamValues,
  hooks: RunHooks,
): Promise<{ readonly report: Report; readonly info: RunInfo }> {
  const startedMs = performance.now()
  const info: RunInfo = {
    experiment: meta.id,
    params,
    derived: {},
    adapter: device.info,
    userAgent: environment.userAgent,
    crossOriginIsolated: environment.crossOriginIsolated,
    startedAt: new Date().toISOString(),
    origin: 'live',
  }
  const context = RunContext.open(device, {
    record: hooks.record,
    // Not live: held back until the run has ended, so that drawing cannot disturb it.
    send: hooks.live ? hooks.chunk : undefined,
    hostStepUs: environment.hostClockStepUs,
    deviceStepNs: environment.deviceClockStepNs,
    info,
  })
  hooks.opened(context)
  hooks.started(info)
  const windows: Window[] = []
  const outcome = await context.use(async () => {
    const target = await context.buffer('tick', 16, USAGE.storage)
    const tick = await context.dispatch(kernelCall(tickKernel, {}), [target])
    hooks.progress({ fraction: 0, message: 'aligning the clocks', variant: '', repeat: -1, region: 'setup' })
    await probeClock(context, tick)
    const done = await runner.run(context, {
      params,
      isSoftware: device.isSoftware,
      deviceStepNs: environment.deviceClockStepNs,
      progress: hooks.progress,
      tuningMemory: hooks.tuningMemory,
      measure: (running, variants, repeats, body, around) =>
        measureVariants(running, { windows, progress: hooks.progress }, variants, repeats, body, around),
    })
    await probeClock(context, tick)
    return done
  })
  context.session.flush()
  const trace = context.session.freeze()
  if (!hooks.live && hooks.record) sendWhole(context, hooks)

  const placed = placeTrace(trace)
  const evidence = {
    placed,
    windows,
    params,
    derived: outcome.derived,
    isSoftware: device.isSoftware,
    hostStepNs: environment.hostClockStepUs * 1e3,
    deviceStepNs: environment.deviceClockStepNs,
    completionLatencyMs: environment.completionLatencyMs,
  }
  const metrics = runner.metrics(evidence)
  const clock = clockReport(placed)
  const reasons = [...context.invalidReasons]
  if (clock.state === 'infeasible')
    reasons.push('No single clock map fits the timestamps: the device clock jumped, or the system slept.')
  if (outcome.verification.failed > 0)
    reasons.push(
      `${String(outcome.verification.failed)} of ${String(outcome.verification.checked)} checked values are wrong.`,
    )
  if (outcome.verification.checked === 0) reasons.push('No result was checked.')
  const report: Report = {
    schema: REPORT_SCHEMA,
    experiment: meta.id,
    params,
    derived: outcome.derived,
    environment,
    metrics,
    ...(runner.figures ? { figures: runner.figures(metrics, evidence) } : {}),
    verdict: runner.verdict(metrics, evidence),
    verification: outcome.verification,
    clock,
    validity: { valid: reasons.length === 0, reasons },
    warmUps: windows.length > 0 ? new Set(windows.map((window) => window.variant)).size : 0,
    startedAt: info.startedAt,
    durationMs: performance.now() - startedMs,
  }
  return { report, info: { ...info, derived: outcome.derived } }
}

/** Everything as one chunk, for a run that was not drawn live. */
function sendWhole(context: RunContext, hooks: RunHooks): void {
  const chunk = context.session.builder.takeChunk()
  if (chunk) hooks.chunk(chunk)
}

/** How well the device's clock is tied to the host's, at the middle of the run. */
function clockReport(placed: PlacedTrace): ClockReport {
  const { trace } = placed
  const rejected = Object.values(trace.rejected).reduce((sum, count) => sum + count, 0)
  const snapshots = trace.snapshots.length
  const fit = placed.fits.find((candidate) => candidate !== null)
  if (!fit) {
    const state = snapshots === 0 ? 'no-timestamps' : 'infeasible'
    return { offsetBoundUs: null, driftPpm: null, rejected, snapshots, state }
  }
  const [low, high] = fit.band(fit.centreTick)
  const skews = fit.polygon.map(([, skew]) => skew * 1e6)
  return {
    offsetBoundUs: (high - low) / 2 / 1e3,
    driftPpm: [Math.min(...skews), Math.max(...skews)],
    rejected,
    snapshots,
    state: 'fitted',
  }
}
