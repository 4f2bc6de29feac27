/**
 * The page's side of writing a file: one worker a file, so that a long run's export stops nobody
 * from looking at it.
 */
import { FaultError, type Fault } from '../../base/fault'
import { runInWorker, type TaskFailure } from '../../base/workers'
import type { ExportEvent, ExportRequest } from './formats'

/** The largest file that can be opened is written in a tenth of it. */
const EXPORT_LIMIT_MS = 300_000

const startWorker = (): Worker =>
  new Worker(new URL('./export-worker.ts', import.meta.url), { type: 'module', name: 'lab export' })

const brokenExport = (why: TaskFailure): Fault =>
  why.type === 'silent'
    ? {
        code: 'timeout',
        message: `The file was not written within ${String(EXPORT_LIMIT_MS / 1000)} s.`,
        hint: 'Try again; the lab’s own format takes the least time.',
      }
    : {
        code: 'worker',
        message: `The writer stopped: ${(why.type === 'died' && why.message) || 'its script did not load, or the file needs more memory than there is'}.`,
        hint: 'Try again; the lab’s own format needs the least memory.',
      }

/**
 * Rejects with a FaultError. The trace is copied over (60 MB in 30 ms), not given away. `start` is
 * a parameter for tests.
 */
export async function exportInWorker(
  request: ExportRequest,
  start: () => Worker = startWorker,
): Promise<Blob> {
  const ending = await runInWorker<ExportEvent, ExportEvent>(start(), {
    request,
    silenceMs: EXPORT_LIMIT_MS,
    onMessage: (event) => event,
    onFailure: (why) => ({ type: 'failed', fault: brokenExport(why) }),
  })
  if (ending.type === 'failed') throw new FaultError(ending.fault)
  return ending.file
}
