/** All experiments, as metas: safe on the main thread. `runners.ts` holds the halves that run. */
import type { ExperimentMeta } from './experiment'
import { asyncSubmission } from './async-submission/meta'
import { kernelLadder } from './kernel-ladder/meta'
import { overlappedUploads } from './overlapped-uploads/meta'
import { syncStalls } from './sync-stalls/meta'
import { worthIt } from './worth-it/meta'

export const experiments: readonly ExperimentMeta[] = [
  asyncSubmission,
  syncStalls,
  overlappedUploads,
  worthIt,
  kernelLadder,
]

export const findExperiment = (id: string): ExperimentMeta | undefined =>
  experiments.find((experiment) => experiment.id === id)
