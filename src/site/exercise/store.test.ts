import { describe, expect, it, vi } from 'vitest'
import { CancelledError } from '../../base/fault'
import type { Graded } from '../../exercises/types'
import { evidenceWith, programReport } from '../../exercises/testing/evidence'
import { createExerciseStore, type ExerciseStoreParts, type OpenExercise } from './store'
import { fakeEnvironment } from '../state/testing/fake-client'
import { fakeTabs } from '../state/testing/memory-storage'
import { eventually } from '../../testing/eventually'

const GRADED: Graded = {
  passed: true,
  checks: [],
  evidence: evidenceWith({ yours: programReport([]) }),
  seed: 1,
  figures: { start: 0.1, yours: 0.9, reference: 0.9 },
}
const exercise = (lesson: string, rung: number): OpenExercise => ({
  lesson,
  rung,
  names: null,
  rungs: 2,
  language: 'javascript',
  start: 'export default () => 1',
  reference: 'export default () => 2',
  words: { title: '', task: [], must: [], hints: [], pytorch: { before: [], code: '', after: [] }, why: [] },
  figure: { words: '', unit: 'ratio', run: 'clean' },
})

function setUp(
  grade: Awaited<ReturnType<ExerciseStoreParts['load']>>['grade'] = () => Promise.resolve(GRADED),
  localStore = fakeTabs().newTab(),
) {
  const quiet = vi.fn()
  const store = createExerciseStore({
    load: () =>
      Promise.resolve({
        rungsOf: () => 2,
        exerciseOf: (lesson, rung) => Promise.resolve(exercise(lesson, rung)),
        grade,
      }),
    environment: () => Promise.resolve(fakeEnvironment()),
    localStore,
    quiet,
  })
  return { store, quiet }
}

describe('the exercise that is open', () => {
  it('is that of the lesson last asked for', async () => {
    const { store } = setUp()
    await Promise.all([store.open('a', 1), store.open('b', 1)])
    expect(store.store.getState()).toMatchObject({ open: 'b/1', exercise: { lesson: 'b' } })
  })

  it('is the rung last asked for, and each rung has its own result', async () => {
    const { store } = setUp()
    await Promise.all([store.open('a', 2), store.open('a', 1), store.open('a', 2)])
    expect(store.store.getState().exercise).toMatchObject({ lesson: 'a', rung: 2 })
    await store.grade(exercise('a', 1), 'easier')
    await store.grade(exercise('a', 2), 'harder')
    expect(Object.keys(store.store.getState().results)).toEqual(['a/rung-1', 'a'])
  })

  it('stays until another rung of its lesson is there, and goes at once for another lesson', async () => {
    const { store } = setUp()
    const opened = () => store.store.getState().exercise
    await store.open('a', 1)
    const next = store.open('a', 2)
    expect(opened()).toMatchObject({ lesson: 'a', rung: 1 })
    await next
    expect(opened()).toMatchObject({ lesson: 'a', rung: 2 })
    const other = store.open('b', 1)
    expect(opened()).toBeNull()
    await other
    const [, back] = [store.open('b', 2), store.open('b', 1)]
    await back
    expect(opened()).toMatchObject({ lesson: 'b', rung: 1 })
  })

  it('is the last rung where the exercise has not so many', async () => {
    const { store } = setUp()
    await store.open('a', 9)
    expect(store.store.getState().exercise).toMatchObject({ rung: 2 })
  })

  it('runs nothing when it is opened', async () => {
    const grade = vi.fn(() => Promise.resolve(GRADED))
    const { store } = setUp(grade)
    await store.open('a', 1)
    expect(grade).not.toHaveBeenCalled()
  })

  it('says why it could not be loaded', async () => {
    const store = createExerciseStore({
      load: () => Promise.reject(new Error('offline')),
      environment: () => Promise.resolve(fakeEnvironment()),
      localStore: fakeTabs().newTab(),
      quiet: vi.fn(),
    })
    await store.open('a', 1)
    expect(store.store.getState().fault?.message).toContain('offline')
  })
})

