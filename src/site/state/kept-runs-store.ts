/**
 * Runs kept by name in this browser. Everything the visitor asks for is answered: done, or a fault that says why not. Nothing is lost
 * on the way: a run is deleted by a mark that can be taken off again, and cleared away a day later, or when its room is needed.
 */
import { createStore } from 'zustand/vanilla'
import type { StorageProblem } from './browser-database'
import { toFault, type Fault } from '../../base/fault'
import { takeTurns } from '../../base/in-turn'
import { fail, succeed, type Result } from '../../base/result'
import type { ImportProgress } from '../import-worker/protocol'
import type { RunInfo } from '../../trace/schema'
import { labelOf, readKept, readTombstone, standardName, type KeptRun, type Tombstone } from './kept-run'
import { inBackground } from './in-background'
import type { FileProgress, ImportHooks } from '../import-worker/as-run'
import type { RunFiles } from './run-files'
import type { RunRepository, StoredRun } from './run-repository'
import type { PlacedRun, LoadedRun } from './run-store'

export interface KeptEntry {
  readonly key: string
  /** null: what is said of it is not legible; its bytes may be. */
  readonly run: KeptRun | null
  /** Null: not deleted. */
  readonly deletedAt: string | null
}

interface KeptRunsState {
  /** Newest first; deleted ones apart. */
  readonly entries: readonly KeptEntry[]
  readonly deleted: readonly KeptEntry[]
  readonly phase: 'unread' | 'ready' | 'unavailable'
  /** Why nothing can be kept here. */
  readonly fault: Fault | null
  /** The file that is being read to be kept. */
  readonly importing: FileProgress | null
}

export type KeptRunsStore = ReturnType<typeof createKeptRunsStore>

interface ImportedFile {
  readonly name: string
  arrayBuffer: () => Promise<ArrayBuffer>
}
export interface ImportAnswer {
  readonly file: string
  readonly result: Result<string>
}

/** 'trace.json.gz' -> 'trace'. */
export const withoutEndings = (fileName: string): string => fileName.replace(/(\.hdl|\.json)?(\.gz)?$/i, '')

/** Of a run's name, characters. */
export const MAX_NAME = 120
const RESTORABLE_MS = 24 * 3600e3

const words: Readonly<Record<StorageProblem['kind'], readonly [string, string]>> = {
  missing: [
    'This browser keeps nothing for pages: it has no IndexedDB.',
    'Save the run as a file instead (Lab run .hdl.gz).',
  ],
  blocked: [
    'This browser does not let the page keep anything: site data are blocked, as in some private windows.',
    'Allow site data for this page, or save the run as a file (Lab run .hdl.gz).',
  ],
  full: [
    'The browser’s room for this page is used up, so the run was not kept. It is still on the page.',
    'Delete kept runs that you no longer need, or save this one as a file (Lab run .hdl.gz).',
  ],
  newer: [
    'A newer version of this page keeps its runs here; this one cannot read them.',
    'Reload the page. Until then, save the run as a file (Lab run .hdl.gz).',
  ],
  timeout: [
    'The browser’s store did not answer; it may be busy in another tab of this page.',
    'Close other tabs of this page and try again, or save the run as a file (Lab run .hdl.gz).',
  ],
  failed: [
    'The browser’s store did not do what was asked.',
    'Try again. Until it works, save the run as a file (Lab run .hdl.gz).',
  ],
}

const faultOf = ({ kind, detail }: StorageProblem): Fault => {
  const [message, hint] = words[kind]
  return { code: 'storage', message, hint, data: { problem: kind, 'the browser says': detail } }
}

const missing = (key: string): Fault => ({
  code: 'storage',
  message: 'This run is no longer kept here.',
  hint: 'It was deleted, in this tab or another, or the browser has cleared its data.',
  data: { key },
})

const NOT_READ: Fault = { code: 'file', message: 'Cancelled, so it was not kept.' }

const asResult = (answer: Result<unknown, StorageProblem>): Result<void> =>
  answer.ok ? succeed(undefined) : fail(faultOf(answer.error))

