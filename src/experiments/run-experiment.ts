/**
 * One run from device to report: clock probes, the programs in their measured windows, clock probes
 * again, then everything that is read off the trace. A run that was hidden, whose clock could not
 * be fitted, or whose results are wrong is reported as invalid.
 */
import { RunContext, type LabDevice, type RunLimits } from '../gpu'
import { createTick } from '../gpu/kernels/calibrate/tick'
import { prepareLoad } from '../gpu/kernels/calibrate/fma-work'
import { hostBand } from '../trace/clock'
import { placeTrace, type PlacedTrace } from '../trace/place'
import {
  REPORT_SCHEMA,
  roundTripMs,
  type ClockReport,
  type Environment,
  type Report,
  type Validity,
  type Verification,
} from '../trace/report'
import { REPEAT_NONE, type RunInfo, type TraceChunk } from '../trace/schema'
import { probeClock } from './clock-probe'
import { judge } from './declare/judge'
import type { Declaration } from './declare/experiment'
import type { Facts } from '../text/facts'
import type { ParamValues } from './experiment'
import { measurePrograms } from './measure-programs'
import type { LoadedProgram } from './programs'
import type { Progress, AnyPrepare, Evidence, Window } from './run-types'

export interface RunHooks {
  readonly live: boolean
  readonly opened: (context: RunContext) => void
  readonly started: (info: RunInfo) => void
  readonly progress: (progress: Progress) => void
  readonly chunk: (chunk: TraceChunk) => void
  /** Tests set them. */
  readonly limits?: RunLimits | undefined
}

export interface RunRequest {
  readonly declaration: Declaration
  readonly prepare: AnyPrepare
  /** Each variant has a program. */
  readonly programs: ReadonlyMap<string, LoadedProgram>
  readonly device: LabDevice
  readonly environment: Environment
  readonly values: ParamValues
  readonly hooks: RunHooks
}

/**
 * A run, and what is read off its trace; nothing is judged. Throws FaultError or CancelledError.
 */
async function measureDeclared(request: RunRequest) {
  const { declaration, prepare, programs, device, environment, values, hooks } = request
  const info: RunInfo = {
    experiment: declaration.id,
    params: values,
    derived: {},
    adapter: device.info,
    userAgent: environment.userAgent,
    crossOriginIsolated: environment.crossOriginIsolated,
    startedAt: new Date().toISOString(),
    origin: 'live',
  }
  const context = RunContext.open(device, {
    record: true,
    // A run that is not live is held back until its end, so that drawing cannot disturb it.
    send: hooks.live ? hooks.chunk : undefined,
    hostStepUs: environment.hostClockStepUs,
    deviceStepNs: environment.deviceClockStepNs,
    info,
    copyTimingWorks: environment.copyTimingWorks ?? false,
    limits: hooks.limits,
  })
  hooks.opened(context)
  hooks.started(info)
  const windows: Window[] = []
  const { derived, verification } = await context.use(async () => {
    const tick = await createTick(context)
    say(hooks, 'aligning the clocks')
    await probeClock(context, tick)
    say(hooks, 'sizing the work')
    const programOf = (variant: string): LoadedProgram => {
      const found = programs.get(variant)
      if (!found) throw new Error(`No program was loaded for '${variant}'.`)
      return found
    }
    const services = {
      isSoftware: device.isSoftware,
      deviceStepNs: environment.deviceClockStepNs,
      roundTripMs: roundTripMs(environment),
      matmulGflops: environment.matmulGflops,
      say: (message: string) => say(hooks, message),
      urlOf: (variant: string) => programOf(variant).url,
    }
    const prepared = await prepare(context, values, services, declaration.variants(values))
    const checked = await measurePrograms(context, prepared, {
      windows,
      roundTripMs: services.roundTripMs,
      keepBusy: await prepareLoad(context, services),
      progress: hooks.progress,
      programOf,
    })
    await probeClock(context, tick)
    const { repeats, derived: known, found } = prepared
    return { derived: { repeats, ...known, ...found?.() }, verification: checked }
  })
  context.session.flush()
  const trace = context.session.freeze()
  const chunk = hooks.live ? null : context.session.builder.takeChunk()
  if (chunk) hooks.chunk(chunk)

  const placed = placeTrace(trace)
  const evidence: Evidence = {
    placed,
    windows,
    params: values,
    derived,
    isSoftware: device.isSoftware,
    hostStepNs: environment.hostClockStepUs * 1e3,
    deviceStepNs: environment.deviceClockStepNs,
    completionLatencyMs: environment.completionLatencyMs,
  }
  return {
    info: { ...info, derived },
    context,
    evidence,
    metrics: declaration.measure(evidence),
    verification,
  }
}

/**
 * Throws FaultError or CancelledError; a run that ended but cannot be believed is a report with
 * `validity.valid` false.
 */
export async function runDeclared(
  request: RunRequest,
): Promise<{ readonly report: Report; readonly info: RunInfo }> {
  const { declaration, environment, values } = request
  const startedMs = performance.now()
  const { info, context, evidence, metrics, verification } = await measureDeclared(request)
  const { placed, windows, derived } = evidence
  const facts: Facts = { params: values, derived, metrics, environment }
  const figures = declaration.figures(metrics, evidence)
  const clock = clockReport(placed)
  const validity = validityOf(context, clock, verification)
  const report: Report = {
    schema: REPORT_SCHEMA,
    experiment: declaration.id,
    params: values,
    derived,
    environment,
    metrics,
    ...(figures.length > 0 ? { figures } : {}),
    verdict: judge(declaration, { ...facts, validity, verification }),
    verification,
    clock,
    validity,
    warmUps: new Set(windows.map(({ variant }) => variant)).size,
    startedAt: info.startedAt,
    durationMs: performance.now() - startedMs,
  }
  return { report, info }
}

const say = ({ progress }: RunHooks, message: string): void =>
  progress({ fraction: 0, message, variant: '', repeat: REPEAT_NONE, region: 'setup' })

const LOST_STAMPS =
  'The device had no memory for the timestamps that the recorder reads: some of its work has no times.'

function validityOf(context: RunContext, clock: ClockReport, { checked, failed }: Verification): Validity {
  const reasons = [...context.invalidReasons]
  if (context.session.hasLostStamps) reasons.push(LOST_STAMPS)
  if (clock.state === 'infeasible')
    reasons.push(
      'No single clock map fits the timestamps: the device clock jumped or ran backwards, or the system slept.',
    )
  if (failed > 0) reasons.push(`${String(failed)} of ${String(checked)} checked values are wrong.`)
  if (checked === 0) reasons.push('No result was checked.')
  return { valid: reasons.length === 0, reasons }
}

/** Says how well the device's clock is tied to the host's at the middle of the run. */
function clockReport(placed: PlacedTrace): ClockReport {
  const { trace } = placed
  const rejected = Object.values(trace.rejected).reduce((sum, count) => sum + count, 0)
  const snapshots = trace.snapshots.length
  const fit = placed.fits.find((candidate) => candidate !== null)
  if (!fit) {
    const state = snapshots === 0 ? 'no-timestamps' : 'infeasible'
    return { offsetBoundUs: null, driftPpm: null, rejected, snapshots, state }
  }
  const [low, high] = hostBand(fit, fit.centreTick)
  const skews = fit.polygon.map(([, skew]) => skew * 1e6)
  return {
    offsetBoundUs: (high - low) / 2 / 1e3,
    driftPpm: [Math.min(...skews), Math.max(...skews)],
    rejected,
    snapshots,
    state: 'fitted',
  }
}
