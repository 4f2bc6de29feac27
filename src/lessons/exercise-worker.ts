/**
 * The worker that a learner's program runs in, with every lesson's workload: the entry that
 * exercises.ts names.
 */
import { serveExercise } from '../exercises/worker/serve-exercise'
import type { PrepareExercise } from '../exercises/workload'

const prepares = import.meta.glob<PrepareExercise>('./*/mend/prepare.ts', { import: 'prepare', eager: true })

serveExercise((lesson) => prepares[`./${lesson}/mend/prepare.ts`])
