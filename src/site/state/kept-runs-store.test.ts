import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { succeed } from '../../base/result'
import { encodeRun } from '../../trace/codec'
import { arbitraryTrace, newBuilder, testInfo } from '../../trace/testing/arbitrary-trace'
import { sampleReport } from '../../trace/testing/sample-report'
import { createKeptRunsStore } from './kept-runs-store'
import { writeFile } from '../export-worker/formats'
import { createRunFiles } from './run-files'

const runFiles = createRunFiles(({ kind, ...run }) => writeFile(kind, run))
import type { LoadedRun } from './run-store'
import { memoryRepository } from './testing/memory-repository'

const HOUR = 3600e3

function setup() {
  const repository = memoryRepository()
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  let keys = 0
  const asked = { toPersist: 0 }
  const kept = createKeptRunsStore({
    repository,
    persist: () => {
      asked.toPersist += 1
      return Promise.resolve()
    },
    files: runFiles,
    openRun: runFiles.readRun,
    readFile: async (file) => await runFiles.readRun(new Uint8Array(await file.arrayBuffer()), 'imported'),
    now: () => clock.now,
    newKey: () => `key-${String((keys += 1))}`,
  })
  const names = () => kept.store.getState().entries.map(({ run }) => run?.name ?? null)
  return { repository, clock, kept, names, asked, state: () => kept.store.getState() }
}

const run = (startedAt = testInfo.startedAt): LoadedRun => ({
  trace: newBuilder({ ...testInfo, startedAt }).freeze(),
  report: sampleReport,
})
const file = (name: string, bytes: Uint8Array<ArrayBuffer>) => ({
  name,
  arrayBuffer: () => Promise.resolve(bytes.slice().buffer),
})
const keyOf = (result: { readonly ok: boolean; readonly value?: string }) => result.value ?? 'no key'

