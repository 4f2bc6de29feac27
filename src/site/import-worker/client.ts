/**
 * The page's side of reading a file: one worker a file, ended when it is done, when it fails and
 * when the visitor cancels. What comes over is put together in turns, so that the page is never
 * held up.
 */
import { toFault, type Fault } from '../../base/fault'
import { countInputs, createYielder } from '../../base/give-way'
import { runInWorker, type TaskFailure } from '../../base/workers'
import { gapReader, type Gap } from '../../trace/gaps'
import { adoptGapRows } from '../../timeline/lod/gap-rows'
import type { PlaceLong } from '../state/run-store'
import { unpackTrace, stringReader } from './packed-trace'
import { adoptLod } from '../../timeline/lod/trace-lod'
import type { PlacedTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import type {
  FoundFacts,
  PackedFound,
  OpenedFacts,
  PackedGaps,
  PackedOpened,
  ImportEvent,
  ImportSettings,
  ImportProgress,
  ImportRequest,
  ImportSource,
} from './protocol'

/** A file that can be drawn. */
interface Opened extends OpenedFacts {
  readonly trace: Trace
  readonly placed: PlacedTrace
}

/** What the analysis found in it. */
interface Found extends FoundFacts {
  readonly gaps: readonly Gap[]
}

type ImportOutcome =
  | { readonly status: 'done'; readonly opened: Opened; readonly found: Found }
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'cancelled' }

interface ImportOptions extends ImportSettings {
  readonly onProgress?: (progress: ImportProgress) => void
  /** As soon as it can be drawn; at 10^6 spans a second or two before all is found. */
  readonly onOpened?: (opened: Opened) => void
  /** The gaps have names, of a trace that was given to `onOpened`. */
  readonly onGaps?: (gaps: readonly Gap[]) => void
  /** Aborted: the worker is ended at once. */
  readonly signal?: AbortSignal
}

export interface ImportClient {
  /** Never rejects. */
  readonly read: (source: ImportSource, options: ImportOptions) => Promise<ImportOutcome>
}

/**
 * The reader says how far it is many times a second; its longest silence is a large file's first
 * bytes, from a slow disk.
 */
const SILENCE_LIMIT_MS = 180_000

const startWorker = (): Worker =>
  new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module', name: 'lab import' })

type WorkerEnding =
  | { readonly status: 'done'; readonly found: PackedFound }
  | Exclude<ImportOutcome, { readonly status: 'done' }>

const failed = (fault: Fault) => ({ status: 'failed', fault }) as const

function brokenImport(why: TaskFailure): WorkerEnding {
  switch (why.type) {
    case 'cancelled':
      return { status: 'cancelled' }
    case 'silent':
      return failed({
        code: 'timeout',
        message: `The reader has not responded for ${String(SILENCE_LIMIT_MS / 1000)} s.`,
        hint: 'Try again; if the file is on another machine, copy it to this one first.',
      })
    case 'not-cloned':
      return failed(stopped('what it read could not be handed over'))
    case 'died':
      return failed(stopped(why.message))
  }
}

/** `start` is a parameter for tests. */
export function createImportClient(start: () => Worker = startWorker): ImportClient {
  return {
    read: async (source, options) => {
      const isCancelled = () => options.signal?.aborted === true
      if (isCancelled()) return { status: 'cancelled' }
      const counting = new AbortController()
      try {
        const { origin, gaps, stepMs, onProgress, signal } = options
        const request = { source, origin, gaps, stepMs, inputs: countInputs(counting.signal) }
        let opening: Promise<Opened> | null = null
        let naming: Promise<readonly Gap[]> | null = null
        const open = async ({ trace: packed, placed: own, lod, ...facts }: PackedOpened) => {
          const trace = await unpackTrace(packed, createYielder())
          const placed = { trace, ...own }
          adoptLod(placed, lod)
          const opened = { ...facts, trace, placed }
          if (!isCancelled()) options.onOpened?.(opened)
          return opened
        }
        // '' until they have come, a moment after the gaps.
        let evidenceOf = (_: number): string => ''
        // Gaps are of a trace: never before it.
        const name = async ({ columns, rows }: PackedGaps, opened: Promise<Opened>) => {
          const { spans } = (await opened).trace
          const gapAt = gapReader(columns, spans, (row) => evidenceOf(row))
          const yieldIfDue = createYielder()
          const gaps: Gap[] = []
          for (let row = 0; row < columns.length; row += 1) {
            gaps.push(gapAt(row))
            // 10^6 objects are made in a tenth of a second.
            if (row % 4096 === 0) await yieldIfDue()
          }
          adoptGapRows(gaps, rows)
          if (!isCancelled()) options.onGaps?.(gaps)
          return gaps
        }
        const ending = await runInWorker<ImportEvent, WorkerEnding>(start(), {
          request: request satisfies ImportRequest,
          silenceMs: SILENCE_LIMIT_MS,
          signal,
          onFailure: brokenImport,
          onMessage: (event) => {
            switch (event.type) {
              case 'progress':
                onProgress?.(event.progress)
                return null
              case 'opened':
                opening = open(event.opened)
                return null
              case 'gaps':
                naming = opening && name(event.gaps, opening)
                return null
              case 'evidences':
                evidenceOf = stringReader(event.evidences)
                return null
              case 'done':
                return { status: 'done', found: event.found }
              case 'failed':
                return failed(event.fault)
            }
          },
        })
        const opened = await (opening as Promise<Opened> | null)
        const named = await (naming as Promise<readonly Gap[]> | null)
        if (ending.status !== 'done') return ending
        if (!opened || !named) return failed(stopped('it ended before all was read'))
        const trial = await unpacked(ending.found.trial, opened.trace)
        if (isCancelled()) return { status: 'cancelled' }
        return { status: 'done', opened, found: { ...ending.found, trial, gaps: named } }
      } catch (thrown) {
        return failed(toFault(thrown))
      } finally {
        counting.abort()
      }
    },
  }
}

async function unpacked(found: PackedFound['trial'], { spans }: Trace): Promise<FoundFacts['trial']> {
  if (!found) return null
  const { unpackTrial } = await import('../../analysis/replay/packed-trial')
  return { ...found, trial: await unpackTrial(found.trial, spans.kind, createYielder()) }
}

/** Tells the run store that a long run has ended. */
export const placeLongIn =
  ({ read }: ImportClient): PlaceLong =>
  async (trace) => {
    const ending = await read({ trace }, { origin: trace.info.origin, gaps: 'of-repeats' })
    return ending.status === 'done' ? { placed: ending.opened.placed, gaps: ending.found.gaps } : null
  }

const stopped = (why: string): Fault => ({
  code: 'worker',
  message: `The reader stopped: ${why || 'its script did not load, or the file needs more memory than there is'}.`,
  hint: 'Try again; a shorter recording needs less memory.',
})
