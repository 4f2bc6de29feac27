import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchSilent } from './watch-silent'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Two ranks; `answers`: whether a rank does, at a time, ms. */
function watched(answers: (rank: number, atMs: number) => boolean) {
  const found: { readonly rank: number; readonly silentMs: number; readonly atMs: number }[] = []
  let asked = 0
  const startMs = performance.now()
  const watch = watchSilent(
    2,
    (rank) => {
      asked += 1
      if (answers(rank, performance.now() - startMs)) watch.heard(rank)
    },
    (rank, silentMs) => found.push({ rank, silentMs, atMs: performance.now() - startMs }),
  )
  return { watch, found, asked: () => asked }
}

describe('ranks that are asked whether they are there', () => {
  it('are left alone while they answer, however long they run', () => {
    const { found, asked, watch } = watched(() => true)
    vi.advanceTimersByTime(600_000)
    expect(found).toEqual([])
    expect(asked()).toBe(600)
    watch.end()
    vi.advanceTimersByTime(10_000)
    expect(asked()).toBe(600)
  })

  it('are named once, when one is silent for twenty seconds', () => {
    const { found } = watched((rank, atMs) => rank === 0 || atMs < 7000)
    vi.advanceTimersByTime(600_000)
    expect(found).toEqual([{ rank: 1, silentMs: 20_000, atMs: 26_000 }])
  })

  it('may be silent for less, again and again', () => {
    const { found } = watched((_, atMs) => atMs % 18_000 < 2000)
    vi.advanceTimersByTime(600_000)
    expect(found).toEqual([])
  })

  it('are not named by a timer that was late itself: they must have been asked', () => {
    const { found, watch } = watched(() => false)
    vi.setSystemTime(Date.now())
    vi.advanceTimersByTime(4000)
    watch.heard(0)
    watch.heard(1)
    // The thread stood still: the next look comes much later, and the answers after it.
    vi.spyOn(performance, 'now').mockImplementation(() => 1e6)
    vi.advanceTimersByTime(2000)
    expect(found).toEqual([])
  })
})
