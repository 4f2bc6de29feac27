/**
 * The last runs of lessons: in memory as they were made, in storage as files, and what each may not
 * do to the other.
 */
import { describe, expect, it } from 'vitest'
import { FaultError } from '../../base/fault'
import { FakeRun } from '../../experiments/testing/fake-evidence'
import { sampleReport } from '../../trace/testing/sample-report'
import { writeFile } from '../export-worker/formats'
import { createLessonRuns, FIRST_RUN, runKey } from './lesson-runs'
import { endedState } from './run-store'
import { createRunFiles } from './run-files'
import { NO_RUN, type RunState } from './run-store'
import { memoryValues, type MemoryValues } from './testing/memory-values'

const files = createRunFiles(({ kind, ...run }) => writeFile(kind, run))
const lessonRuns = (values: MemoryValues, using: Pick<typeof files, 'runBytes' | 'readRun'> = files) =>
  createLessonRuns(values, using)

const MS = 1e6

/** A run that ended well; `startedAt` tells it from others. */
function ended(startedAt: string, origin: 'live' | 'recorded' = 'live'): RunState {
  const run = new FakeRun()
  run.host('submit', 'submit', 'a', 0, 0, 1).pass('a', 0, 0, 1, 2)
  const trace = run.builder.freeze()
  return endedState('lessons/l/first', {
    trace: { ...trace, info: { ...trace.info, startedAt, origin } },
    report: sampleReport,
  })
}

/** All that was asked of a values in memory has happened. */
const settled = async (values: MemoryValues, keys: readonly string[]) =>
  await expect.poll(() => [...values.data.keys()].sort()).toEqual([...keys].sort())
/** A run of a lesson that an earlier page kept. */
async function storedRun(lesson = 'l', step = FIRST_RUN): Promise<MemoryValues> {
  const values = memoryValues()
  lessonRuns(values).keep(lesson, step, ended(EARLY))
  await settled(values, [runKey(lesson, step)])
  return values
}
const startOf = (runs: ReturnType<typeof lessonRuns>, key: string) =>
  runs.store.getState().runs[key]?.info?.startedAt ?? null

const EARLY = '2026-01-01T00:00:00.000Z'
const LATE = '2026-02-02T00:00:00.000Z'

