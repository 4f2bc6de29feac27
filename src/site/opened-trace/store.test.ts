import { describe, expect, it, vi } from 'vitest'
import { type Fault, fail } from '../../base/fault'
import type { ImportClient } from '../import-worker/client'
import type { ImportProgress, ImportSource } from '../import-worker/protocol'
import { createImportStore, type OpenRequest } from './store'

type ImportOutcome = Awaited<ReturnType<ImportClient['read']>>
type Done = Extract<ImportOutcome, { readonly status: 'done' }>
type Opened = Done['opened']
type Found = Done['found']

const trace = {} as Opened['trace']
const opened = { trace, placed: {}, report: null, format: 'trace-event' } as unknown as Opened
const gap = {} as Found['gaps'][number]
const found = { gaps: [gap], path: null } as unknown as Found
const fault: Fault = { code: 'file', message: 'The file is empty.' }
const done: ImportOutcome = { status: 'done', opened, found }

function setup() {
  const asked: {
    readonly signal: AbortSignal | undefined
    readonly say: ((progress: ImportProgress) => void) | undefined
    readonly show: (facts?: Partial<Opened>) => void
    readonly name: () => void
    readonly end: (ending: ImportOutcome) => void
  }[] = []
  const sources: ImportSource[] = []
  const importer: ImportClient = {
    read: (source, { signal, onProgress, onOpened, onGaps }) =>
      new Promise((end) => {
        sources.push(source)
        onProgress?.({ fraction: 0.5, phase: 'Reading the events' })
        asked.push({
          signal,
          say: onProgress,
          show: (facts) => onOpened?.({ ...opened, ...facts }),
          name: () => onGaps?.([gap]),
          end,
        })
      }),
  }
  const runs = { load: vi.fn(), nameGaps: vi.fn() }
  const files = createImportStore(importer, runs)
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
  return { asked, sources, runs, files, settle, state: () => files.store.getState() }
}

const request = (name: string): OpenRequest => ({
  name,
  from: '',
  origin: 'imported',
  take: new Blob(['a']),
})

describe('the file on the page', () => {
  it('has a sketch of what is read until it can be drawn', async () => {
    const { asked, files, settle, state } = setup()
    const opening = files.open(request('a.json'))
    await settle()
    const [read] = asked
    const sketch = { rows: [] }
    const said = { fraction: 0.6, phase: 'Reading the events' }
    read?.say?.({ ...said, sketch })
    read?.say?.(said)
    expect(state().importing?.progress.sketch).toBe(sketch)
    read?.show()
    read?.say?.({ ...said, phase: 'Naming the gaps' })
    expect(state().importing?.progress.sketch).toBeUndefined()
    read?.end(done)
    await opening
  })

  it('is shown when it is read, and the run store has it placed', async () => {
    const { asked, runs, files, settle, state } = setup()
    const opening = files.open(request('a.json'))
    await settle()
    expect(state().importing).toEqual({
      name: 'a.json',
      progress: { fraction: 0.5, phase: 'Reading the events' },
    })
    asked[0]?.show()
    expect(state()).toMatchObject({ shown: { name: 'a.json', format: 'trace-event', found: null } })
    expect(state().importing).not.toBeNull()
    expect(runs.load).toHaveBeenCalledWith('trace', { trace, report: null, placed: {}, gaps: [] })
    asked[0]?.name()
    expect(runs.nameGaps).toHaveBeenCalledWith(opened.placed, [gap])
    asked[0]?.end(done)
    await opening
    expect(state()).toMatchObject({ importing: null, fault: null, shown: { found: { path: null } } })
  })

  it('stays when the next cannot be read, or not even be had', async () => {
    const { asked, runs, files, settle, state } = setup()
    const first = files.open(request('a.json'))
    await settle()
    asked[0]?.show()
    asked[0]?.end(done)
    await first
    const second = files.open(request('b.json'))
    await settle()
    asked[1]?.end({ status: 'failed', fault })
    await second
    expect(state().fault?.message).toBe('b.json: The file is empty.')
    await files.open({ ...request('c'), take: () => Promise.resolve(fail(fault)) })
    expect(state().fault?.message).toBe('c: The file is empty.')
    await files.open({ ...request('d'), take: () => Promise.reject(new TypeError('no network')) })
    expect(state()).toMatchObject({ importing: null, shown: { name: 'a.json' } })
    expect(state().fault?.message).toContain('no network')
    expect(runs.load).toHaveBeenCalledTimes(1)
  })

  it('is the one asked for last, whatever comes when', async () => {
    const { asked, runs, files, settle, state } = setup()
    const first = files.open(request('a.json'))
    await settle()
    const second = files.open(request('b.json'))
    await settle()
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[1]?.show()
    asked[1]?.end(done)
    asked[0]?.show()
    asked[0]?.end(done)
    await Promise.all([first, second])
    expect(state().shown?.name).toBe('b.json')
    expect(runs.load).toHaveBeenCalledTimes(1)
  })

  it('is not shown once it is cancelled, and no fault is made of that', async () => {
    const { asked, runs, files, settle, state } = setup()
    const opening = files.open(request('a.json'))
    await settle()
    files.cancel()
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[0]?.show()
    asked[0]?.end(done)
    await opening
    expect(state()).toEqual({ importing: null, fault: null, shown: null })
    expect(runs.load).not.toHaveBeenCalled()
  })

  it('stays as far as it came when it is cancelled while its gaps are named', async () => {
    const { asked, runs, files, settle, state } = setup()
    const opening = files.open(request('a.json'))
    await settle()
    asked[0]?.show()
    files.cancel()
    asked[0]?.name()
    asked[0]?.end({ status: 'cancelled' })
    await opening
    expect(state()).toMatchObject({ importing: null, fault: null, shown: { name: 'a.json', found: null } })
    expect(runs.nameGaps).not.toHaveBeenCalled()
  })

  it('is read again where another that cannot be read stopped its verdict', async () => {
    const { asked, sources, files, settle, state } = setup()
    const opening = files.open(request('a.json'))
    await settle()
    asked[0]?.show()
    const other = files.open({ ...request('b.zip'), take: () => Promise.resolve(fail(fault)) })
    asked[0]?.end({ status: 'cancelled' })
    await Promise.all([opening, other])
    expect(state()).toMatchObject({ importing: null, shown: { name: 'a.json', found: null } })
    const again = files.again()
    await settle()
    asked[1]?.show()
    asked[1]?.end(done)
    await again
    expect(sources[1]).toBe(sources[0])
    expect(state()).toMatchObject({ importing: null, fault: null, shown: { name: 'a.json', found } })
  })
})

