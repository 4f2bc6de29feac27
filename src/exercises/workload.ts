/**
 * The worker's half of a mend, `lessons/<id>/mend/prepare.ts`: what a program is given, and what is
 * read from the device after it.
 */
import type { Dispatch, RunContext } from '../gpu'
import type { RunServices } from '../experiments/run-types'
import type { Processor } from '../gpu/kernels/cpu/processor'
import type { FuelStore } from './budget/fuel-store'
import type { RunFacts } from './types'
import { REPEAT_WARM_UP } from '../trace/schema'
import type { Plan } from './types'

/** Work of a modelled host that is no call of WebGPU. */
export interface ModelledHost {
  /** This thread works for so long. */
  readonly busy: (ms: number) => void
  /** Another thread works for so long, beside this one. */
  readonly beside: (ms: number) => Promise<void>
}

export interface ExerciseServices extends Omit<RunServices, 'urlOf'> {
  /** From 1: work of several rungs may differ. */
  readonly rung: number
  /** Fresh each time that a program is graded; the same for start, reference and the learner's. */
  readonly seed: number
  /** Null: to be worked out, by measuring. */
  readonly plan: Plan | null
  /** The learner's shader, where the mend is one. */
  readonly wgsl: string | null
  /** On a modelled machine alone: its host, and its CPU's matmul. */
  readonly modelledHost?: ModelledHost | undefined
  readonly processor?: Processor | undefined
}

/**
 * A learner's program as the lab calls it: it gets a copy of what it is given, and what it returns
 * is plain data.
 */
export type Program = (...args: readonly unknown[]) => Promise<unknown>

/** One call of the program. */
export interface WorkloadRun<T extends RunFacts = RunFacts> {
  /** Its variant in the trace. */
  readonly name: string
  /** 0, 1, … of that name; REPEAT_WARM_UP runs first and is not graded. */
  readonly repeat: number
  readonly facts: T['facts']
  /** The program's `input`: each call gets a copy of its lists and objects. */
  readonly input: object
  /** Before it: results cleared, inputs made anew from the run's seed. */
  readonly before?: () => Promise<void>
  /** In place of `program({ device, lab, input })`: a shader is dispatched, a function is asked. */
  readonly execute?: (program: Program | null) => Promise<unknown>
  /** After it: what the grader compares, read from the device by the lab. */
  readonly find: () => Promise<T['found']>
}

const GRADED_RUNS = 3

/**
 * A warm-up, then the runs that are graded. @param runOf with its repeat, and its place among all,
 * for numbers of its own
 */
export const runsOf = <T extends RunFacts>(
  runOf: (repeat: number, at: number) => WorkloadRun<T>,
): readonly WorkloadRun<T>[] => [
  runOf(REPEAT_WARM_UP, 0),
  ...Array.from({ length: GRADED_RUNS }, (_, repeat) => runOf(repeat, repeat + 1)),
]

export interface Workload<T extends RunFacts = RunFacts> {
  readonly plan: Plan
  /**
   * Dispatches that programs may encode, one of those that are alike: each is timed, and budgeted
   * by that. Others they cannot reach.
   */
  readonly given?: readonly Dispatch[]
  /** Store from which the loops of a shader exercise take fuel. */
  readonly fuel?: FuelStore
  readonly runs: readonly WorkloadRun<T>[]
}

export type PrepareExercise<T extends RunFacts = RunFacts> = (
  context: RunContext,
  services: ExerciseServices,
) => Promise<Workload<T>>
