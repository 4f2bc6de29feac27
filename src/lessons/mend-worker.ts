/** The worker that a learner's program runs in, with every lesson's workload: the entry that mends.ts names. */
import { serveMend } from '../exercises/worker/mend-worker'
import type { PrepareMend } from '../exercises/workload'

const prepares: Readonly<Record<string, PrepareMend>> = import.meta.glob<PrepareMend>('./*/mend/prepare.ts', {
  import: 'prepare',
  eager: true,
})

serveMend((lesson) => prepares[`./${lesson}/mend/prepare.ts`])
