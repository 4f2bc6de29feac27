/**
 * A file being opened, or those of several ranks, and what is shown on the page 'trace': what is
 * known of it beyond the run in the run store. Invariant: a file that cannot be read changes
 * nothing of what is shown; whoever asks last is answered.
 */
import { createStore } from 'zustand/vanilla'
import { toFault, type Fault, type Result, succeed } from '../../base/fault'
import type { ImportClient } from '../import-worker/client'
import type {
  FileProgress,
  FoundFacts,
  NamedFile,
  OpenedFacts,
  ImportProgress,
  ImportSource,
} from '../import-worker/protocol'
import type { PlacedTrace } from '../../trace/place'
import type { RunInfo, Trace } from '../../trace/schema'
import type { RunStore } from '../state/run-store'

export const TRACE_OWNER = 'trace'

export interface ShownFile extends OpenedFacts {
  readonly name: string
  /** Address at which it opens again: 'recording:ID'; '' for a file of the visitor's. */
  readonly from: string
  /** Of the run store: where that shows another, this is no longer shown. */
  readonly trace: Trace
  /** Null while the gaps are being named, and where that was stopped. */
  readonly found: FoundFacts | null
  /**
   * A step of the program without the profiler, as the reader or the recording says; null: as the
   * file does.
   */
  readonly stepMs: number | null
}

interface ImportState {
  readonly importing: FileProgress | null
  readonly fault: Fault | null
  readonly shown: ShownFile | null
}

type Given = Blob | readonly NamedFile[]

export interface OpenRequest {
  readonly name: string
  readonly from: string
  readonly origin: RunInfo['origin']
  /** Two files or more are taken for those of several ranks. */
  readonly take: Given | ((signal: AbortSignal) => Promise<Result<Given>>)
  /** It is about to be shown on the page 'trace'. */
  readonly onShow?: () => void
  /** A step of the program without the profiler, where the file does not say. */
  readonly stepMs?: number | undefined
  /**
   * For whom it is read. The page 'trace', unless said otherwise, shows it as soon as it can be
   * drawn; any other owner has the run when all of it is known, with the gaps that its figures rest
   * on.
   */
  readonly owner?: string
}

export type ImportStore = ReturnType<typeof createImportStore>

export function createImportStore(importer: ImportClient, runs: Pick<RunStore, 'load' | 'nameGaps'>) {
  const store = createStore<ImportState>(() => ({ importing: null, fault: null, shown: null }))
  let current: AbortController | null = null
  /** Request of the file that is shown. */
  let shownBy: OpenRequest | null = null

  /** @param again the file is shown already, and only what is found in it is asked for */
  const read = async (
    request: OpenRequest,
    again: { readonly stepMs: number | null } | null,
  ): Promise<void> => {
    const { name, from, origin, take, owner = TRACE_OWNER } = request
    const { stepMs } = again ?? { stepMs: request.stepMs ?? null }
    const isWhole = owner !== TRACE_OWNER
    current?.abort()
    const stop = new AbortController()
    current = stop
    const set = (change: Partial<ImportState>) => {
      if (current === stop) store.setState(change)
    }
    let sketch: ImportProgress['sketch']
    const show = (progress: ImportProgress) => {
      sketch = progress.sketch ?? sketch
      set({ importing: { name, progress: { ...progress, sketch } } })
    }
    set({ fault: null })
    show({ fraction: 0, phase: 'Waiting for the bytes' })
    let fileCount = 1
    const failed = (fault: Fault) => {
      if (stop.signal.aborted) return
      // Of several files the message names each.
      const message = fileCount > 1 ? fault.message : `${name}: ${fault.message}`
      set({ importing: null, fault: { ...fault, message } })
    }
    try {
      const taken = typeof take === 'function' ? await take(stop.signal) : succeed(take)
      if (!taken.ok) {
        failed(taken.error)
        return
      }
      let placedRun: PlacedTrace | null = null
      if (!(taken.value instanceof Blob)) fileCount = taken.value.length
      const ending = await importer.read(sourceOf(taken.value), {
        origin,
        gaps: isWhole ? 'of-repeats' : 'of-devices',
        ...(stepMs === null ? {} : { stepMs }),
        onProgress: show,
        signal: stop.signal,
        onOpened: ({ placed, ...facts }) => {
          if (isWhole || again || stop.signal.aborted || current !== stop) return
          shownBy = request
          request.onShow?.()
          sketch = undefined
          runs.load(TRACE_OWNER, { trace: facts.trace, report: facts.report, placed, gaps: [] })
          placedRun = placed
          set({
            shown: { ...facts, name: facts.ranks?.title ?? name, from, found: null, stepMs: null },
          })
        },
        onGaps: (gaps) => {
          if (!stop.signal.aborted && current === stop && placedRun) runs.nameGaps(placedRun, gaps)
        },
      })
      if (stop.signal.aborted || current !== stop) return
      if (ending.status === 'failed') failed(ending.fault)
      if (ending.status !== 'done') return
      if (isWhole) {
        const { trace, report, placed } = ending.opened
        runs.load(owner, { trace, report, placed, gaps: ending.found.gaps })
        set({ importing: null })
        return
      }
      const { shown } = store.getState()
      set({ importing: null, shown: shown && { ...shown, found: ending.found, stepMs } })
    } catch (thrown) {
      failed(toFault(thrown))
    }
  }

  return {
    store,
    /** Resolves when it is shown, or not. What was being read before is let go. */
    open: (request: OpenRequest): Promise<void> => read(request, null),
    /** Opens the file that is shown once more. */
    again: async (): Promise<void> => {
      if (shownBy) await read(shownBy, null)
    },
    /**
     * Asks again what is wrong with the file that is shown: for a program whose step takes so long
     * without the profiler.
     */
    calibrate: async (stepMs: number | null): Promise<void> => {
      if (shownBy) await read(shownBy, { stepMs })
    },
    cancel: () => {
      current?.abort()
      current = null
      store.setState({ importing: null })
    },
  }
}

function sourceOf(given: Given): ImportSource {
  if (given instanceof Blob) return given
  const [only, ...others] = given
  return only && others.length === 0 ? only.blob : { files: given }
}
