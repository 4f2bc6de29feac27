/**
 * The results of a run as plain data: the contract between experiments, page, command line and
 * files (`report.json`, whose fields are told in file-shape.ts). Every number carries its unit,
 * spread, count and origin. A number that could not be measured is null with its reason.
 */
import type { ReportFigure } from './figure'
import type { FileReport } from './file-shape'

export type { DeviceFacts } from './file-shape'

export interface Report extends Omit<FileReport, 'figures' | 'verification'> {
  readonly figures?: readonly ReportFigure[]
  readonly verification: Verification
}
export const REPORT_SCHEMA: Report['schema'] = 'host-device-lab/report@1'

export type Metric = FileReport['metrics'][number]
export type MetricOrigin = Metric['origin']
export type Verdict = FileReport['verdict']
export type VerdictOutcome = Verdict['outcome']
export type ClockReport = FileReport['clock']
export type Validity = FileReport['validity']
export type Environment = FileReport['environment']
/** In memory an error may be beyond all bounds. */
export type Verification = Omit<FileReport['verification'], 'maxRelativeError'> & {
  readonly maxRelativeError: number
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
