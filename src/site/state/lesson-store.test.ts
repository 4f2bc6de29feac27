import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLessonStore } from './lesson-store'
import { createLocalStore } from './storage'
import { fakeTabs, memoryStorage } from './testing/memory-storage'
import { forAll } from '../../testing/for-all'

const KEY = 'host-device-lab:lessons'

/** What a page finds where this was saved. */
function readProgress(saved: { readonly version: number; readonly data: unknown }) {
  const { items, open } = memoryStorage()
  items.set(KEY, JSON.stringify(saved))
  return createLessonStore(createLocalStore(open)).store.getState().lessons
}

describe('progress', () => {
  it('is there again after a reload', () => {
    const { open } = memoryStorage()
    const first = createLessonStore(createLocalStore(open))
    first.predict('sync-stalls', { kind: 'made', value: 80, unit: '%' })
    first.recordOutcome('sync-stalls', '%')
    first.answer('sync-stalls', 'why', 2)
    first.answer('sync-stalls', 'why', 0)
    first.answer('sync-stalls', 'why', 2)
    const second = createLessonStore(createLocalStore(open))
    expect(second.store.getState()).toEqual({
      isKept: true,
      lessons: {
        'sync-stalls': {
          prediction: { kind: 'made', value: 80, unit: '%' },
          outcome: { unit: '%' },
          answers: { why: [2, 0] },
        },
      },
    })
  })

  it('has the choices that were pressed, also after a reload, and no list that is none', () => {
    const { open } = memoryStorage()
    createLessonStore(createLocalStore(open)).keep('a', { choices: ['torch-a-slow', 'torch-a-quick'] })
    expect(createLessonStore(createLocalStore(open)).store.getState().lessons['a']).toEqual({
      prediction: null,
      outcome: null,
      answers: {},
      choices: ['torch-a-slow', 'torch-a-quick'],
    })
    expect(readProgress({ version: 1, data: { a: { choices: [1] } } })['a']).not.toHaveProperty('choices')
  })

  it('has the best mend, also after a reload', () => {
    const { open } = memoryStorage()
    const { recordExercise } = createLessonStore(createLocalStore(open))
    const kept = () => createLessonStore(createLocalStore(open)).store.getState().lessons['a']?.mend?.passed
    recordExercise('a', 1, false)
    expect(kept()).toBe(false)
    recordExercise('a', 1, null)
    recordExercise('a', 1, false)
    expect(kept()).toBe(null)
    recordExercise('a', 1, true)
    recordExercise('a', 1, null)
    expect(kept()).toBe(true)
    const rungs = () => createLessonStore(createLocalStore(open)).store.getState().lessons['a']?.rungs
    expect(rungs()).toEqual([1])
    recordExercise('a', 2, false)
    expect(rungs()).toEqual([1])
    recordExercise('a', 2, true)
    expect(rungs()).toEqual([1, 2])
    expect(readProgress({ version: 1, data: { a: { rungs: [0] } } })['a']).not.toHaveProperty('rungs')
    expect(readProgress({ version: 1, data: { a: { mend: { passed: 'yes' } } } })).toMatchObject({ a: {} })
  })

  it('counts a click once for each place, none after the line was found', () => {
    const { open } = memoryStorage()
    const { click } = createLessonStore(createLocalStore(open))
    const kept = () => createLessonStore(createLocalStore(open)).store.getState().lessons['a']
    click('a', 'one', 'load', false)
    click('a', 'one', 'load', false)
    click('a', 'one', 'none', false)
    expect(kept()?.finds).toEqual({ one: { clicks: ['load', 'none'], found: false } })
    click('a', 'one', 'read', true)
    click('a', 'one', 'other', false)
    click('a', 'two', 'none', true)
    expect(kept()).toMatchObject({
      finds: {
        one: { clicks: ['load', 'none', 'read'], found: true },
        two: { clicks: ['none'], found: true },
      },
    })
    const broken = { choices: [1], finds: { a: { clicks: ['x'] } }, rungs: [1] }
    expect(readProgress({ version: 1, data: { a: broken } })).toEqual({
      a: { prediction: null, outcome: null, answers: {}, rungs: [1] },
    })
  })

  it('has what was guessed of a step’s last run, also after a reload, and nothing where that was skipped', () => {
    const { open } = memoryStorage()
    const { recordGuess } = createLessonStore(createLocalStore(open))
    const kept = () => createLessonStore(createLocalStore(open)).store.getState().lessons['a']?.guesses
    recordGuess('a', 'one', 'more')
    recordGuess('a', 'two', 'same')
    recordGuess('a', 'one', 'less')
    expect(kept()).toEqual({ one: 'less', two: 'same' })
    recordGuess('a', 'one', null)
    expect(kept()).toEqual({ two: 'same' })
    const guessesIn = (guesses: unknown) =>
      readProgress({ version: 1, data: { a: { guesses } } })['a']?.guesses
    expect(guessesIn({ three: 'less', four: 8 })).toEqual({ three: 'less', four: 8 })
    for (const one of ['much', Number.NaN]) expect(guessesIn({ one })).toBeUndefined()
  })

  it('forgets the outcome with the prediction', () => {
    const { store, predict, recordOutcome } = createLessonStore(createLocalStore(memoryStorage().open))
    predict('a', { kind: 'skipped' })
    recordOutcome('a', '%')
    expect(store.getState().lessons['a']?.outcome).toEqual({ unit: '%' })
    predict('a', null)
    expect(store.getState().lessons['a']?.outcome).toBeNull()
  })

  it.each(['blocked', 'full'] as const)('works with storage %s, and says so', (kind) => {
    const lessons = createLessonStore(createLocalStore(memoryStorage(kind).open))
    expect(lessons.store.getState().isKept).toBe(false)
    lessons.predict('a', { kind: 'made', value: 3, unit: '%' })
    expect(lessons.store.getState().lessons['a']?.prediction).toEqual({ kind: 'made', value: 3, unit: '%' })
    expect(lessons.store.getState().isKept).toBe(false)
  })

  it('is forgotten', () => {
    const lessons = createLessonStore(createLocalStore(memoryStorage().open))
    lessons.predict('a', { kind: 'skipped' })
    lessons.reset()
    expect(lessons.store.getState().lessons).toEqual({})
  })
})