export interface KeptRunsParts {
  readonly repository: RunRepository
  readonly files: Pick<RunFiles, 'runBytes'>
  /** A run's bytes, given away; null: cancelled. */
  readonly openRun: (
    bytes: Uint8Array<ArrayBuffer>,
    origin: RunInfo['origin'],
  ) => Promise<Result<PlacedRun> | null>
  /** Any file that can be opened, as a run; null: cancelled. */
  readonly readFile: (file: ImportedFile, options: ImportHooks) => Promise<Result<LoadedRun> | null>
  /** Called when the first run of this page has been kept. Never rejects. */
  readonly persist?: () => Promise<void>
  readonly now?: () => number
  readonly newKey?: () => string
}

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export function createKeptRunsStore({
  repository,
  files,
  openRun,
  readFile,
  persist = () => Promise.resolve(),
  now = Date.now,
  newKey = randomKey,
}: KeptRunsParts) {
  const store = createStore<KeptRunsState>(() => ({
    entries: [],
    deleted: [],
    phase: 'unread',
    fault: null,
    importing: null,
  }))
  let isPersistAsked = false
  const iso = () => new Date(now()).toISOString()

  /** Labels as found, to be put back under a mark or taken from under one. */
  let labels: ReadonlyMap<string, unknown> = new Map()

  /** Two presses of a button do not meet in the store. */
  const inTurn = takeTurns()

  const isExpired = ({ deletedAt }: KeptEntry): boolean =>
    deletedAt !== null && !(now() - Date.parse(deletedAt) < RESTORABLE_MS)

  const show = (found: readonly StoredRun[]) => {
    labels = new Map(found.map(({ key, value }) => [key, value]))
    const all = found
      .map(({ key, value }): KeptEntry => {
        const mark = readTombstone(value)
        return { key, run: readKept(mark ? mark.was : value), deletedAt: mark?.deletedAt ?? null }
      })
      .sort((a, b) => (b.run?.keptAt ?? '').localeCompare(a.run?.keptAt ?? ''))
    store.setState({
      entries: all.filter(({ deletedAt }) => deletedAt === null),
      deleted: all.filter(({ deletedAt }) => deletedAt !== null),
      phase: 'ready',
      fault: null,
    })
  }

  const refresh = async (): Promise<void> => {
    const found = await repository.list()
    if (found.ok) show(found.value)
    else store.setState({ phase: 'unavailable', fault: faultOf(found.error) })
  }

  const clear = async (which: (entry: KeptEntry) => boolean): Promise<Result<void>> => {
    for (const entry of store.getState().deleted.filter(which)) {
      const gone = await repository.remove(entry.key)
      if (!gone.ok) return asResult(gone)
    }
    return succeed(undefined)
  }

  const relabel = async (key: string, change: (label: unknown) => unknown): Promise<Result<void>> => {
    await refresh()
    const { fault } = store.getState()
    if (fault) return fail(fault)
    if (!labels.has(key)) return fail(missing(key))
    const done = asResult(await repository.label(key, change(labels.get(key))))
    await refresh()
    return done
  }
  const restore = (key: string) =>
    relabel(key, (label) => {
      const mark = readTombstone(label)
      return mark ? mark.was : label
    })

  const hasBytes = async (key: string, bytes: Uint8Array): Promise<boolean> => {
    const found = await repository.bytes(key)
    const own = found.ok && found.value instanceof Uint8Array ? found.value : null
    return own?.length === bytes.length && own.every((byte, index) => byte === bytes[index])
  }

  const keep = async ({ trace, report }: LoadedRun, name: string | undefined): Promise<Result<string>> => {
    await refresh()
    const { entries, deleted, fault } = store.getState()
    if (fault) return fail(fault)
    const { experiment, startedAt } = trace.info
    let bytes: Uint8Array<ArrayBuffer>
    try {
      bytes = await files.runBytes(trace, report)
    } catch (thrown) {
      return fail(toFault(thrown))
    }
    const alike = [...entries, ...deleted].filter(
      ({ run }) => run?.experiment === experiment && run.startedAt === startedAt,
    )
    for (const { key } of alike) {
      // Traces from elsewhere name no experiment and perhaps no time: only their bytes tell them apart.
      if (experiment === '' && !(await hasBytes(key, bytes))) continue
      const restored = await restore(key)
      return restored.ok ? succeed(key) : restored
    }
    const called = (name ?? '').trim().slice(0, MAX_NAME)
    const label = labelOf(trace, report, called === '' ? standardName(trace) : called, bytes.length, iso())
    const key = newKey()
    let put = await repository.put(key, label, bytes)
    if (!put.ok && put.error.kind === 'full' && deleted.length > 0) {
      // Deleted runs give way before a new one is refused.
      await clear((entry) => entry.key !== key)
      put = await repository.put(key, label, bytes)
    }
    await refresh()
    if (!put.ok) return fail(faultOf(put.error))
    if (!isPersistAsked) {
      isPersistAsked = true
      inBackground(persist()) // a browser that asks the visitor holds nothing up
    }
    return succeed(key)
  }

  let importing = new AbortController()
  const importInTurn = takeTurns()

  const importOne = async (
    file: ImportedFile,
    title: string,
    signal: AbortSignal,
  ): Promise<Result<string>> => {
    const show = (progress: ImportProgress) => {
      if (!signal.aborted) store.setState({ importing: { name: title, progress } })
    }
    show({ fraction: 0, phase: 'Waiting for the bytes' })
    try {
      const read = signal.aborted ? null : await readFile(file, { signal, onProgress: show })
      if (!read || signal.aborted) return fail(NOT_READ)
      if (!read.ok) return read
      show({ fraction: 1, phase: 'Keeping it' })
      return await inTurn(() => keep(read.value, withoutEndings(file.name)))
    } catch (thrown) {
      return fail(toFault(thrown))
    }
  }

  const importAll = async (
    given: readonly ImportedFile[],
    signal: AbortSignal,
  ): Promise<readonly ImportAnswer[]> => {
    const answers: ImportAnswer[] = []
    for (const [index, file] of given.entries()) {
      const title =
        given.length > 1 ? `${file.name} (${String(index + 1)} of ${String(given.length)})` : file.name
      answers.push({ file: file.name, result: await importOne(file, title, signal) })
    }
    store.setState({ importing: null })
    return answers
  }

  const bytesOf = async (key: string): Promise<Result<Uint8Array<ArrayBuffer>>> => {
    const found = await repository.bytes(key)
    if (!found.ok) return fail(faultOf(found.error))
    const { value } = found
    if (value === undefined) return fail(missing(key))
    if (value instanceof Uint8Array) return succeed(value as Uint8Array<ArrayBuffer>) // never shared: it comes from a store
    return fail({
      code: 'file',
      message: 'What lies in the browser’s store under this name is not a run.',
      hint: 'It was not written by this lab. It can be deleted.',
      data: { key },
    })
  }

  return {
    store,
    /** Reads the list anew: other tabs keep runs too. */
    refresh: (): Promise<void> =>
      inTurn(async () => {
        await refresh()
        if (!store.getState().deleted.some(isExpired)) return
        await clear(isExpired)
        await refresh()
      }),
    /** Its key. A run that is kept already is not kept twice; one that was deleted is restored. */
    keep: (run: LoadedRun, name?: string): Promise<Result<string>> => inTurn(() => keep(run, name)),
    /** The bytes as they lie there: also of a run that this version cannot read. */
    bytes: bytesOf,
    open: async (key: string, origin: RunInfo['origin'] = 'recorded'): Promise<Result<PlacedRun>> => {
      const bytes = await bytesOf(key)
      if (!bytes.ok) return bytes
      return (await openRun(bytes.value, origin)) ?? fail({ code: 'file', message: 'It was not opened.' })
    },
    rename: (key: string, name: string): Promise<Result<void>> => {
      const called = name.trim().slice(0, MAX_NAME)
      return inTurn(() =>
        relabel(key, (label) => {
          const run = readKept(label)
          return run && called !== '' ? { ...run, name: called } : label
        }),
      )
    },
    remove: (key: string): Promise<Result<void>> =>
      inTurn(() =>
        relabel(key, (label): unknown =>
          readTombstone(label) ? label : ({ deletedAt: iso(), was: label } satisfies Tombstone),
        ),
      ),
    restore: (key: string): Promise<Result<void>> => inTurn(() => restore(key)),
    /** Clears the deleted ones away for good. */
    clearDeleted: (): Promise<Result<void>> =>
      inTurn(async () => {
        const cleared = await clear(() => true)
        await refresh()
        return cleared
      }),
    /** One answer a file, in their order: a bad file stops no other. Files given while others are read wait for their turn. */
    importFiles: (given: readonly ImportedFile[]): Promise<readonly ImportAnswer[]> => {
      const { signal } = importing
      return importInTurn(() => importAll(given, signal))
    },
    /** Lets go of what is being read, and of all that waits to be. What has been kept stays. */
    cancelImport: () => {
      importing.abort()
      importing = new AbortController()
      store.setState({ importing: null })
    },
  }
}
