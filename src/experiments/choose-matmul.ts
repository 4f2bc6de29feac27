/** The kernel that the parameter 'kernel' asks for: one by its id, or 'tuned', the fastest here by short trials. */
import type { RunContext } from '../engine'
import { findMatmul, type MatmulKernel, type MatmulShape } from '../kernels/catalog'
import { REPEAT_NONE } from '../trace/schema'
import type { Progress } from './progress'
import type { Derived } from './run-types'
import { TUNED } from './shared-params'
import { tuneMatmul, type TuningMemory } from './tune-matmul'

/** Long enough on a GPU to look at all tiles; a software adapter compiles some seconds for each, and meets a few. */
const BUDGET_MS = { gpu: 1500, software: 4000 }

export interface ChoiceServices {
  readonly isSoftware: boolean
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  readonly tuningMemory?: TuningMemory | undefined
  readonly progress?: (progress: Progress) => void
}

export interface ChosenMatmul {
  readonly kernel: MatmulKernel
  /** Which one and how it was found, for the report; empty where it was named. */
  readonly derived: Derived
}

/** Where nobody named a kernel. */
export const isTuned = (kernelId: string): boolean => kernelId === TUNED

/** Throws FaultError where trials find no kernel. */
export async function chooseMatmul(
  context: RunContext,
  kernelId: string,
  shape: MatmulShape,
  { isSoftware, deviceStepNs, tuningMemory, progress }: ChoiceServices,
): Promise<ChosenMatmul> {
  if (!isTuned(kernelId)) return { kernel: findMatmul(kernelId), derived: {} }
  const { kernel, label, origin, trials, trialShape } = await tuneMatmul(context, shape, {
    budgetMs: isSoftware ? BUDGET_MS.software : BUDGET_MS.gpu,
    deviceStepNs,
    ...(tuningMemory ? { memory: tuningMemory } : {}),
    onProgress: (_, message) =>
      progress?.({ fraction: 0, message, variant: '', repeat: REPEAT_NONE, region: 'setup' }),
  })
  return {
    kernel,
    derived: {
      kernel: label,
      kernelOrigin: origin,
      kernelTrials: trials.filter(({ ms }) => ms !== null).length,
      kernelTrialShape: [trialShape.m, trialShape.n, trialShape.k].join(' × '),
    },
  }
}
