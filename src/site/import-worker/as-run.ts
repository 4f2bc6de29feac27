/** A file or a trace as a run, for pages that hold one: through the import worker. */
import { fail, succeed, type Result } from '../../base/result'
import type { PlacedRun, PlaceLong } from '../state/run-store'
import type { ImportClient, ImportOutcome } from './client'
import type { ImportProgress, ImportSettings } from './protocol'

export interface FileProgress {
  readonly name: string
  readonly progress: ImportProgress
}

export interface ImportHooks {
  readonly signal: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

export const placedRunOf = ({ opened, found }: Extract<ImportOutcome, { status: 'done' }>): PlacedRun => {
  const { trace, report, placed } = opened
  return { trace, report, placed, gaps: found.gaps }
}

/** Any file as a run. Null: cancelled. */
export async function readAnyFile(
  importer: ImportClient,
  source: Blob | Uint8Array<ArrayBuffer>,
  options: ImportSettings & Partial<ImportHooks>,
): Promise<Result<PlacedRun> | null> {
  const ending = await importer.read(source, options)
  if (ending.status === 'done') return succeed(placedRunOf(ending))
  return ending.status === 'failed' ? fail(ending.fault) : null
}

/** For the run store: the end of a long run. */
export const placeLongIn =
  (importer: ImportClient): PlaceLong =>
  async (trace) => {
    const ending = await importer.read({ trace }, { origin: trace.info.origin, gaps: 'of-repeats' })
    return ending.status === 'done' ? { placed: ending.opened.placed, gaps: ending.found.gaps } : null
  }