describe('several files', () => {
  const file = (name: string) => ({ name, blob: new Blob([name]) })
  const several = (...names: readonly string[]): OpenRequest => ({
    ...request(`${String(names.length)} files`),
    take: names.map(file),
  })
  const ranks = { title: 'Ranks 0 and 1' } as NonNullable<Opened['ranks']>

  it('go to the reader together, and are shown under the ranks’ name', async () => {
    const { asked, sources, files, settle, state } = setup()
    const opening = files.open(several('a.json', 'b.json'))
    await settle()
    expect(sources[0]).toMatchObject({ files: [{ name: 'a.json' }, { name: 'b.json' }] })
    expect(state().importing?.name).toBe('2 files')
    asked[0]?.show({ ranks })
    asked[0]?.end(done)
    await opening
    expect(state().shown?.name).toBe('Ranks 0 and 1')
  })

  it('of which there is one are that one, as it always was', async () => {
    const { asked, sources, files, settle } = setup()
    const opening = files.open(several('a.json'))
    await settle()
    expect(sources[0]).toBeInstanceOf(Blob)
    asked[0]?.show({ ranks: null })
    asked[0]?.end(done)
    await opening
  })

  it('that cannot be read are named by the reader, and what was shown stays', async () => {
    const { asked, files, settle, state } = setup()
    const first = files.open(request('a.json'))
    await settle()
    asked[0]?.show()
    asked[0]?.end(done)
    await first
    const opening = files.open(several('b.json', 'c.json'))
    await settle()
    const message = '‘b.json’ cannot be read. ‘c.json’ cannot be read.'
    asked[1]?.end({ status: 'failed', fault: { code: 'file', message } })
    await opening
    expect(state().fault?.message).toBe(message)
  })
})

it('a file for another page is its own when all of it is known, and not where that was cancelled', async () => {
  const { asked, runs, files, settle, state } = setup()
  const opening = files.open({ ...request('a.hdl.gz'), owner: 'run/sync-stalls' })
  await settle()
  asked[0]?.show()
  asked[0]?.name()
  expect(runs.load).not.toHaveBeenCalled()
  expect(state().importing?.name).toBe('a.hdl.gz')
  asked[0]?.end(done)
  await opening
  expect(runs.load).toHaveBeenCalledExactlyOnceWith('run/sync-stalls', {
    trace,
    report: null,
    placed: {},
    gaps: [gap],
  })
  expect(runs.nameGaps).not.toHaveBeenCalled()
  expect(state()).toEqual({ importing: null, fault: null, shown: null })

  const next = files.open({ ...request('b.hdl.gz'), owner: 'run/sync-stalls' })
  await settle()
  files.cancel()
  asked[1]?.end(done)
  await next
  expect(runs.load).toHaveBeenCalledTimes(1)
  expect(state()).toEqual({ importing: null, fault: null, shown: null })
})
