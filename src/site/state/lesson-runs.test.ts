/** The last runs of lessons: in memory as they were made, in storage as files, and what each may not do to the other. */
import { describe, expect, it } from 'vitest'
import { FaultError } from '../../base/fault'
import { FakeRun } from '../../experiments/testing/fake-evidence'
import { sampleReport } from '../../trace/testing/sample-report'
import { writeFile } from '../export-worker/formats'
import { createLessonRuns, FIRST_RUN, runKey } from './lesson-runs'
import { endedState } from './run-store'
import { createRunFiles } from './run-files'
import { NO_RUN, type RunState } from './run-store'
import { memoryRepository, type MemoryRepository } from './testing/memory-repository'
import { traceTools } from './trace-tools'

const files = createRunFiles(({ kind, ...run }) => writeFile(kind, run))
const lessonRuns = (
  repository: MemoryRepository,
  using: Pick<typeof files, 'runBytes' | 'readRun'> = files,
) => createLessonRuns(repository, using, traceTools)

const MS = 1e6

/** A run that ended well; `startedAt` tells it from others. */
function ended(startedAt: string, origin: 'live' | 'recorded' = 'live'): RunState {
  const run = new FakeRun()
  run.host('submit', 'submit', 'a', 0, 0, 1).pass('a', 0, 0, 1, 2)
  const trace = run.builder.freeze()
  return endedState(
    'lessons/l/first',
    { trace: { ...trace, info: { ...trace.info, startedAt, origin } }, report: sampleReport },
    traceTools,
  )
}

/** All that was asked of a repository in memory has happened. */
const settled = async (repository: MemoryRepository, keys: readonly string[]) => {
  await expect.poll(() => [...repository.data.keys()].sort()).toEqual([...keys].sort())
}
const startOf = (runs: ReturnType<typeof lessonRuns>, key: string) =>
  runs.store.getState().runs[key]?.info?.startedAt ?? null

const EARLY = '2026-01-01T00:00:00.000Z'
const LATE = '2026-02-02T00:00:00.000Z'