describe('a run that is kept', () => {
  it('comes back as it was, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTrace, async (trace) => {
        const { kept } = setup()
        const key = keyOf(await kept.keep({ trace, report: sampleReport }, 'one'))
        const back = await kept.open(key)
        if (!back.ok) throw new Error(back.error.message)
        const origin = 'recorded' as const
        expect(encodeRun(back.value)).toEqual(
          encodeRun({ trace: { ...trace, info: { ...trace.info, origin } }, report: sampleReport }),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('is listed with what is said of it, the newest first', async () => {
    const { kept, clock, names, state } = setup()
    await kept.keep(run())
    clock.now += HOUR
    await kept.keep(run('2026-02-02T10:30:00.000Z'), '  my own name ')
    expect(names()).toEqual(['my own name', 'sync-stalls, 2026-01-01 00:00'])
    expect(state().entries[0]?.run).toMatchObject({
      experiment: 'sync-stalls',
      adapterName: 'SwiftShader (software, on the CPU)',
      isSoftware: true,
      headline: { name: 'step-ms', variant: 'never', value: 1 },
    })
    expect(state().entries[0]?.run?.sizeBytes).toBeGreaterThan(100)
  })

  it('is worth asking the browser to evict nothing: once, and only when there is something', async () => {
    const { kept, asked } = setup()
    await kept.refresh()
    expect(asked.toPersist).toBe(0)
    await kept.keep(run())
    await kept.keep(run('2026-02-02T10:30:00.000Z'))
    expect(asked.toPersist).toBe(1)
  })

  it('is told from another without a name or a date by its bytes', async () => {
    const { kept, state } = setup()
    const unnamed = (userAgent: string): LoadedRun => ({
      trace: newBuilder({ ...testInfo, experiment: '', startedAt: '', userAgent }).freeze(),
      report: null,
    })
    const first = await kept.keep(unnamed('a'), 'one')
    await kept.keep(unnamed('b'), 'two')
    expect(await kept.keep(unnamed('a'), 'three')).toEqual(first)
    expect(state().entries).toHaveLength(2)
  })

  it('is not kept twice, also when asked for twice at once', async () => {
    const { kept, names } = setup()
    const [first, second] = await Promise.all([kept.keep(run()), kept.keep(run())])
    expect(keyOf(first)).toBe(keyOf(second))
    expect(names()).toHaveLength(1)
  })

  it('can be renamed, but not to nothing', async () => {
    const { kept, names } = setup()
    const key = keyOf(await kept.keep(run(), 'before'))
    await kept.rename(key, ' after ')
    await kept.rename(key, '   ')
    expect(names()).toEqual(['after'])
  })

  it('is deleted, restored, and cleared away a day later', async () => {
    const { kept, clock, repository, names, state } = setup()
    const key = keyOf(await kept.keep(run(), 'one'))
    expect(await kept.remove(key)).toMatchObject({ ok: true })
    expect([names(), state().deleted.length]).toEqual([[], 1])
    await kept.restore(key)
    expect(names()).toEqual(['one'])
    await kept.remove(key)
    clock.now += 23 * HOUR
    await kept.refresh()
    expect(repository.data.size).toBe(1)
    clock.now += 2 * HOUR
    await kept.refresh()
    expect([repository.data.size, repository.labels.size, state().deleted.length]).toEqual([0, 0, 0])
  })

  it('is restored by keeping it again', async () => {
    const { kept, names, state } = setup()
    await kept.remove(keyOf(await kept.keep(run(), 'one')))
    await kept.keep(run())
    expect([names(), state().deleted.length]).toEqual([['one'], 0])
  })
})

describe('no run is lost', () => {
  it('when the room is used up: what is there stays, and it is said', async () => {
    const { kept, repository, names } = setup()
    await kept.keep(run(), 'one')
    repository.roomBytes = 1
    const refused = await kept.keep(run('2026-02-02T00:00:00.000Z'), 'two')
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage', data: { problem: 'full' } } })
    expect(names()).toEqual(['one'])
    expect(await kept.open('key-1')).toMatchObject({ ok: true })
  })

  it('when the room is used up by deleted runs: they give way', async () => {
    const { kept, repository, names } = setup()
    const key = keyOf(await kept.keep(run(), 'one'))
    await kept.remove(key)
    repository.roomBytes = (repository.data.get(key) as Uint8Array).length + 10
    expect(await kept.keep(run('2026-02-02T00:00:00.000Z'), 'two')).toMatchObject({ ok: true })
    expect(names()).toEqual(['two'])
  })

  it.each(['missing', 'blocked', 'newer', 'timeout', 'failed'] as const)(
    'where the store is %s: it is said',
    async (kind) => {
      const { kept, repository, state } = setup()
      repository.refuse = kind
      await kept.refresh()
      expect(state()).toMatchObject({ phase: 'unavailable', fault: { code: 'storage' } })
      for (const answer of [await kept.keep(run()), await kept.remove('x'), await kept.open('x')])
        expect(answer).toMatchObject({ ok: false, error: { data: { problem: kind } } })
      repository.refuse = null
      await kept.refresh()
      expect(state()).toMatchObject({ phase: 'ready', fault: null })
    },
  )

  it('when an entry is not legible: it stays, with its bytes, can be deleted and put back', async () => {
    const { kept, repository, state } = setup()
    await kept.keep(run(), 'one')
    const strange = { version: 99, title: 'of a newer lab' }
    repository.labels.set('strange', strange)
    repository.data.set('strange', new Uint8Array([1, 2, 3]))
    await kept.refresh()
    expect(state().entries.find(({ key }) => key === 'strange')).toMatchObject({ run: null })
    expect(await kept.bytes('strange')).toMatchObject({ ok: true, value: new Uint8Array([1, 2, 3]) })
    expect(await kept.open('strange')).toMatchObject({ ok: false, error: { code: 'file' } })
    await kept.remove('strange')
    expect(state().deleted).toHaveLength(1)
    await kept.restore('strange')
    expect(repository.labels.get('strange')).toEqual(strange)
  })

  it('whatever lies in the store, the list is made', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (label, bytes) => {
        const { kept, repository, state } = setup()
        repository.labels.set('odd', label)
        repository.data.set('odd', bytes)
        await kept.refresh()
        const { entries, deleted } = state()
        expect(entries.length + deleted.length).toBe(1)
        expect(await kept.open('odd')).toMatchObject({ ok: false })
      }),
    )
  })

  it('that another tab has deleted for good: it is said', async () => {
    const { kept, repository } = setup()
    const key = keyOf(await kept.keep(run(), 'one'))
    repository.labels.clear()
    repository.data.clear()
    for (const answer of [await kept.open(key), await kept.rename(key, 'x'), await kept.remove(key)])
      expect(answer).toMatchObject({ ok: false, error: { code: 'storage' } })
  })
})

