/**
 * The two halves of an experiment agree on these types: `prepare.ts` sizes and checks the work, the
 * declaration reads the trace.
 */
import type { Verification } from '../trace/report'
import type { PlacedTrace } from '../trace/place'
import type { RunContext } from '../gpu'
import type { Stamping } from '../recorder'
import type { World, WorldOutcome } from '../lab/ranks/world'
import type { Param, ParamValues, ValuesOf } from './experiment'

/**
 * One repeat of one variant, on the host's clock, ns since the trace's origin. Kept also when
 * nothing is recorded.
 */
export interface Window {
  readonly variant: string
  readonly repeat: number
  readonly startNs: number
  readonly endNs: number
}

export type Derived = Readonly<Record<string, string | number | boolean>>

/** Metrics are computed from this. */
export interface Evidence {
  readonly placed: PlacedTrace
  readonly windows: readonly Window[]
  readonly params: ParamValues
  readonly derived: Derived
  readonly isSoftware: boolean
  readonly hostStepNs: number
  /** Null: the device has no timestamp-query. */
  readonly deviceStepNs: number | null
  /** It is Environment.completionLatencyMs. */
  readonly completionLatencyMs: number | null
}

/** An experiment knows this of the machine when it prepares its work. */
export interface RunServices {
  readonly isSoftware: boolean
  /** Null: the device has no timestamp-query. */
  readonly deviceStepNs: number | null
  /** About how long a host that awaits a short kernel waits, ms. */
  readonly roundTripMs: number
  /** The usual matmul kernel's rate here; null where it was not measured. */
  readonly matmulGflops: number | null
  /** It tells whoever watches the run what is done before programs run: 'sizing the matmul'. */
  readonly say: (message: string) => void
  /** The address of a variant's program. */
  readonly urlOf: (variant: string) => string
}

/** The ranks that run a variant's program; `check` is then given a `RanksOutput`. */
export interface OnRanks {
  readonly world: Pick<World, 'run'>
  /** The world has so many ranks. */
  readonly size: number
  /** `prepare-rank.ts` makes a rank's input from it, or it is the input itself. It is cloned. */
  readonly specOf: (rank: number) => unknown
  /** That its ranks wait for each other for ever is what is shown. Elsewhere it ends the run. */
  readonly mayHang?: boolean
}
/** What each rank's program returned; and who waited for whom, where they never went on. */
export type RanksOutput = Pick<WorldOutcome, 'outputs' | 'hang'>

/** One variant of an experiment, ready to run. */
export interface Variant {
  readonly name: string
  /** The program gets it, and knows its shape. */
  readonly input: object
  /**
   * The parts of its windows that are timed: each pass, unless stamping would be what is measured.
   */
  readonly stamping?: Stamping
  readonly ranks?: OnRanks
  /** A variant that takes long may have fewer than the run's. */
  readonly repeats?: number
  /** It runs before each window: it clears results and maps staging buffers. */
  readonly before?: () => Promise<void>
  /** It checks the result after each window. `output` is what the program returned. */
  readonly check: (output: unknown) => Promise<Verification>
}

export interface Prepared {
  readonly derived: Derived
  readonly variants: readonly Variant[]
  /** Each variant has at most so many repeats. `derived` has the number too. */
  readonly repeats: number
  /**
   * Facts that the programs told besides, asked for after the last window and added to `derived`.
   */
  readonly found?: () => Derived
}

/**
 * The worker's half of an experiment: sizes the work, makes the buffers, says how results are
 * checked. `variants` are the declaration's for these values, in its order; one that cannot run
 * here is left out, with the reason in `derived`.
 */
export type Prepare<E extends { readonly params: readonly Param[] }> = (
  context: RunContext,
  values: ValuesOf<E['params']>,
  services: RunServices,
  variants: readonly string[],
) => Promise<Prepared>

/** An experiment of any kind, whose values have been checked against its own parameters. */
export type AnyPrepare = (
  context: RunContext,
  values: ParamValues,
  services: RunServices,
  variants: readonly string[],
) => Promise<Prepared>

/** Tells whoever watches how far a run is. */
export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number
  /** 'calibrating', 'verifying', 'warm-up', 'every-4, repeat 2 of 5'. */
  readonly message: string
  readonly variant: string
  readonly repeat: number
  /** It is absent while programs run: before and after them no line of one does. */
  readonly region?: 'setup' | 'done'
}
