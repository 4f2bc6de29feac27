import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLessonStore, readProgress } from './lesson-store'
import { createMemory } from './storage'
import { memoryStorage } from './testing/memory-storage'

const KEY = 'host-device-lab:lessons'

describe('progress', () => {
  it('is there again after a reload', () => {
    const { open } = memoryStorage()
    const first = createLessonStore(createMemory(open))
    first.predict('sync-stalls', { kind: 'made', value: 80, unit: '%' })
    first.recordOutcome('sync-stalls', { value: 9, adapter: 'Paper GPU', recorded: false })
    first.answer('sync-stalls', 'why', 2)
    first.answer('sync-stalls', 'why', 0)
    first.answer('sync-stalls', 'why', 2)
    const second = createLessonStore(createMemory(open))
    expect(second.store.getState()).toEqual({
      saving: 'kept',
      lessons: {
        'sync-stalls': {
          prediction: { kind: 'made', value: 80, unit: '%' },
          outcome: { value: 9, adapter: 'Paper GPU', recorded: false },
          answers: { why: [2, 0] },
        },
      },
    })
  })

  it('keeps the first outcome of a prediction, and forgets it with the prediction', () => {
    const { store, predict, recordOutcome } = createLessonStore(createMemory(memoryStorage().open))
    predict('a', { kind: 'skipped' })
    recordOutcome('a', { value: 1, adapter: '', recorded: true })
    recordOutcome('a', { value: 2, adapter: '', recorded: false })
    expect(store.getState().lessons['a']?.outcome?.value).toBe(1)
    predict('a', null)
    expect(store.getState().lessons['a']?.outcome).toBeNull()
  })

  it.each(['blocked', 'full'] as const)('works with storage %s, and says so', (kind) => {
    const lessons = createLessonStore(createMemory(memoryStorage(kind).open))
    expect(lessons.store.getState().saving).toBe('off')
    lessons.predict('a', { kind: 'made', value: 3 })
    expect(lessons.store.getState().lessons['a']?.prediction).toEqual({ kind: 'made', value: 3 })
    expect(lessons.store.getState().saving).toBe('off')
  })

  it('leaves what a newer version saved as it is', () => {
    const { items, open } = memoryStorage()
    const newer = JSON.stringify({ version: 99, data: { treasure: true } })
    items.set(KEY, newer)
    const lessons = createLessonStore(createMemory(open))
    lessons.predict('a', { kind: 'skipped' })
    expect(lessons.store.getState().saving).toBe('newer')
    expect(items.get(KEY)).toBe(newer)
  })

  it('resets one lesson, or all', () => {
    const lessons = createLessonStore(createMemory(memoryStorage().open))
    lessons.predict('a', { kind: 'skipped' })
    lessons.predict('b', { kind: 'skipped' })
    lessons.reset('a')
    expect(Object.keys(lessons.store.getState().lessons)).toEqual(['b'])
    lessons.reset()
    expect(lessons.store.getState().lessons).toEqual({})
  })
})

describe('readProgress', () => {
  it('believes nothing: any saved value gives well-formed progress', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 1 }), (data, version) => {
        const read = readProgress({ version, data })
        if (read === 'newer') throw new Error('no version is newer here')
        for (const progress of Object.values(read)) {
          expect(Object.keys(progress)).toEqual(['prediction', 'outcome', 'answers'])
        }
      }),
    )
  })

  it('drops a broken part and keeps the rest', () => {
    const data = {
      a: { prediction: { kind: 'made', value: 'much' }, answers: { x: [1, -1], y: [0] } },
      b: { prediction: { kind: 'skipped' }, outcome: { value: 1 } },
      c: 7,
    }
    expect(readProgress({ version: 1, data })).toEqual({
      a: { prediction: null, outcome: null, answers: { y: [0] } },
      b: { prediction: { kind: 'skipped' }, outcome: null, answers: {} },
    })
  })

  it('climbs from version to version', () => {
    const upgraders = {
      1: (data: unknown) => ({ renamed: (data as Record<string, unknown>)['a'] }),
      2: (data: unknown) => ({ again: (data as Record<string, unknown>)['renamed'] }),
    }
    const saved = { version: 1, data: { a: { prediction: { kind: 'skipped' } } } }
    expect(readProgress(saved, upgraders, 3)).toEqual({
      again: { prediction: { kind: 'skipped' }, outcome: null, answers: {} },
    })
  })
})

describe('memory', () => {
  it('takes text that is not its own for nothing', () => {
    const { items, open } = memoryStorage()
    const memory = createMemory(open)
    for (const text of ['', '{', '[]', '{"version":"1"}', 'null']) {
      items.set('key', text)
      expect(memory.read('key')).toBeNull()
    }
  })
})
