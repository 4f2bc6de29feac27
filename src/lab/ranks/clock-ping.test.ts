/**
 * What `offsetOf` makes of the answers holds the true offset: over real threads, and over any
 * times.
 */
import fc from 'fast-check'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundleModule } from '../../../vite/bundle-module'
import { askPings, clockMemory, PINGS, offsetOf } from './clock-ping'
import { forAll } from '../../testing/for-all'

it.each([
  ['', false],
  [', though it is woken before it is asked', true],
])(
  'finds another thread’s clock, that counts from elsewhere, to less than it takes to ask%s',
  async (_, wakes) => {
    const text = `${await bundleModule(join(import.meta.dirname, 'clock-ping.ts'), { minify: false })}
    import { parentPort, workerData } from 'node:worker_threads'
    parentPort.postMessage(performance.timeOrigin)
    answerPings(workerData, () => performance.now() + 12_345)`
    const memory = clockMemory()
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`), {
      workerData: memory,
    })
    try {
      const startedMs = await new Promise<number>((resolve, reject) => {
        worker.once('error', reject)
        worker.once('message', resolve)
      })
      const words = new Int32Array(memory)
      const nobody = new Int32Array(new SharedArrayBuffer(4))
      let ahead = 0
      const now = () => {
        // It waits by then; and after it, long enough for an answer that nobody asked for.
        if (wakes) Atomics.wait(nobody, 0, 0, 1)
        if (wakes && Atomics.notify(words, 0) > 0) Atomics.wait(nobody, 0, 0, 1)
        const [asked = 0, answered = 0] = words
        ahead = Math.max(ahead, answered - asked)
        return performance.now()
      }
      // A busy machine may take long to answer.
      const replies = askPings(memory, now, 60_000)
      expect(replies).toHaveLength(PINGS)
      expect(ahead, 'answers before their questions').toBe(0)
      const offset = offsetOf(replies, 1e-3)
      const quickest = Math.min(...replies.map(({ askedMs, heardMs }) => heardMs - askedMs))
      const width = (offset?.highMs ?? Infinity) - (offset?.lowMs ?? 0)
      expect(width).toBeLessThanOrEqual(quickest + 0.004 + 1e-9)
      // Node says truly from where a thread's time counts.
      const apart = startedMs - performance.timeOrigin - 12_345
      expect(offset?.lowMs).toBeLessThanOrEqual(apart + 1)
      expect(offset?.highMs).toBeGreaterThanOrEqual(apart - 1)
      const answered = replies.map(({ answeredMs }) => answeredMs)
      expect(answered).toEqual([...answered].sort((a, b) => a - b))
    } finally {
      await worker.terminate()
    }
  },
)

it('has no answers of a thread that gives none', () =>
  expect(askPings(clockMemory(), () => performance.now())).toEqual([]))

const STEP_MS = 0.005
/** Reads like Chromium: rounded down or up, by a threshold of its own in each step. */
const seen = (ms: number, threshold: number) => {
  const down = Math.floor(ms / STEP_MS)
  return (down + (ms / STEP_MS - down >= threshold ? 1 : 0)) * STEP_MS
}

it('holds the true offset between its bounds, however slow each way is, and narrows with every reply', () => {
  const way = fc.oneof(
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.double({ min: 0, max: 0.01, noNaN: true }),
  )
  const threshold = fc.double({ min: 0, max: 1, noNaN: true })
  forAll(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.array(fc.tuple(way, way, threshold, threshold, threshold), { minLength: 1, maxLength: 20 }),
    (offset, ways) => {
      let now = 1000
      const replies = ways.map(([there, back, first, second, third]) => {
        const askedMs = seen(now, first)
        const answeredMs = seen(now + there - offset, second)
        now += there + back
        return { askedMs, answeredMs, heardMs: seen(now, third) }
      })
      const found = offsetOf(replies, STEP_MS)
      expect(found?.lowMs).toBeLessThanOrEqual(offset + 1e-6)
      expect(found?.highMs).toBeGreaterThanOrEqual(offset - 1e-6)
      const quickest = Math.min(...ways.map(([there, back]) => there + back))
      expect((found?.highMs ?? NaN) - (found?.lowMs ?? NaN)).toBeLessThanOrEqual(
        quickest + 6 * STEP_MS + 1e-6,
      )
    },
  )
})

it('finds none where a clock was set in between, or nobody answered', () => {
  expect(offsetOf([], STEP_MS)).toBeNull()
  const jumped = [
    { askedMs: 0, answeredMs: 10, heardMs: 0.1 },
    { askedMs: 1, answeredMs: 12, heardMs: 1.1 },
  ]
  expect(offsetOf(jumped, STEP_MS)).toBeNull()
})