it('imports several files: a bad one is named, the others are kept', async () => {
  const { kept, names } = setup()
  const [stalls, uploads] = await Promise.all(
    ['sync-stalls', 'overlapped-uploads'].map(
      async (id) => new Uint8Array(await readFile(`public/recordings/${id}.hdl.gz`)),
    ),
  )
  if (!stalls || !uploads) throw new Error('no recordings')
  const answers = await kept.importFiles([
    file('first.hdl.gz', stalls),
    file('cut.hdl.gz', stalls.slice(0, 1000)),
    file('second.hdl.gz', uploads),
  ])
  expect(answers.map(({ file: name, result }) => [name, result.ok])).toEqual([
    ['first.hdl.gz', true],
    ['cut.hdl.gz', false],
    ['second.hdl.gz', true],
  ])
  expect(names().toSorted()).toEqual(['first', 'second'])
})

describe('while files are imported', () => {
  /** Reads what it is told to, when it is told to. */
  function slowly() {
    const repository = memoryRepository()
    const asked: { readonly name: string; readonly signal: AbortSignal; readonly end: () => void }[] = []
    const kept = createKeptRunsStore({
      repository,
      files: runFiles,
      openRun: runFiles.readRun,
      readFile: ({ name }, { signal, onProgress }) =>
        new Promise((resolve) => {
          onProgress({ fraction: 0.5, phase: 'Reading the events' })
          signal.addEventListener('abort', () => resolve(null))
          const startedAt = `2026-01-0${String(asked.length + 1)}T00:00:00.000Z`
          asked.push({
            name,
            signal,
            end: () => resolve(succeed(run(startedAt))),
          })
        }),
    })
    const isAsked = async (count: number) => {
      while (asked.length < count) await new Promise((done) => setTimeout(done, 0))
    }
    return { kept, asked, isAsked, importing: () => kept.store.getState().importing }
  }
  const named = (name: string) => file(name, new Uint8Array())

  it('says which, and how far it is; then nothing', async () => {
    const { kept, asked, isAsked, importing } = slowly()
    const importingAll = kept.importFiles([named('a.hdl'), named('b.hdl')])
    await isAsked(1)
    const progress = { fraction: 0.5, phase: 'Reading the events' }
    expect(importing()).toEqual({ name: 'a.hdl (1 of 2)', progress })
    // Files that come meanwhile wait.
    const importingMore = kept.importFiles([named('c.hdl')])
    asked[0]?.end()
    await isAsked(2)
    expect(importing()).toEqual({ name: 'b.hdl (2 of 2)', progress })
    asked[1]?.end()
    await isAsked(3)
    expect(importing()).toEqual({ name: 'c.hdl', progress })
    asked[2]?.end()
    const answers = [...(await importingAll), ...(await importingMore)]
    expect(answers.map(({ result }) => result.ok)).toEqual([true, true, true])
    expect(importing()).toBeNull()
    expect(kept.store.getState().entries).toHaveLength(3)
  })

  it('lets go of what is read and what waits, keeps what was kept, and takes others after that', async () => {
    const { kept, asked, isAsked, importing } = slowly()
    const importingAll = kept.importFiles([named('a.hdl'), named('b.hdl'), named('c.hdl')])
    const importingMore = kept.importFiles([named('d.hdl')])
    await isAsked(1)
    asked[0]?.end()
    await isAsked(2)
    kept.cancelImport()
    expect(asked[1]?.signal.aborted).toBe(true)
    const answers = [...(await importingAll), ...(await importingMore)]
    expect(answers.map(({ file: name, result }) => [name, result.ok])).toEqual([
      ['a.hdl', true],
      ['b.hdl', false],
      ['c.hdl', false],
      ['d.hdl', false],
    ])
    expect(answers[1]?.result).toMatchObject({ error: { message: 'Cancelled, so it was not kept.' } })
    expect(asked).toHaveLength(2)
    expect(importing()).toBeNull()
    const importingAgain = kept.importFiles([named('e.hdl')])
    await isAsked(3)
    asked[2]?.end()
    expect((await importingAgain).map(({ result }) => result.ok)).toEqual([true])
  })
})
