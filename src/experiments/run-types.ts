/** What the two halves of an experiment agree on: `run.ts` does and checks the work, `metrics.ts` reads the trace. */
import type { ReportFigure } from '../trace/figure'
import type { Metric, Verdict, Verification } from '../trace/report'
import type { PlacedTrace } from '../trace/place'
import type { RunContext } from '../engine'
import type { Progress } from '../worker/protocol'
import type { ParamValues } from './experiment'
import type { TuningMemory } from './tune-types'

/** One repeat of one variant, on the host's clock, ns since the trace's origin. Kept also when nothing is recorded. */
export interface Window {
  readonly variant: string
  readonly repeat: number
  readonly startNs: number
  readonly endNs: number
}

export type Derived = Readonly<Record<string, string | number | boolean>>

/** What metrics are computed from. `placed` has no spans when the run was not recorded. */
export interface Evidence {
  readonly placed: PlacedTrace
  readonly windows: readonly Window[]
  readonly params: ParamValues
  readonly derived: Derived
  readonly isSoftware: boolean
  readonly hostStepNs: number
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  /** Environment.completionLatencyMs. */
  readonly completionLatencyMs: number | null
}

/** What an experiment's run half is given. */
export interface RunServices {
  readonly params: ParamValues
  readonly isSoftware: boolean
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  readonly progress: (progress: Progress) => void
  /** Where the fastest kernel of a shape is kept from run to run. */
  readonly tuningMemory?: TuningMemory | undefined
  /**
   * Measures every variant `repeats` times after one warm-up each, interleaved to and fro (A B B A …), so that a clock ramp or a busy
   * machine meets all alike. `body` is the measured window; timestamps are read after it.
   */
  readonly measure: (
    context: RunContext,
    variants: readonly string[],
    repeats: number,
    body: (variant: string) => Promise<void>,
    around?: {
      readonly before?: (variant: string) => Promise<void>
      readonly after?: (variant: string) => Promise<void>
    },
  ) => Promise<void>
}

export interface RunOutcome {
  readonly derived: Derived
  readonly verification: Verification
}

export interface Runner {
  readonly run: (context: RunContext, services: RunServices) => Promise<RunOutcome>
  readonly metrics: (evidence: Evidence) => readonly Metric[]
  /** Charts of the metrics, where a table does not show it. */
  readonly figures?: (metrics: readonly Metric[], evidence: Evidence) => readonly ReportFigure[]
  readonly verdict: (metrics: readonly Metric[], evidence: Evidence) => Verdict
}
