/** All experiments, as metas: safe on the main thread. `runners.ts` holds the halves that run. */
import type { ExperimentMeta } from './experiment'
import { asyncSubmission } from './async-submission/meta'
import { overlappedUploads } from './overlapped-uploads/meta'
import { syncStalls } from './sync-stalls/meta'

export const experiments: readonly ExperimentMeta[] = [asyncSubmission, syncStalls, overlappedUploads]

export const findExperiment = (id: string): ExperimentMeta | undefined =>
  experiments.find((experiment) => experiment.id === id)