describe('a lesson’s last runs', () => {
  it('come back after a reload: figures, times, owner and where they were made', async () => {
    const repository = memoryRepository()
    const before = lessonRuns(repository)
    const live = ended(EARLY)
    before.keep('l', FIRST_RUN, live)
    before.keep('l', 'step', ended(LATE, 'recorded'))
    before.keep('other', FIRST_RUN, ended(LATE))
    await settled(repository, ['l/first', 'l/step', 'other/first'])

    const after = lessonRuns(repository)
    expect(after.store.getState().runs).toEqual({})
    await after.open('l')
    const { runs, opened } = after.store.getState()
    expect(Object.keys(runs).sort()).toEqual(['l/first', 'l/step'])
    expect([...opened]).toEqual(['l'])
    expect(runs['l/first']).toMatchObject({
      phase: 'done',
      owner: 'lessons/l/first',
      origin: 'live',
      experiment: live.experiment,
      info: { startedAt: EARLY },
      report: live.report,
      nowNs: live.nowNs,
      fault: null,
    })
    expect(runs['l/first']?.placed?.endNs).toEqual(live.placed?.endNs)
    expect(runs['l/first']?.gaps).toEqual(live.gaps)
    // A recording that was played never becomes the visitor's own.
    expect(runs['l/step']).toMatchObject({ owner: 'lessons/l/step', origin: 'recorded' })
  })

  it('are told of without their traces, those of storage and those of the page', async () => {
    const repository = memoryRepository()
    const before = lessonRuns(repository)
    before.keep('l', FIRST_RUN, ended(EARLY))
    before.keep('l', 'step', ended(EARLY, 'recorded'))
    await settled(repository, ['l/first', 'l/step'])

    const after = lessonRuns(repository)
    const reports = await after.reports('l')
    const { params } = ended(EARLY)
    expect([...reports].sort()).toEqual([
      ['l/first', { params, origin: 'live', report: sampleReport }],
      ['l/step', { params, origin: 'recorded', report: sampleReport }],
    ])
    expect(after.store.getState()).toEqual({ runs: {}, opened: new Set() })
    // What was made since is newer than what is stored.
    after.keep('l', FIRST_RUN, ended(LATE, 'recorded'))
    expect((await after.reports('l')).get('l/first')?.origin).toBe('recorded')
  })

  it('are the visitor’s own where they were measured here', async () => {
    const repository = memoryRepository()
    const before = lessonRuns(repository)
    before.keep('l', 'first-step', ended(EARLY))
    before.keep('played', FIRST_RUN, ended(EARLY, 'recorded'))
    before.keep('own', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first-step', 'played/first', 'own/first'])
    const after = lessonRuns(repository)
    expect(await after.measured('own')).toEqual(sampleReport)
    expect(await after.measured('played')).toBeNull()
    expect(await after.measured('l')).toBeNull()
    // The last run was another's.
    after.keep('own', FIRST_RUN, ended(LATE, 'recorded'))
    expect(await after.measured('own')).toBeNull()
  })

  it('of one lesson are not those of another whose name begins the same', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('sync-stalls-2', FIRST_RUN, ended(EARLY))
    await settled(repository, ['sync-stalls-2/first'])
    const after = lessonRuns(repository)
    await after.open('sync-stalls')
    expect(after.store.getState().runs).toEqual({})
  })

  it('are read back once', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('l', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first'])
    let lists = 0
    const runs = createLessonRuns(
      {
        ...repository,
        list: () => {
          lists += 1
          return repository.list()
        },
      },
      files,
      traceTools,
    )
    await Promise.all([runs.open('l'), runs.open('l')])
    await runs.open('l')
    expect(lists).toBe(1)
  })

  it('take the place of the one before, in storage too, however long each takes to write', async () => {
    const repository = memoryRepository()
    // The first run is larger: its file is ready after the second's.
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    const runs = lessonRuns(repository, {
      ...files,
      runBytes: async (trace, report) => {
        if (trace.info.startedAt === EARLY) await slow
        return await files.runBytes(trace, report)
      },
    })
    runs.keep('l', FIRST_RUN, ended(EARLY))
    runs.keep('l', FIRST_RUN, ended(LATE))
    runs.keep('l', 'step', ended(LATE))
    release()
    await settled(repository, ['l/first', 'l/step'])
    expect(startOf(runs, 'l/first')).toBe(LATE)
    const after = lessonRuns(repository)
    await after.open('l')
    expect(startOf(after, 'l/first')).toBe(LATE)
  })

  it('that were made while the kept ones were read are newer', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('l', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first'])
    const runs = lessonRuns(repository, {
      ...files,
      readRun: async (bytes, origin) => {
        const read = await files.readRun(bytes, origin)
        runs.keep('l', FIRST_RUN, ended(LATE))
        return read
      },
    })
    await runs.open('l')
    expect(startOf(runs, 'l/first')).toBe(LATE)
  })

  it('are those with a report: cancelled and failed ones leave the last good one', async () => {
    const repository = memoryRepository()
    const runs = lessonRuns(repository)
    const good = ended(EARLY)
    runs.keep('l', FIRST_RUN, good)
    runs.keep('l', FIRST_RUN, { ...ended(LATE), phase: 'cancelled' })
    runs.keep('l', FIRST_RUN, { ...ended(LATE), report: null })
    runs.keep('l', FIRST_RUN, NO_RUN)
    await settled(repository, ['l/first'])
    expect(runs.store.getState().runs).toEqual({ [runKey('l', FIRST_RUN)]: good })
  })
})

