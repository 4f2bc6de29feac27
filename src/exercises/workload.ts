/**
 * The worker's half of a mend, `lessons/<id>/mend/prepare.ts`: what a program is given, and what is
 * read from the device after it.
 */
import type { Dispatch, RunContext } from '../gpu'
import type { RunServices } from '../experiments/run-types'
import type { Processor } from '../gpu/kernels/cpu/processor'
import type { FueledShader } from './worker/shader'
import { REPEAT_WARM_UP } from '../trace/schema'
import type { Found, Plan } from './types'

/** Work of a modelled host that is no call of WebGPU. */
export interface ModelledHost {
  /** This thread works for so long. */
  readonly busy: (ms: number) => void
  /** Another thread works for so long, beside this one. */
  readonly beside: (ms: number) => Promise<void>
}

export interface ExerciseServices extends Omit<RunServices, 'urlOf'> {
  /** Fresh for each grading; the same for start, reference and the learner's. */
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
export interface WorkloadRun<F extends Found = Found> {
  /** Its variant in the trace. */
  readonly name: string
  /** 0, 1, … of that name; REPEAT_WARM_UP runs first and is not graded. */
  readonly repeat: number
  /** The program's `input`: each call gets a copy of its lists and objects. */
  readonly input: object
  /** Before it: results and notes of the run before are cleared. */
  readonly before?: () => Promise<void>
  /** In place of `program({ device, lab, input })`: a shader is dispatched, a function is asked. */
  readonly execute?: (program: Program | null) => Promise<unknown>
  /** After it: what the grader compares, read from the device by the lab. */
  readonly find: () => F | Promise<F>
}

const GRADED_RUNS = 3

/** A warm-up, then the runs that are graded. */
export const runsOf = <F extends Found>(run: Omit<WorkloadRun<F>, 'repeat'>): readonly WorkloadRun<F>[] => [
  { ...run, repeat: REPEAT_WARM_UP },
  ...Array.from({ length: GRADED_RUNS }, (_, repeat) => ({ ...run, repeat })),
]

export interface Workload<F extends Found = Found> {
  readonly plan: Plan
  /**
   * Dispatches that programs may encode, one of those that are alike: each is timed, and budgeted
   * by that. Others they cannot reach.
   */
  readonly given?: readonly Dispatch[]
  /** The learner's, of a shader exercise. */
  readonly shader?: FueledShader
  readonly runs: readonly WorkloadRun<F>[]
}

export type PrepareExercise<F extends Found = Found> = (
  context: RunContext,
  services: ExerciseServices,
) => Promise<Workload<F>>
