import { describe, expect, it } from 'vitest'
import { createAssignmentStore } from './assignment-store'
import { createLocalStore } from './storage'

function memoryOf(saved: Record<string, string> = {}) {
  const kept = new Map(Object.entries(saved))
  const localStore = createLocalStore(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }))
  return { localStore, kept }
}
const KEY = 'host-device-lab:assignments'

describe('assignments taken on', () => {
  it('are there after a reload, one for each lesson, until they are left', () => {
    const { localStore } = memoryOf()
    const store = createAssignmentStore(localStore)
    store.take('a', { lesson: 'a', title: 'One' })
    store.take('a', { lesson: 'a', title: 'Two' })
    store.take('b', { lesson: 'b' })
    expect(createAssignmentStore(localStore).store.getState().taken).toEqual({
      a: { lesson: 'a', title: 'Two' },
      b: { lesson: 'b' },
    })
    store.leave('a')
    expect(createAssignmentStore(localStore).store.getState().taken).toEqual({ b: { lesson: 'b' } })
  })

  it('last as long as the page where nothing is kept', () => {
    const store = createAssignmentStore(
      createLocalStore(() => {
        throw new Error('blocked')
      }),
    )
    store.take('a', { lesson: 'a' })
    expect(store.store.getState().taken).toEqual({ a: { lesson: 'a' } })
  })

  it('lose what is no query, and leave a newer version’s alone', () => {
    const broken = JSON.stringify({ version: 1, data: { a: { lesson: 'a' }, b: { lesson: 7 }, c: 'x' } })
    expect(createAssignmentStore(memoryOf({ [KEY]: broken }).localStore).store.getState().taken).toEqual({
      a: { lesson: 'a' },
    })
    const newer = JSON.stringify({ version: 2, data: { a: { lesson: 'a' } } })
    const { localStore, kept } = memoryOf({ [KEY]: newer })
    const store = createAssignmentStore(localStore)
    expect(store.store.getState().taken).toEqual({})
    store.take('b', { lesson: 'b' })
    expect(kept.get(KEY)).toBe(newer)
  })
})
