/** What the two halves of an experiment agree on: `prepare.ts` sizes and checks the work, the declaration reads the trace. */
import type { Verification } from '../trace/report'
import type { PlacedTrace } from '../trace/place'
import type { RunContext } from '../gpu'
import type { Stamping } from '../recorder'
import type { World, WorldOutcome } from '../lab/ranks/world'
import type { Param, ParamValues, ValuesOf } from './experiment'

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

/** What is known of the machine when an experiment prepares its work. */
export interface RunServices {
  readonly isSoftware: boolean
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  /** About how long a host that awaits a short kernel waits, ms. */
  readonly roundTripMs: number
  /** The usual matmul kernel's rate here; null where it was not measured. */
  readonly matmulGflops: number | null
  /** What is done before programs run, as whoever watches the run is told: 'sizing the matmul'. */
  readonly say: (message: string) => void
  /** The address of a variant's program. */
  readonly urlOf: (variant: string) => string
}

/** On which ranks a variant's program runs: then `check` is given a `RanksOutput`. */
export interface OnRanks {
  readonly world: Pick<World, 'run'>
  /** How many of the world's. */
  readonly size: number
  /** By rank: what `prepare-rank.ts` makes the program's input from, or the input itself. It is cloned. */
  readonly specOf: (rank: number) => unknown
  /** That its ranks wait for each other for ever is what is shown. Elsewhere it ends the run. */
  readonly mayHang?: boolean
}
/** By rank what its program returned; and, where they never went on, who waited for whom. */
export type RanksOutput = Pick<WorldOutcome, 'outputs' | 'hang'>

/** One variant of an experiment, ready to run. */
export interface Variant {
  readonly name: string
  /** What the program is given; it knows its own input's shape. */
  readonly input: object
  /** What is timed of its windows; each pass, where stamping is not what would be measured. */
  readonly stamping?: Stamping
  readonly ranks?: OnRanks
  /** Fewer than the run's, where it takes long and the others do not. */
  readonly repeats?: number
  /** Before each window: clears results, maps staging buffers. */
  readonly before?: () => Promise<void>
  /** After each window: is what came out right? `output` is what the program returned. */
  readonly check: (output: unknown) => Promise<Verification>
}

export interface Prepared {
  readonly derived: Derived
  readonly variants: readonly Variant[]
  /** Of each variant, at most: it is in `derived` too. */
  readonly repeats: number
  /** What the programs told besides, asked for after the last window: added to `derived`. */
  readonly found?: () => Derived
}

/**
 * The worker's half of an experiment: sizes the work, makes the buffers, says how results are checked. `variants` are the declaration's
 * for these values, in its order; one that cannot run here is left out, with the reason in `derived`.
 */
export type Prepare<E extends { readonly params: readonly Param[] }> = (
  context: RunContext,
  values: ValuesOf<E['params']>,
  services: RunServices,
  variants: readonly string[],
) => Promise<Prepared>

/** Of any experiment: its values have been checked against its own parameters. */
export type AnyPrepare = (
  context: RunContext,
  values: ParamValues,
  services: RunServices,
  variants: readonly string[],
) => Promise<Prepared>

/** How far a run is, for whoever watches it. */
export interface Progress {
  /** 0 to 1. */
  readonly fraction: number
  /** 'calibrating', 'verifying', 'warm-up', 'every-4, repeat 2 of 5'. */
  readonly message: string
  readonly variant: string
  readonly repeat: number
  /** Left out while programs run: before them and after them no line of one does. */
  readonly region?: 'setup' | 'done'
}
