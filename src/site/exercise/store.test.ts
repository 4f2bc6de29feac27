import { describe, expect, it, vi } from 'vitest'
import { CancelledError } from '../../base/fault'
import type { Graded } from '../../exercises/types'
import { evidenceWith, programReport } from '../../exercises/testing/evidence'
import { createMendStore, type MendStoreParts, type OpenMend } from './store'
import { fakeEnvironment } from '../state/testing/fake-client'
import { traceTools } from '../state/trace-tools'
import { eventually } from '../../testing/eventually'

const GRADED: Graded = {
  passed: true,
  checks: [],
  evidence: evidenceWith({ yours: programReport([]) }),
  seed: 1,
  figures: { start: 0.1, yours: 0.9, reference: 0.9 },
  ranges: { start: null, yours: [0.8, 0.9], reference: null },
}
const mend = (lesson: string, rung: number): OpenMend => ({
  lesson,
  rung,
  ways: [],
  scope: null,
  rungs: 2,
  language: 'javascript',
  start: 'export default () => 1',
  reference: 'export default () => 2',
  words: { title: '', task: [], must: [], hints: [], pytorch: { before: [], code: '', after: [] }, why: [] },
  figure: { words: '', unit: 'ratio', run: 'clean' },
})

function setUp(grade: Awaited<ReturnType<MendStoreParts['load']>>['grade'] = () => Promise.resolve(GRADED)) {
  const quiet = vi.fn()
  const store = createMendStore({
    load: () =>
      Promise.resolve({
        rungsOf: () => 2,
        mendOf: (lesson, rung) => Promise.resolve(mend(lesson, rung)),
        waysOf: () => Promise.resolve([]),
        grade,
      }),
    environment: () => Promise.resolve(fakeEnvironment()),
    tools: traceTools,
    quiet,
  })
  return { store, quiet }
}

describe('the mend that is open', () => {
  it('is that of the lesson last asked for', async () => {
    const { store } = setUp()
    await Promise.all([store.open('a', 1), store.open('b', 1)])
    expect(store.store.getState()).toMatchObject({ open: 'b/1', mend: { lesson: 'b' } })
  })

  it('is the rung last asked for, and each rung has its own result', async () => {
    const { store } = setUp()
    await Promise.all([store.open('a', 2), store.open('a', 1), store.open('a', 2)])
    expect(store.store.getState().mend).toMatchObject({ lesson: 'a', rung: 2 })
    await store.grade(mend('a', 1), 'easier')
    await store.grade(mend('a', 2), 'harder')
    expect(Object.keys(store.store.getState().results)).toEqual(['a/rung-1', 'a'])
  })

  it('stays until another rung of its lesson is there, and goes at once for another lesson', async () => {
    const { store } = setUp()
    const opened = () => store.store.getState().mend
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

  it('is the last rung where the mend has not so many', async () => {
    const { store } = setUp()
    await store.open('a', 9)
    expect(store.store.getState().mend).toMatchObject({ rung: 2 })
  })

  it('runs nothing when it is opened', async () => {
    const grade = vi.fn(() => Promise.resolve(GRADED))
    const { store } = setUp(grade)
    await store.open('a', 1)
    expect(grade).not.toHaveBeenCalled()
  })

  it('says why it could not be loaded', async () => {
    const store = createMendStore({
      load: () => Promise.reject(new Error('offline')),
      environment: () => Promise.resolve(fakeEnvironment()),
      tools: traceTools,
      quiet: vi.fn(),
    })
    await store.open('a', 1)
    expect(store.store.getState().fault?.message).toContain('offline')
  })
})

describe('a grading', () => {
  it('ends what runs on the page, and is kept by lesson with what was graded', async () => {
    const { store, quiet } = setUp()
    const result = await store.grade(mend('a', 2), 'text')
    expect(quiet).toHaveBeenCalledOnce()
    expect(result).toMatchObject({ source: 'text', graded: { passed: true }, runs: { yours: null } })
    expect(store.store.getState()).toMatchObject({ phase: 'idle', results: { a: { source: 'text' } } })
  })

  it('goes one at a time', async () => {
    const { store } = setUp()
    const first = store.grade(mend('a', 1), 'one')
    expect(await store.grade(mend('a', 1), 'two')).toBeNull()
    expect((await first)?.source).toBe('one')
  })

  it('that is cancelled leaves the result before it', async () => {
    const { store } = setUp((_, source, { signal }) =>
      source === 'first'
        ? Promise.resolve(GRADED)
        : new Promise((resolve) => {
            const end = () => {
              resolve(GRADED)
            }
            if (signal.aborted) end()
            else signal.addEventListener('abort', end)
          }),
    )
    await store.grade(mend('a', 1), 'first')
    const second = store.grade(mend('a', 1), 'second')
    await eventually(() => {
      expect(store.store.getState().progress).not.toBe('')
    })
    store.cancel()
    expect(await second).toBeNull()
    expect(store.store.getState()).toMatchObject({
      phase: 'idle',
      results: { 'a/rung-1': { source: 'first' } },
    })
  })

  it('that the grader itself gives up keeps nothing, and is no fault', async () => {
    const { store } = setUp(() => Promise.reject(new CancelledError()))
    expect(await store.grade(mend('a', 1), 'text')).toBeNull()
    expect(store.store.getState()).toMatchObject({ fault: null, results: {} })
  })

  it('that fails by the lab’s own fault says so', async () => {
    const { store } = setUp(() => Promise.reject(new Error('a bug')))
    expect(await store.grade(mend('a', 1), 'text')).toBeNull()
    expect(store.store.getState().fault?.message).toContain('a bug')
  })
})
