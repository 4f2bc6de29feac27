/**
 * Conditions and sentences are evaluated over these: a run's figures, and what is known of the run
 * itself. Verdicts, lessons and mends ask the same facts. A fact that is not known is null: neither
 * a condition nor its negation holds.
 */
import {
  findMetric,
  type DeviceFacts,
  type Environment,
  type Report,
  type VerdictOutcome,
} from '../trace/report'

/** Names the browser in which a run was made: they follow 'in'. */
export const BROWSER_OF = {
  live: 'this browser',
  recorded: 'the recorded browser',
  imported: 'the sender’s browser',
} as const

/** A run that has ended. */
export interface EndedRun {
  /** Null: the run does not count, so it shows nothing, neither this nor the opposite. */
  readonly outcome: Exclude<VerdictOutcome, 'invalid'> | null
  readonly reason: string | null
  readonly origin: keyof typeof BROWSER_OF
}

export interface Facts extends Pick<Report, 'params' | 'derived' | 'metrics'> {
  /** Null: the device has not answered. */
  readonly environment: Pick<
    Environment,
    'isSoftware' | 'deviceClockStepNs' | 'hostClockStepUs' | 'completionLatencyMs'
  > | null
  /**
   * True: device times are measured. It is left out while a verdict is made: its rules ask for the
   * figures themselves.
   */
  readonly timestamps?: boolean | null
  /** It is left out before a run has ended, and while its verdict is made. */
  readonly run?: EndedRun
}

/**
 * Names that an experiment gives to variants and words, for templates and conditions: `$often` is
 * 'every-step'. Null: there is none.
 */
export type Names = Readonly<Record<string, string | null>>

export const NO_FACTS: Facts = { params: {}, derived: {}, metrics: [], environment: null, timestamps: null }

/** Facts of the device alone, before any run; null: it has not answered. */
export const factsOfDevice = (device: Pick<DeviceFacts, 'isSoftware' | 'features'> | null): Facts =>
  device === null
    ? NO_FACTS
    : {
        ...NO_FACTS,
        environment: {
          isSoftware: device.isSoftware,
          deviceClockStepNs: null,
          hostClockStepUs: 0,
          completionLatencyMs: null,
        },
        timestamps: device.features.includes('timestamp-query'),
      }

export type Reported = Pick<
  Report,
  'params' | 'derived' | 'metrics' | 'environment' | 'clock' | 'verdict' | 'validity' | 'verification'
>

/** Facts of a run that has ended. A run that does not count has no figures to quote either. */
export function factsOfRun(report: Reported, origin: EndedRun['origin']): Facts {
  const { params, derived, metrics, environment, clock, verdict, validity, verification } = report
  const outcome =
    validity.valid && verification.failed === 0 && verdict.outcome !== 'invalid' ? verdict.outcome : null
  return {
    params,
    derived,
    metrics: outcome === null ? [] : metrics,
    environment,
    timestamps: clock.state !== 'no-timestamps',
    run: {
      outcome,
      reason: outcome === null ? null : verdict.reason,
      origin,
    },
  }
}

/** The value of a metric, for `names` and figures; null where it was not measured. */
export const valueIn = (facts: Facts, name: string, variant = ''): number | null =>
  findMetric(facts.metrics, name, variant)?.value ?? null