describe('a lesson’s last runs', () => {
  it('come back after a reload: figures, times, owner and where they were made', async () => {
    const values = memoryValues()
    const before = lessonRuns(values)
    const live = ended(EARLY)
    before.keep('l', FIRST_RUN, live)
    before.keep('l', 'step', ended(LATE, 'recorded'))
    before.keep('other', FIRST_RUN, ended(LATE))
    await settled(values, ['l/first', 'l/step', 'other/first'])

    const after = lessonRuns(values)
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

  it('of one lesson are not those of another whose name begins the same', async () => {
    const values = await storedRun('sync-stalls-2')
    const after = lessonRuns(values)
    await after.open('sync-stalls')
    expect(after.store.getState().runs).toEqual({})
  })

  it('are read back once', async () => {
    const values = await storedRun()
    let lists = 0
    const runs = createLessonRuns(
      {
        ...values,
        keys: () => {
          lists += 1
          return values.keys()
        },
      },
      files,
    )
    await Promise.all([runs.open('l'), runs.open('l')])
    await runs.open('l')
    expect(lists).toBe(1)
  })

  it('take the place of the one before, in storage too, however long each takes to write', async () => {
    const values = memoryValues()
    // The first run is larger: its file is ready after the second's.
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const runs = lessonRuns(values, {
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
    await settled(values, ['l/first', 'l/step'])
    expect(startOf(runs, 'l/first')).toBe(LATE)
    const after = lessonRuns(values)
    await after.open('l')
    expect(startOf(after, 'l/first')).toBe(LATE)
  })

  it('that were made while the kept ones were read are newer', async () => {
    const values = await storedRun()
    const runs = lessonRuns(values, {
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
    const values = memoryValues()
    const runs = lessonRuns(values)
    const good = ended(EARLY)
    runs.keep('l', FIRST_RUN, good)
    runs.keep('l', FIRST_RUN, { ...ended(LATE), phase: 'cancelled' })
    runs.keep('l', FIRST_RUN, { ...ended(LATE), report: null })
    runs.keep('l', FIRST_RUN, NO_RUN)
    await settled(values, ['l/first'])
    expect(runs.store.getState().runs).toEqual({ [runKey('l', FIRST_RUN)]: good })
  })
})

describe('where storage does not serve', () => {
  it('blocked or full: runs last as long as the page, and opening ends', async () => {
    const values = memoryValues()
    values.refuses = true
    const runs = lessonRuns(values)
    await runs.open('l')
    expect(runs.store.getState().opened.has('l')).toBe(true)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    expect(startOf(runs, 'l/first')).toBe(EARLY)
    await runs.forget()
    expect(runs.store.getState().runs).toEqual({})
    expect(values.data.size).toBe(0)
  })

  it('one whose writer is ended with its page is not kept, and holds up none after it', async () => {
    const values = memoryValues()
    const ends = () => Promise.reject(new FaultError({ code: 'worker', message: 'ended', hint: '' }))
    let writes = 0
    const runs = lessonRuns(values, {
      ...files,
      runBytes: (...run) => ((writes += 1) === 1 ? ends() : files.runBytes(...run)),
    })
    runs.keep('l', FIRST_RUN, ended(EARLY))
    runs.keep('l', 'step', ended(LATE))
    expect(startOf(runs, 'l/first')).toBe(EARLY)
    await settled(values, ['l/step'])
  })

  it('broken files are skipped, and the good one beside them is read', async () => {
    const values = await storedRun('l', 'z')
    const { bytes: whole } = values.data.get('l/z') as { bytes: Uint8Array }
    const withoutReport = ended(EARLY).placed?.trace
    if (!withoutReport) throw new Error('no trace')
    for (const [key, value] of Object.entries({
      cut: { origin: 'live', bytes: whole.slice(0, whole.length >> 1) },
      garbage: { origin: 'live', bytes: new Uint8Array([1, 2, 3]) },
      text: { origin: 'live', bytes: 'not bytes' },
      none: undefined,
      'of-unknown-origin': { origin: 'imported', bytes: whole },
      'of-no-origin': { bytes: whole },
      'no-report': { origin: 'live', bytes: await files.runBytes(withoutReport, null) },
    }))
      values.data.set(`l/${key}`, value)
    const runs = lessonRuns(values)
    await runs.open('l')
    expect(Object.keys(runs.store.getState().runs)).toEqual(['l/z'])
  })

  it('a reader that throws is reported, and the page does not go on waiting', async () => {
    const values = await storedRun()
    const runs = lessonRuns(values, { ...files, readRun: () => Promise.reject(new Error('bug')) })
    await expect(runs.open('l')).rejects.toThrow('bug')
    expect(runs.store.getState().opened.has('l')).toBe(true)
  })
})

describe('forgetting', () => {
  it('takes the runs of every lesson, here and from storage', async () => {
    const values = memoryValues()
    const runs = lessonRuns(values)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    runs.keep('other', 'step', ended(LATE))
    await settled(values, ['l/first', 'other/step'])
    await runs.forget()
    expect(runs.store.getState().runs).toEqual({})
    expect(values.data.size).toBe(0)
  })

  it('holds against a run that is still being written', async () => {
    const values = memoryValues()
    const runs = lessonRuns(values)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    await runs.forget()
    expect(values.data.size).toBe(0)
  })

  it('holds against a run that is still being read', async () => {
    const values = await storedRun()
    const runs = lessonRuns(values, {
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
    const values = memoryValues()
    const runs = lessonRuns(values)
    runs.keep('l', FIRST_RUN, ended(EARLY))
    await settled(values, ['l/first'])
    const forgotten = runs.forget()
    runs.keep('l', FIRST_RUN, ended(LATE))
    await forgotten
    await expect
      .poll(async () => {
        const after = lessonRuns(values)
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
  const state = endedState('lessons/l/first', { trace, report: null })
  expect(state.gaps.map(({ startNs }) => Math.round(startNs / MS))).toEqual([2])
  expect(endedState('o', { trace, report: null, gaps: [] }).gaps).toEqual([])
})
