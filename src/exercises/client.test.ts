/**
 * A program's worker as the page sees it: at whatever moment it is cancelled, hidden or falls
 * silent, it is ended, and says why.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tinyEnvironment } from '../experiments/testing/tiny'
import { runProgram } from './client'
import { programRun } from './testing/evidence'
import type { Message } from './types'

class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = []
  terminated = 0
  constructor() {
    super()
    FakeWorker.all.push(this)
  }
  postMessage(): void {
    // Nothing answers by itself.
  }
  terminate(): void {
    this.terminated += 1
  }
}

class FakeDocument extends EventTarget {
  readonly baseURI = 'https://lab.example/'
  hidden = false
  listening = 0
  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listening += 1
    super.addEventListener(...args)
  }
  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listening -= 1
    super.removeEventListener(...args)
  }
}
let page: FakeDocument
const urls = new Set<string>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  page = new FakeDocument()
  FakeWorker.all.length = 0
  urls.clear()
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('document', page)
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    const url = `blob:${String(urls.size)}`
    urls.add(url)
    return url
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => urls.delete(url))
})

/** All that a program's worker says until it is done, in its order. */
const LIFE: readonly Message[] = [
  { type: 'alive' },
  { type: 'prepared', plan: {}, isSoftware: false, hasTimestamps: true },
  { type: 'turn', of: 'program' },
  { type: 'log', line: 'hello' },
  { type: 'turn', of: 'lab' },
  { type: 'turn', of: 'program', run: 'warm-up' },
  { type: 'alive' },
  { type: 'turn', of: 'lab' },
  { type: 'ran', run: programRun({ repeat: -2 }) },
  { type: 'turn', of: 'program', run: 'run' },
  { type: 'turn', of: 'lab' },
  { type: 'ran', run: programRun({}) },
]

/** Messages up to the first call of the program. */
const TO_BEGIN = LIFE.findIndex((each) => each.type === 'turn' && each.run !== undefined) + 1

/** Limit of one call of a program, where a round trip takes 3 ms. */
const RUN_LIMIT_MS = 5000 + 64 * 3
const SILENCE_MS = 1500

function start(environment = tinyEnvironment) {
  const abort = new AbortController()
  const running = runProgram(
    {
      lesson: 'sync-stalls',
      worker: '/assets/mend-worker.js',
      language: 'javascript',
      source: 'export default () => 1',
      seed: 1,
      plan: null,
      environment,
    },
    { signal: abort.signal },
  )
  const [worker] = FakeWorker.all
  if (!worker) throw new Error('no worker was started')
  const say = (messages: readonly Message[]): void => {
    for (const data of messages) worker.dispatchEvent(new MessageEvent('message', { data }))
  }
  return { abort, running, worker, say }
}

/** Nothing of it goes on: no worker, timer, listener, address. */
function expectEnded({ terminated }: FakeWorker): void {
  expect([terminated, vi.getTimerCount(), page.listening, urls.size]).toEqual([1, 0, 0, 0])
}

it('is done where it says so', async () => {
  const { running, worker, say } = start()
  say([...LIFE, { type: 'done' }])
  expect(worker.terminated, 'what it ended itself may still be ending').toBe(0)
  vi.advanceTimersByTime(1000)
  expect(await running).toMatchObject({ stop: null, log: ['hello'], runs: [{ repeat: -2 }, { repeat: 0 }] })
  expectEnded(worker)
})

describe.each(LIFE.map((_, at) => at).concat(LIFE.length))('after %i messages', (at) => {
  it('is cancelled at once, and hears no more', async () => {
    const { abort, running, worker, say } = start()
    say(LIFE.slice(0, at))
    abort.abort()
    const { stop, runs } = await running
    expect(stop?.reason).toBe('cancelled')
    expectEnded(worker)
    say([{ type: 'ran', run: programRun({}) }, { type: 'done' }])
    expect(runs).toHaveLength(LIFE.slice(0, at).filter(({ type }) => type === 'ran').length)
    expectEnded(worker)
  })

  it('ends where the tab is hidden', async () => {
    const { running, worker, say } = start()
    say(LIFE.slice(0, at))
    page.hidden = true
    page.dispatchEvent(new Event('visibilitychange'))
    expect((await running).stop?.reason).toBe('hidden')
    expectEnded(worker)
  })

  it('ends where the worker hangs: in the program within 5 s, in the lab within 60 s', async () => {
    const { running, worker, say } = start()
    say(LIFE.slice(0, at))
    const turn = LIFE.slice(0, at).flatMap((each) => (each.type === 'turn' ? each.of : [])).at(-1) // oxfmt-ignore
    const limitMs = turn === 'program' ? RUN_LIMIT_MS : 60_000
    vi.advanceTimersByTime(limitMs - 1)
    expect(worker.terminated).toBe(0)
    vi.advanceTimersByTime(1)
    expect(worker.terminated).toBe(1)
    // In the lab's own phases the event loop turns: a silent worker is held by the program.
    expect((await running).stop?.reason).toBe(turn === undefined ? 'lab' : 'endless')
    expectEnded(worker)
  })
})

it('gives a program the time of its waits: in a browser that looks for completion every 100 ms, 64 of them', () => {
  const inFirefox = { ...tinyEnvironment, completionLatencyMs: 98, emptySubmitLatencyMs: 100 }
  const { worker, say } = start(inFirefox)
  say(LIFE.slice(0, TO_BEGIN))
  vi.advanceTimersByTime(5000 + 64 * 100 - 1)
  expect(worker.terminated).toBe(0)
  vi.advanceTimersByTime(1)
  expect(worker.terminated).toBe(1)
})

it('tells a program that computes from one that waits', async () => {
  const { running, worker, say } = start()
  say(LIFE.slice(0, TO_BEGIN))
  vi.advanceTimersByTime(RUN_LIMIT_MS - SILENCE_MS)
  say([{ type: 'alive' }])
  vi.advanceTimersByTime(SILENCE_MS)
  expect(worker.terminated).toBe(1)
  expect((await running).stop?.reason).toBe('never-returned')
  expectEnded(worker)
})

it('blames the lab where its own phase lasts too long and the event loop turns', async () => {
  const { running, worker, say } = start()
  say(LIFE.slice(0, TO_BEGIN + 2))
  vi.advanceTimersByTime(59_000)
  say([{ type: 'alive' }])
  vi.advanceTimersByTime(1000)
  expect(worker.terminated).toBe(1)
  expect((await running).stop?.reason).toBe('lab')
})

// HTML: a script that cannot be fetched fires an Event, which has no `message`.
it('says that a worker was not loaded', async () => {
  const { running, worker } = start()
  worker.dispatchEvent(new Event('error', { cancelable: true }))
  expect((await running).stop).toEqual({
    reason: 'lab',
    text: 'The program could not be loaded.',
    line: null,
  })
  expectEnded(worker)
})
