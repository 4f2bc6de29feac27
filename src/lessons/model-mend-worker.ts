/** The same as mend-worker.ts on a modelled machine, where the browser gives no GPU to the page. */
import { serveMend } from '../exercises/worker/mend-worker'
import type { PrepareMend } from '../exercises/workload'
import { h200 } from '../model/cards/h200'
import { stageOf } from '../model/stage'

const prepares: Readonly<Record<string, PrepareMend>> = import.meta.glob<PrepareMend>('./*/mend/prepare.ts', {
  import: 'prepare',
  eager: true,
})

serveMend((lesson) => prepares[`./${lesson}/mend/prepare.ts`], stageOf(h200))
