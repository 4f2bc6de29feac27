/**
 * A file that is opened takes at most six times its inflated size, its own bytes among them: of
 * every format, at the density that the budget allows. So does all that the worker does with it
 * (placed, drawn, gaps named, path followed, handed over), also for the lab's own format, which has
 * 67 bytes a span, and here a gap with its evidence to every third. Objects are twice as large in
 * Node as in Chromium, whose pointers are compressed. Measured after a collection at every step
 * that reading says it takes.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../trace/budget'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { encodeRun } from '../../trace/codec'
import type { ImportEvent, Post } from './protocol'
import { readTrace } from './read-trace'
import { liveBytes } from './testing/live-memory'
import { stalledTrace } from './testing/synthetic'
import { IS_LONG, inShort } from '../../testing/long'
import { traceEventText } from '../../trace/formats/testing/validate-trace-event'

const MOST = 6
/** What is there whatever the file: code, and tables at their first size. */
const FREE_BYTES = 8 * 2 ** 20

const encode = (text: string) => new TextEncoder().encode(text)

/** As torch.profiler writes them: 200 bytes an event. */
function kineto(events: number): Uint8Array<ArrayBuffer> {
  const parts = ['{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[']
  for (let at = 0; at < events; at += 1) {
    const [ts, id] = [String(1.7e15 + 20 * at), String(at >> 1)]
    parts.push(
      at % 2 === 0
        ? `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":11,"tid":11,"ts":${ts}.125,"dur":2.5,"args":{"External id":${id},"cbid":211,"correlation":${id}}},`
        : `{"ph":"X","cat":"kernel","name":"void at::native::vectorized_elementwise_kernel_${String(at % 500)}","pid":0,"tid":7,"ts":${ts}.5,"dur":9.25,"args":{"device":0,"stream":7,"correlation":${id},"grid":[1,1,1]}},`,
    )
  }
  return encode(`${parts.join('')}{"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]}`)
}

/**
 * The least that a complete event is, with a name of its own, at the density that the budget allows
 * beyond the first 2^18.
 */
function dense(events: number): Uint8Array<ArrayBuffer> {
  const parts = Array.from({ length: events }, (_, at) => {
    const text = `{"ph":"X","ts":${String(3 * at)},"dur":2,"pid":1,"tid":1,"name":"${at.toString(36)}"}`
    return text.padEnd(63, ' ')
  })
  return encode(`[${parts.join(',')}]`)
}

const EVENTS = 120_000
const files: readonly (readonly [string, () => Uint8Array<ArrayBuffer>])[] = [
  ['torch.profiler', () => kineto(EVENTS)],
  ['Trace Event, as dense as it may be', () => dense(EVENTS)],
  ['Trace Event of the lab', () => encode(traceEventText(stalledTrace(EVENTS / 4)))],
  ['own', () => encodeRun({ trace: stalledTrace(EVENTS / 2), report: null })],
]

/**
 * Most that was reachable beyond what was before, with the file's bytes. `run` calls what it is
 * given at every step.
 */
async function peakOf(run: (sample: () => void) => Promise<unknown>): Promise<number> {
  const before = liveBytes()
  let most = 0
  await run(() => (most = Math.max(most, liveBytes() - before)))
  return most
}

/** As a worker hands over: what is transferred is the page's from then on. */
const handed =
  (sample: (event: ImportEvent) => void): Post =>
  (event, transfer = []) => {
    sample(event)
    structuredClone(null, { transfer: [...transfer] })
  }

/**
 * The one that takes most a byte where it is gzipped, 2.5 beyond its own, and the one with most
 * events a byte. In long plain each is opened below.
 */
it.each([
  ['torch.profiler, gzipped,', () => kineto(EVENTS), (plain: Uint8Array) => gzipSync(plain)],
  ['Trace Event, as dense as it may be,', () => dense(EVENTS), (plain: Uint8Array) => plain],
])('%s is opened in six times its inflated size', async (_, make, pack) => {
  const plain = make()
  const size = plain.length
  const given = { bytes: new Uint8Array(pack(plain)) }
  const own = given.bytes.length
  const peak = await peakOf(async (sample) => {
    const opened = await openTraceFile(given.bytes, { onProgress: sample })
    sample()
    if (!opened.ok) throw new Error(opened.error.message)
    expect(opened.value.trace.spans.length).toBeGreaterThan(EVENTS / 4)
  })
  // The file itself was there before.
  expect((peak + own) / size).toBeLessThan(MOST + FREE_BYTES / size)
  expect(size).toBeLessThan(LIMITS.bytes.most)
})

/** In short the format that has most to it. */
describe.each(inShort(files, ([name]) => name === 'own'))('%s', (_, make) => {
  it('is placed, drawn, analysed and handed over in as much', async () => {
    const plain = make()
    const size = plain.length
    const steps: string[] = []
    const peak = await peakOf(async (sample) => {
      const post = handed(({ type }) => {
        steps.push(type)
        sample()
      })
      const read = await readTrace(plain, { origin: 'imported', gaps: 'of-devices' }, post)
      if (!read.ok) throw new Error(read.error.message)
    })
    expect(steps).toEqual(expect.arrayContaining(['progress', 'opened', 'gaps', 'done']))
    expect((peak + size) / size).toBeLessThan(MOST + FREE_BYTES / size)
  })
})

if (IS_LONG)
  it('a run’s own gaps, of its repeats, are found and handed over in as much', async () => {
    const trace = stalledTrace(EVENTS / 2, { repeats: 4 })
    // The trace itself was there before.
    const size = encodeRun({ trace, report: null }).length
    let gaps = 0
    const peak = await peakOf(async (sample) => {
      const post = handed((event) => {
        if (event.type === 'gaps') gaps = event.gaps.columns.length
        sample()
      })
      const read = await readTrace(trace, { origin: 'imported', gaps: 'of-repeats' }, post)
      if (!read.ok) throw new Error(read.error.message)
    })
    expect(gaps).toBeGreaterThan(EVENTS / 2 - 8)
    expect((peak + size) / size).toBeLessThan(MOST + FREE_BYTES / size)
  })
