/** What rules are evaluated over: the part of a report that is known before its verdict, so that worker and page decide alike. */
import type { Environment, Report } from '../../trace/report'

export interface Facts extends Pick<Report, 'params' | 'derived' | 'metrics'> {
  readonly environment: Pick<
    Environment,
    'isSoftware' | 'deviceClockStepNs' | 'hostClockStepUs' | 'completionLatencyMs'
  >
}

/** Names that an experiment gives to variants and words, for templates and conditions: `$often` is 'every-step'. Null: there is none. */
export type Names = Readonly<Record<string, string | null>>
