/**
 * The results of a run as plain data: the contract between experiments, page, command line and
 * files (`report.json`). Every number carries its unit, spread, count and origin. A number that
 * could not be measured is null with its reason.
 */
import type { ReportFigure } from './figure'
import type { AdapterSummary } from './schema'

export const REPORT_SCHEMA = 'host-device-lab/report@1'

/**
 * device-clock: differences of device ticks, no clock fit needed. host-clock: performance.now().
 * derived: from several.
 */
export type MetricOrigin = 'device-clock' | 'host-clock' | 'derived'

export interface Metric {
  readonly name: string
  /**
   * 'never', 'every-step', 'every-4', 'serial', 'ring-2', …; '' where a metric belongs to the whole
   * run.
   */
  readonly variant: string
  /** Median over repeats. */
  readonly value: number | null
  readonly unit: 'ratio' | 'ms' | 'us' | 'ns' | 'GB/s' | 'GFLOP/s' | 'flop/byte' | 'count' | 'bytes'
  /**
   * Interval of the median over repeats (order statistics), widened by the systematic bound (clock
   * steps).
   */
  readonly low: number | null
  readonly high: number | null
  /** Repeats counted; warm-up is not. */
  readonly n: number
  readonly origin: MetricOrigin
  /** Why the value is null, or what one must know to read it. */
  readonly note?: string
}

/** A run that does not count (`validity.valid` is false) is 'invalid', and nothing else. */
export const VERDICT_OUTCOMES = ['shown', 'not-shown', 'inconclusive', 'invalid'] as const
export type VerdictOutcome = (typeof VERDICT_OUTCOMES)[number]
export interface Verdict {
  readonly outcome: VerdictOutcome
  /**
   * One or two sentences with the figures; for not-shown why on this machine, for inconclusive what
   * to change, for invalid why.
   */
  readonly text: string
  /**
   * Machine-readable branch, so that prose can have its own words: 'stall-dominates',
   * 'cores-shared', 'intervals-overlap', …
   */
  readonly reason: string
}

export interface Verification {
  /** Sampled entries (matmul) and sampled words (uploads) compared with the reference. */
  readonly checked: number
  readonly failed: number
  /** Largest |got − expected| / scale, where scale is what the tolerance is relative to. */
  readonly maxRelativeError: number
  readonly tolerance: number
  readonly what: string
}

export interface ClockReport {
  /** Half-width of the band at its median over the run, µs; null where there is no fit. */
  readonly offsetBoundUs: number | null
  /** Fitted rate of the device's clock against the host's, parts per million, [low, high]. */
  readonly driftPpm: readonly [number, number] | null
  /** Timestamps that failed the sanity gate. */
  readonly rejected: number
  readonly snapshots: number
  readonly state: 'fitted' | 'no-timestamps' | 'infeasible'
}

/**
 * The capability report: what this browser and this adapter are and do, measured here. Null = could
 * not be measured.
 */
/** Facts that a device reports when asked, not measured. */
export interface DeviceFacts {
  readonly adapter: AdapterSummary & { readonly subgroupMinSize?: number; readonly subgroupMaxSize?: number }
  /** One line for a person: 'NVIDIA H200' or 'SwiftShader (software, on the CPU)'. */
  readonly adapterName: string
  readonly isSoftware: boolean
  readonly features: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  readonly userAgent: string
  readonly crossOriginIsolated: boolean
  readonly hardwareConcurrency: number
}

/** The capability report: a device and what was measured on it. */
export interface Environment extends DeviceFacts {
  readonly hostClockStepUs: number
  /** Null without timestamp-query. 65536 = the quantization an ordinary visitor of Chrome gets. */
  readonly deviceClockStepNs: number | null
  /**
   * From submit() to onSubmittedWorkDone() seen, with nothing submitted but an empty command
   * buffer. Median.
   */
  readonly emptySubmitLatencyMs: number | null
  /**
   * submit() to onSubmittedWorkDone() seen, less the kernel's own device time, for a kernel of 2
   * ms. Median, queue idle.
   */
  readonly completionLatencyMs: number | null
  /** The same while several ms of other work are queued behind it. */
  readonly completionLatencyBusyMs: number | null
  /**
   * The same over the length of the kernel: completion is looked for on a grid, so the idle time
   * after a kernel is a saw, not a sum. Left out in reports from before it was measured; empty
   * without timestamps.
   */
  readonly completions?: readonly Completion[]
  /**
   * Two empty passes around a copy time it here: the time between them grows with its bytes. Left
   * out where it was not tried.
   */
  readonly copyTimingWorks?: boolean
  readonly uploadGbPerS: number | null
  readonly readbackGbPerS: number | null
  readonly matmulGflops: number | null
}

/** Medians over a few round trips of one kernel, queue idle. */
export interface Completion {
  /** The kernel's own time, by the device's clock. */
  readonly kernelMs: number
  /** From submit() until the host observed completion. */
  readonly observedMs: number
}

export interface Validity {
  readonly valid: boolean
  /** Each a sentence: 'The tab was hidden during the run.' */
  readonly reasons: readonly string[]
}

export interface Report {
  readonly schema: typeof REPORT_SCHEMA
  readonly experiment: string
  readonly params: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly derived: Readonly<Record<string, string | number | boolean>>
  readonly environment: Environment
  readonly metrics: readonly Metric[]
  /** Charts of the metrics; left out where an experiment has none. */
  readonly figures?: readonly ReportFigure[]
  readonly verdict: Verdict
  readonly verification: Verification
  readonly clock: ClockReport
  readonly validity: Validity
  readonly warmUps: number
  readonly startedAt: string
  readonly durationMs: number
}

export const findMetric = (metrics: readonly Metric[], name: string, variant = ''): Metric | undefined =>
  metrics.find((metric) => metric.name === name && metric.variant === variant)

/**
 * The round trip assumed where nothing was measured, and the least one: Chromium polls for
 * completion about 2 ms after a flush, then every 1 ms.
 */
const LEAST_ROUND_TRIP_MS = 3

/**
 * From `submit()` to the news that it has ended, ms, as measured here: 3 in Chromium, 100 in
 * Firefox, which looks that often. Work is sized by it, and a program's time limited.
 */
export const roundTripMs = ({
  completionLatencyMs,
  emptySubmitLatencyMs,
}: Pick<Environment, 'completionLatencyMs' | 'emptySubmitLatencyMs'>): number =>
  Math.max(LEAST_ROUND_TRIP_MS, completionLatencyMs ?? 0, emptySubmitLatencyMs ?? 0)
