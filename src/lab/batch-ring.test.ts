/** The ring against a thread that makes in order, whenever the test lets it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchRing } from './batch-ring'
import { forAllAwaited } from '../testing/for-all'

const BYTES = 16

/**
 * `make` lets the thread make its next batch, or another that it was asked for: its numbers are the
 * index.
 */
function open(mostAhead: number) {
  const queue: { index: number; memory: ArrayBuffer }[] = []
  const asked: number[] = []
  const ring: BatchRing = new BatchRing(mostAhead, BYTES, (index, memory) => {
    asked.push(index)
    queue.push({ index, memory })
  })
  const make = (which = 0): boolean => {
    const [next] = queue.splice(which, 1)
    if (!next) return false
    new Float32Array(next.memory).fill(next.index)
    ring.arrived(next.index, next.memory)
    return true
  }
  return { ring, make, asked, waiting: () => queue.length }
}

describe('a ring of batches', () => {
  it('asks for as many as may be ahead, and for another when one is taken', () => {
    const { ring, make, asked } = open(3)
    ring.start(5, 2)
    expect(asked).toEqual([0, 1])
    make()
    const batch = ring.take()
    expect([...(batch ?? [])]).toEqual([0, 0, 0, 0])
    expect(asked).toEqual([0, 1, 2])
    ring.giveBack(batch ?? new Float32Array())
    expect(asked).toEqual([0, 1, 2])
  })

  it('gives a batch that is awaited when it arrives', async () => {
    const { ring, make } = open(1)
    ring.start(1, 1)
    expect(ring.take()).toBeNull()
    const next = ring.wait()
    make()
    expect([...(await next)]).toEqual([0, 0, 0, 0])
  })

  it('gives every batch once and in order, whoever is the faster, with no more memory than it has', async () => {
    await forAllAwaited()(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (ahead, count, madeFirst) => {
        const { ring, make, asked, waiting } = open(4)
        for (let window = 0; window < 2; window += 1) {
          ring.start(count, ahead)
          for (let step = 0; step < count; step += 1) {
            while (madeFirst[step] && make());
            expect(waiting()).toBeLessThanOrEqual(ahead)
            let batch = ring.take()
            if (!batch) {
              const next = ring.wait()
              make()
              batch = await next
            }
            expect([...batch]).toEqual([step, step, step, step])
            ring.giveBack(batch)
          }
        }
        const once = Array.from({ length: count }, (_, index) => index)
        expect(asked).toEqual([...once, ...once])
      },
    )
  })

  it('gives them in order where several threads make them, whichever is the first', async () => {
    await forAllAwaited()(fc.array(fc.nat(7), { minLength: 12, maxLength: 12 }), async (picks) => {
      const { ring, make, waiting } = open(8)
      ring.start(picks.length, 8)
      for (const [step, pick] of picks.entries()) {
        // Any of those that are being made may be the next one made.
        let batch = ring.take()
        if (!batch) {
          const next = ring.wait()
          for (let made = 0; made < 8 && make(pick % Math.max(1, waiting())); made += 1);
          batch = await next
        }
        expect([...batch]).toEqual([step, step, step, step])
        ring.giveBack(batch)
      }
    })
  })

  it('tells whoever waits, and whoever asks later, that the thread failed', async () => {
    const { ring } = open(1)
    ring.start(2, 1)
    const next = ring.wait()
    ring.fail(new Error('gone'))
    await expect(next).rejects.toThrow('gone')
    expect(() => ring.take()).toThrow('gone')
  })
})
