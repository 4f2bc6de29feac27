/**
 * Does what serve-exercise.ts does on a modelled machine, where the browser gives the page no GPU.
 */
import { serveExercise } from '../exercises/worker/serve-exercise'
import type { PrepareExercise } from '../exercises/workload'
import { h200 } from '../model/machines/h200'
import { stageOf } from '../model/stage'

const prepares = import.meta.glob<PrepareExercise>('./*/mend/prepare.ts', { import: 'prepare', eager: true })

serveExercise((lesson) => prepares[`./${lesson}/mend/prepare.ts`], stageOf(h200))