describe('a grading', () => {
  it('ends what runs on the page, and is kept by lesson with what was graded', async () => {
    const { store, quiet } = setUp()
    const result = await store.grade(exercise('a', 2), 'text')
    expect(quiet).toHaveBeenCalledOnce()
    expect(result).toMatchObject({ source: 'text', graded: { passed: true }, runs: { yours: null } })
    expect(store.store.getState()).toMatchObject({ phase: 'idle', results: { a: { source: 'text' } } })
  })

  it('goes one at a time', async () => {
    const { store } = setUp()
    const first = store.grade(exercise('a', 1), 'one')
    expect(await store.grade(exercise('a', 1), 'two')).toBeNull()
    expect((await first)?.source).toBe('one')
  })

  it('that is cancelled leaves the result before it', async () => {
    const { store } = setUp((_, source, { signal }) =>
      source === 'first'
        ? Promise.resolve(GRADED)
        : new Promise((resolve) => {
            const end = () => resolve(GRADED)
            if (signal?.aborted) end()
            else signal?.addEventListener('abort', end)
          }),
    )
    await store.grade(exercise('a', 1), 'first')
    const second = store.grade(exercise('a', 1), 'second')
    await eventually(() => expect(store.store.getState().progress).not.toBe(''))
    store.cancel()
    expect(await second).toBeNull()
    expect(store.store.getState()).toMatchObject({
      phase: 'idle',
      results: { 'a/rung-1': { source: 'first' } },
    })
  })

  it('that the grader itself gives up keeps nothing, and is no fault', async () => {
    const { store } = setUp(() => Promise.reject(new CancelledError()))
    expect(await store.grade(exercise('a', 1), 'text')).toBeNull()
    expect(store.store.getState()).toMatchObject({ fault: null, results: {} })
  })

  it('that fails by the lab’s own fault says so', async () => {
    const { store } = setUp(() => Promise.reject(new Error('a bug')))
    expect(await store.grade(exercise('a', 1), 'text')).toBeNull()
    expect(store.store.getState().fault?.message).toContain('a bug')
  })
})

describe('the code', () => {
  const KEY = 'a'
  const START = 'export default () => 1'
  async function opened(tab = fakeTabs().newTab()) {
    const { store } = setUp(undefined, tab)
    await store.open('a', 2)
    return { store, code: () => store.store.getState().code[KEY] }
  }

  it('is the start until something is written, and that after a reload', async () => {
    const tabs = fakeTabs()
    const { store, code } = await opened(tabs.newTab())
    expect(code()).toEqual({ text: START, start: START, isKept: true })
    expect(tabs.items.size).toBe(0) // opening writes nothing
    store.write(KEY, 'mine')
    expect((await opened(tabs.newTab())).code()).toMatchObject({ text: 'mine', isKept: true })
  })

  it('is in storage before anything that listens can fail', async () => {
    const tabs = fakeTabs()
    const { store } = await opened(tabs.newTab())
    store.store.subscribe(() => {
      throw new Error('a page that breaks')
    })
    expect(() => store.write(KEY, 'mine')).toThrow('a page that breaks')
    expect((await opened(tabs.newTab())).code()?.text).toBe('mine')
  })

  it('that is the start is not kept: another build may begin elsewhere', async () => {
    const tabs = fakeTabs()
    const { store } = await opened(tabs.newTab())
    store.write(KEY, 'mine')
    store.write(KEY, START)
    expect([...tabs.items.values()].join()).not.toContain(START)
  })

  it.each(['blocked', 'full'] as const)(
    'stays on the page where storage is %s, and says so',
    async (kind) => {
      const { store, code } = await opened(fakeTabs(kind).newTab())
      expect(code()?.isKept).toBe(false)
      store.write(KEY, 'mine')
      expect(code()).toMatchObject({ text: 'mine', isKept: false })
    },
  )

  it('is never believed: whatever lies in storage, an exercise opens', async () => {
    for (const data of ['null', '7', '{"text":7}', '[]']) {
      const tabs = fakeTabs()
      tabs.items.set(`host-device-lab:mend:${KEY}`, `{"version":1,"data":${data}}`)
      expect((await opened(tabs.newTab())).code()).toMatchObject({ text: START })
    }
  })
})
