/** What rules are evaluated over: the part of a report that is known before its verdict, so that worker and page decide alike. */
import { findMetric, type Environment, type Metric, type Report } from '../../trace/report'

export interface Facts extends Pick<Report, 'params' | 'derived' | 'metrics'> {
  readonly environment: Pick<
    Environment,
    'isSoftware' | 'deviceClockStepNs' | 'hostClockStepUs' | 'completionLatencyMs'
  >
}

/** Names that an experiment gives to variants and words, for templates and conditions: `$often` is 'every-step'. Null: there is none. */
export type Names = Readonly<Record<string, string | null>>

/** The value of a metric, for `names` and figures; null where it was not measured. */
export const valueIn = (facts: Facts, name: string, variant = ''): number | null =>
  findMetric(facts.metrics, name, variant)?.value ?? null

/** Both were measured, and the one interval lies below the other, whole. */
export const isBelow = (a: Metric | undefined, b: Metric | undefined): boolean =>
  a?.high != null && b?.low != null && a.high < b.low
