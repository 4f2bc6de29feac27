/** A rank's thread: its entry. The program is imported from the file that the page shows. */
import { workerScope } from '../base/workers'
import type { RankCommand, RankReply } from '../lab/ranks/protocol'
import { withTimeout } from '../base/with-timeout'
import type { RankProgram } from '../lab/lab'
import { serveRank, type PrepareRank } from './serve-rank'

const scope = workerScope<RankCommand, RankReply>()

const LOAD_LIMIT_MS = 30_000
const prepares = import.meta.glob<PrepareRank>('./*/prepare-rank.ts', { import: 'prepareRank' })

const serve = serveRank({
  answer: (answer, transfer = []) => scope.postMessage(answer, transfer),
  gpu: () => navigator.gpu,
  loadProgram: async (url) => {
    const loading = import(/* @vite-ignore */ url) as Promise<{ readonly default: RankProgram }>
    return (await withTimeout(loading, LOAD_LIMIT_MS, 'The site, asked for a program,')).default
  },
  loadPrepare: async (experiment) => {
    const load = prepares[`./${experiment}/prepare-rank.ts`]
    return load ? await withTimeout(load(), LOAD_LIMIT_MS, 'The site, asked for an experiment,') : null
  },
})
scope.addEventListener('message', ({ data }) => serve(data))
