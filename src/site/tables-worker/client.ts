/**
 * The page's side of making a table: one worker a table. Of 3,000,000 events it takes a second. The
 * worker reads the columns that the page draws, where memory can be shared.
 */
import type { KnownPeak } from '../../analysis/tables/peaks'
import type { Table, TableKind } from '../../analysis/tables/table'
import type { TableOptions } from '../../analysis/tables/tables'
import { FaultError, type Fault } from '../../base/fault'
import { runInWorker } from '../../base/workers'
import type { PlacedTrace } from '../../trace/place'

export interface TableRequest {
  readonly placed: PlacedTrace
  readonly kind: TableKind
  readonly options: TableOptions
}

interface MadeTable {
  readonly table: Table
  readonly peak: KnownPeak | null
}
export type TableAnswer = MadeTable | { readonly fault: Fault }

const LIMIT_MS = 180_000

const startWorker = (): Worker =>
  new Worker(new URL('./tables-worker.ts', import.meta.url), { type: 'module', name: 'lab tables' })

/** Rejects with a FaultError. `start` is a parameter for tests. */
export async function tableInWorker(
  request: TableRequest,
  signal: AbortSignal,
  start: () => Worker = startWorker,
): Promise<MadeTable> {
  const answer = await runInWorker<TableAnswer, TableAnswer>(start(), {
    request,
    silenceMs: LIMIT_MS,
    signal,
    onMessage: (made) => made,
    onFailure: ({ type }) => ({ fault: { code: 'worker', message: `The table’s worker stopped: ${type}.` } }),
  })
  if ('fault' in answer) throw new FaultError(answer.fault)
  return answer
}