describe('what was saved', () => {
  it('is not believed: any saved value gives well-formed progress', () =>
    forAll(fc.jsonValue(), fc.integer({ min: 0, max: 1 }), (data, version) => {
      const read = readProgress({ version, data })
      for (const progress of Object.values(read)) {
        expect(Object.keys(progress)).toEqual(['prediction', 'outcome', 'answers'])
      }
    }))

  it('is read without what is broken', () => {
    const data = {
      a: { prediction: { kind: 'made', value: 'much' }, answers: { x: [1, -1] } },
      b: { prediction: { kind: 'skipped' }, outcome: { unit: 1 } },
      c: { answers: { y: [0] }, choices: 7 },
    }
    expect(readProgress({ version: 1, data })).toEqual({
      a: { prediction: null, outcome: null, answers: {} },
      b: { prediction: { kind: 'skipped' }, outcome: null, answers: {} },
      c: { prediction: null, outcome: null, answers: { y: [0] } },
    })
  })
})

describe('localStore', () =>
  it('takes text that is not its own for nothing', () => {
    const { items, open } = memoryStorage()
    const localStore = createLocalStore(open)
    for (const text of ['', '{', '[]', '{"version":"1"}', 'null']) {
      items.set('key', text)
      expect(localStore.read('key')).toBeNull()
    }
  }))

describe('two tabs', () => {
  const twoTabs = () => {
    const site = fakeTabs()
    const open = () => {
      return createLessonStore(site.newTab())
    }
    return { site, open, a: open(), b: open() }
  }
  const answersOf = ({ store }: ReturnType<typeof createLessonStore>, lesson: string) =>
    store.getState().lessons[lesson]?.answers['why'] ?? []

  it('erase nothing of each other’s', () => {
    const step = fc.record({
      by: fc.constantFrom(0, 1),
      lesson: fc.constantFrom('x', 'y'),
      option: fc.nat(3),
      deliver: fc.boolean(),
    })
    forAll(fc.array(step, { maxLength: 20 }), (steps) => {
      const { site, open, a, b } = twoTabs()
      for (const { by, lesson, option, deliver } of steps) {
        ;[a, b][by]?.answer(lesson, 'why', option)
        if (deliver) site.deliver()
      }
      site.deliver()
      for (const lesson of ['x', 'y']) {
        const given = [...new Set(steps.flatMap((each) => (each.lesson === lesson ? [each.option] : [])))]
        for (const tab of [a, b, open()]) expect(answersOf(tab, lesson)).toEqual(given)
      }
    })
  })
})