describe('where storage does not serve', () => {
  it('blocked: runs last as long as the page, and opening ends', async () => {
    const repository = memoryRepository()
    repository.refuse = 'blocked'
    const runs = lessonRuns(repository)
    await runs.open('l')
    expect(runs.store.getState().opened.has('l')).toBe(true)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    expect(startOf(runs, 'l/first')).toBe(EARLY)
    await runs.forget()
    expect(runs.store.getState().runs).toEqual({})
  })

  it('full: the page still has the run', async () => {
    const repository = memoryRepository()
    repository.roomBytes = 10
    const runs = lessonRuns(repository)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    await runs.forget()
    runs.keep('l', 'step', ended(LATE))
    expect(startOf(runs, 'l/step')).toBe(LATE)
    expect(repository.data.size).toBe(0)
  })

  it('one whose writer is ended with its page is not kept, and holds up none after it', async () => {
    const repository = memoryRepository()
    const ends = () => Promise.reject(new FaultError({ code: 'worker', message: 'ended', hint: '' }))
    let writes = 0
    const runs = lessonRuns(repository, {
      ...files,
      runBytes: (...run) => ((writes += 1) === 1 ? ends() : files.runBytes(...run)),
    })
    runs.keep('l', FIRST_RUN, ended(EARLY))
    runs.keep('l', 'step', ended(LATE))
    expect(startOf(runs, 'l/first')).toBe(EARLY)
    await settled(repository, ['l/step'])
  })

  it('broken files are skipped, and the good one beside them is read', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('l', 'z', ended(EARLY))
    await settled(repository, ['l/z'])
    const whole = repository.data.get('l/z')
    if (!(whole instanceof Uint8Array)) throw new Error('no file')
    const put = (key: string, label: unknown, bytes: unknown) => {
      repository.labels.set(key, label)
      repository.data.set(key, bytes)
    }
    put('l/cut', 'live', whole.slice(0, whole.length >> 1))
    put('l/garbage', 'live', new Uint8Array([1, 2, 3]))
    put('l/text', 'live', 'not bytes')
    put('l/none', 'live', undefined)
    put('l/of-unknown-origin', 'imported', whole)
    put('l/unlabelled', null, whole)
    const withoutReport = ended(EARLY).placed?.trace
    if (!withoutReport) throw new Error('no trace')
    put('l/no-report', 'live', await files.runBytes(withoutReport, null))
    const runs = lessonRuns(repository)
    await runs.open('l')
    expect(Object.keys(runs.store.getState().runs)).toEqual(['l/z'])
  })

  it('a reader that throws is reported, and the page does not go on waiting', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('l', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first'])
    const runs = lessonRuns(repository, { ...files, readRun: () => Promise.reject(new Error('bug')) })
    await expect(runs.open('l')).rejects.toThrow('bug')
    expect(runs.store.getState().opened.has('l')).toBe(true)
  })
})

describe('forgetting', () => {
  it('takes the runs of every lesson, here and from storage', async () => {
    const repository = memoryRepository()
    const runs = lessonRuns(repository)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    runs.keep('other', 'step', ended(LATE))
    await settled(repository, ['l/first', 'other/step'])
    await runs.forget()
    expect(runs.store.getState().runs).toEqual({})
    expect([...repository.labels, ...repository.data]).toEqual([])
  })

  it('holds against a run that is still being written', async () => {
    const repository = memoryRepository()
    const runs = lessonRuns(repository)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    await runs.forget()
    expect(repository.data.size).toBe(0)
  })

  it('holds against a run that is still being read', async () => {
    const repository = memoryRepository()
    lessonRuns(repository).keep('l', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first'])
    const runs = lessonRuns(repository, {
      ...files,
      readRun: async (bytes, origin) => {
        const read = await files.readRun(bytes, origin)
        await runs.forget()
        return read
      },
    })
    await runs.open('l')
    expect(runs.store.getState().runs).toEqual({})
  })

  it('leaves what was made after it', async () => {
    const repository = memoryRepository()
    const runs = lessonRuns(repository)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    await settled(repository, ['l/first'])
    const forgotten = runs.forget()
    runs.keep('l', FIRST_RUN, ended(LATE))
    await forgotten
    await expect
      .poll(async () => {
        const after = lessonRuns(repository)
        await after.open('l')
        return startOf(after, 'l/first')
      })
      .toBe(LATE)
    expect(startOf(runs, 'l/first')).toBe(LATE)
  })
})

it('a picture from a file is placed and looked through where that was not done', () => {
  const run = new FakeRun()
  run.pass('a', 0, 0, 1, 2).pass('a', 0, 1, 5, 6)
  const trace = run.builder.freeze()
  const state = endedState('lessons/l/first', { trace, report: null }, traceTools)
  expect(state.gaps.map(({ startNs }) => Math.round(startNs / MS))).toEqual([2])
  expect(endedState('o', { trace, report: null, gaps: [] }, traceTools).gaps).toEqual([])
})
