/**
 * The lab's half of the worker that a learner's program runs in. The worker's text imports this
 * file, so all of it is evaluated before anything of the learner's; then it takes the program,
 * waits for the one message of the page, and runs.
 */
import { trustOwnScripts } from '../../base/trusted-scripts'
import { workerScope } from '../../base/workers'
import { ENTRY, type Message, type Start } from '../types'
import type { PrepareExercise } from '../workload'
import { runProgram, type Loader, type Stage } from './run-program'

const scope = workerScope<Start, Message>()
/** The global is emptied before the program runs. */
const send = scope.postMessage.bind(scope)

// A blob's worker has its page's policy: what it starts (the CPU's worker, cpu.ts) passes through
// here.
trustOwnScripts(`${globalThis.origin}/`)

const started = new Promise<Start>((resolve) => {
  scope.addEventListener('message', ({ data }) => {
    resolve(data)
  })
})

const taken = new Promise<Loader | null>((resolve) => {
  Object.assign(scope, {
    [ENTRY]: (load: Loader | null) => {
      Reflect.deleteProperty(scope, ENTRY)
      resolve(load)
    },
  })
})

/**
 * @param workloadOf undefined: the lesson has no mend. @param stage undefined: the program runs on
 * this realm's WebGPU
 */
export function serveExercise(
  workloadOf: (lesson: string) => PrepareExercise | undefined,
  stage?: Stage,
): void {
  const begin = async (): Promise<void> => {
    const start = await started
    await runProgram(start, send, workloadOf(start.lesson), await taken, undefined, stage)
  }
  begin().catch((thrown: unknown) => {
    reportError(thrown)
  })
}
