/**
 * What recorder.js adds to a session, on the fake WebGPU: counts a frame, frames, places of calls.
 * page.ts itself is tried in a browser.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { median } from '../base/stats'
import { fakeRealm } from '../testing/fake-webgpu'
import { FRAME_REQUESTS, TIMER_SUBMITS, type Trace } from '../trace/schema'
import { CallSites } from './call-sites'
import { Counts } from './counts'
import { framesOf, type Frames } from './frames'
import { counting, install } from './patches'
import { macrotask, MAP, record, stopRecording, USAGE } from './testing/record'
import { spansOf } from './testing/spans'
import { timersOf } from './timers'
import type { PagePart } from './patches'
import { JoinedWrites } from './writes'

afterEach(stopRecording)

const samplesOf = ({ counters }: Trace, name: string): readonly number[] => [
  ...(counters.find((counter) => counter.name === name)?.value ?? []),
]

describe('frames', () => {
  it('are windows from turn to turn, with what was counted in each', () => {
    let callbacks: ((time: number) => void)[] = []
    const page = {
      requestAnimationFrame(callback: (time: number) => void): number {
        return callbacks.push(callback)
      },
    }
    const turn = (time: number) => {
      const due = callbacks
      callbacks = []
      for (const callback of due) callback(time)
    }
    let frames: PagePart | null = null
    const original = page.requestAnimationFrame.bind(page)
    const { session, device } = record(
      {},
      {
        rows: (recorded) => {
          const counts = new Counts(recorded.writer)
          frames = framesOf(page, recorded, counts)
          return [...counts.patches(fakeRealm), ...frames.patches]
        },
      },
    )
    const buffer = device.createBuffer({ size: 1024, usage: USAGE.copyDst })
    const write = (words: number) => device.queue.writeBuffer(buffer, 0, new Float32Array(words))
    // Two callbacks of one turn are one frame.
    for (let frame = 0; frame < 3; frame += 1) {
      page.requestAnimationFrame(() => write(4))
      page.requestAnimationFrame(() => write(200))
      turn(frame * 16)
    }
    page.requestAnimationFrame(() => undefined)
    turn(48)
    ;(frames as PagePart | null)?.end()
    session.stop()
    const trace = session.freeze()
    expect(spansOf(trace, { kind: 'window' })).toHaveLength(3)
    // All four were requested before they began, and after the frame before.
    const { timeNs, value } = trace.counters.find(({ name }) => name === FRAME_REQUESTS) ?? {}
    expect(timeNs).toHaveLength(4)
    for (const [frame, at] of [...(timeNs ?? [])].entries()) {
      expect(value?.[frame]).toBeGreaterThanOrEqual(0)
      expect(at - (value?.[frame] ?? 0)).toBeGreaterThanOrEqual(timeNs?.[frame - 1] ?? 0)
    }
    // Before the first frame, the three, and the last one, which has no end.
    expect(samplesOf(trace, 'writeBuffer calls')).toEqual([2, 2, 2, 0])
    expect(samplesOf(trace, 'writeBuffer bytes')).toEqual([816, 816, 816, 0])
    expect(samplesOf(trace, 'writeBuffer calls up to 256 bytes')).toEqual([1, 1, 1, 0])
    expect(samplesOf(trace, 'buffers made')).toEqual([1, 0, 0, 0, 0])
    expect(trace.counters.map(({ name }) => name)).not.toContain('draws')
    expect(page.requestAnimationFrame.toString()).not.toBe(original.toString())
  })
})

it('submissions of timers have a sample each, with the delay that was asked for', async () => {
  const page = { setTimeout: globalThis.setTimeout.bind(globalThis) as (...args: unknown[]) => unknown }
  const before = Object.getOwnPropertyDescriptor(page, 'setTimeout')
  let timers: PagePart | null = null
  const { session, device } = record(
    {},
    {
      rows: ({ writer }) => {
        timers = timersOf(page, writer)
        return timers.patches
      },
    },
  )
  const submit = () => device.queue.submit([device.createCommandEncoder().finish()])
  submit()
  page.setTimeout((ms: number) => ms, 1, 5)
  await new Promise<void>((ended) => {
    page.setTimeout(
      (text: string) => {
        expect(text).toBe('given')
        // In what follows its callback.
        Promise.resolve().then(submit).then(submit, ended)
        setTimeout(ended, 5)
      },
      3,
      'given',
    )
  })
  ;(timers as PagePart | null)?.end()
  session.stop()
  expect(samplesOf(session.freeze(), TIMER_SUBMITS)).toEqual([3e6])
  expect(Object.getOwnPropertyDescriptor(page, 'setTimeout')).toEqual(before)
})

it('calls that hold a page up are timed, with their bytes', () => {
  const queue = fakeRealm.GPUQueue.prototype as { copyExternalImageToTexture?: unknown }
  queue.copyExternalImageToTexture = () => undefined
  const { session, device } = record({}, { rows: ({ writer }) => new Counts(writer).patches(fakeRealm) })
  device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: '' }) },
  })
  const source = {} as ImageBitmap
  const to = (format: string) => ({ texture: { format } as GPUTexture })
  device.queue.copyExternalImageToTexture({ source }, to('rgba8unorm'), [8, 4])
  device.queue.copyExternalImageToTexture({ source }, to('rgba16float'), { width: 8 })
  session.stop()
  delete queue.copyExternalImageToTexture
  const trace = session.freeze()
  expect(spansOf(trace, { role: 'compile' })).toHaveLength(1)
  expect(spansOf(trace, { role: 'image' }).map(({ bytes }) => bytes)).toEqual([128, 64])
})

describe('a mapped range', () => {
  const STATES = ['free', 'mapping', 'mapped', 'mapped', 'filled', 'in-flight'].map(
    (state) => `staging-${state}`,
  )
  /** A page with a buffer that it maps, and what is known once it has unmapped it. */
  async function mapping() {
    const callbacks: ((time: number) => void)[] = []
    const page = { requestAnimationFrame: (callback: (time: number) => void) => callbacks.push(callback) }
    const own: { frames?: Frames } = {}
    const { session, device } = record(
      {},
      {
        rows: (recorded) => {
          own.frames = framesOf(page, recorded, new Counts(recorded.writer))
          return own.frames.patches
        },
      },
    )
    const staging = device.createBuffer({ size: 16, usage: USAGE.mapWrite | USAGE.copySrc })
    await staging.mapAsync(MAP.write)
    const fill = () => new Uint8Array(staging.getMappedRange()).fill(1)
    const ended = () => {
      staging.unmap()
      own.frames?.end()
      session.stop()
      const trace = session.freeze()
      const fills = [...spansOf(trace, { role: 'fill' }), ...spansOf(trace, { kind: 'staging-filled' })]
      expect(fills).toMatchObject([{ bytes: 16 }, { bytes: 16 }])
      return {
        states: spansOf(trace, { lane: 'staging 0' }).map(({ kind }) => kind),
        fillsNs: fills.map(({ start, end }) => end - start),
      }
    }
    return { page, callbacks, fill, ended }
  }

  it('that is held from one frame to the next is filled by nobody meanwhile', async () => {
    const { page, callbacks, fill, ended } = await mapping()
    fill()
    page.requestAnimationFrame(() => undefined)
    callbacks.shift()?.(16)
    expect(ended()).toEqual({ states: STATES, fillsNs: [0, 0] })
  })

  it('nor is one from one task to the next, on a page without frames', async () => {
    const { fill, ended } = await mapping()
    fill()
    await macrotask()
    expect(ended()).toEqual({ states: STATES, fillsNs: [0, 0] })
  })

  it('is filled until unmap() where both are in one task, awaits between them or not', async () => {
    const { fill, ended } = await mapping()
    fill()
    const until = performance.now() + 1
    while (performance.now() < until) await Promise.resolve()
    const { states, fillsNs } = ended()
    expect(states).toEqual(STATES.toSpliced(3, 1))
    for (const each of fillsNs) expect(each).toBeGreaterThan(0.9e6)
  })
})

describe('a recording that goes on', () => {
  it('is taken with what was counted since the last sample, and counts on', () => {
    const page: { counts?: Counts } = {}
    const { session, device } = record(
      {},
      {
        rows: ({ writer }) => {
          page.counts = new Counts(writer)
          return page.counts.patches(fakeRealm)
        },
      },
    )
    const { counts } = page
    if (!counts) throw new Error('no counts')
    const make = () => device.createBuffer({ size: 16, usage: USAGE.copyDst })
    make()
    counts.sample(0)
    const buffer = make()
    device.queue.writeBuffer(buffer, 0, new Float32Array(4))
    const taken = counts.into(session.freeze(), 5)
    expect(samplesOf(taken, 'buffers made')).toEqual([1, 1])
    expect(samplesOf(taken, 'writeBuffer bytes')).toEqual([16])
    expect(taken.counters.map(({ timeNs, length }) => timeNs.length - length)).toEqual(
      taken.counters.map(() => 0),
    )
    make()
    counts.sample(5)
    session.stop()
    expect(samplesOf(session.freeze(), 'buffers made')).toEqual([1, 2])
  })
})

describe('a call that is counted', () => {
  it('allocates nothing, once it is compiled', () => {
    // A function of the engine's own, as WebGPU's are: it is not compiled into its caller.
    const owner = { prototype: { draw: Object.isFrozen } }
    const totals = new Float64Array(1)
    const restore = install(counting(owner, 'draw', totals, 0))
    const { prototype } = owner
    const [calls, batches] = [10_000, 21]
    let made = 0
    const grown = (): number => {
      const before = process.memoryUsage().heapUsed
      for (let call = 0; call < calls; call += 1) prototype.draw(3)
      made += calls
      return (process.memoryUsage().heapUsed - before) / calls
    }
    // In some batches garbage is collected; the compiler works beside, and may be late.
    let bytes = Infinity
    for (let poll = 0; poll < 100 && bytes >= 1; poll += 1)
      bytes = median(Array.from({ length: batches }, grown))
    restore()
    expect(totals[0]).toBe(made)
    expect(prototype.draw).toBe(Object.isFrozen)
    // Of the reading itself; an object for each call would be 16 bytes and more.
    expect(bytes).toBeLessThan(1)
  })
})

describe('stacks', () => {
  it.each([
    [
      '    at draw (http://a.test/app.js?v=1:12:7)',
      { caller: 'draw', url: 'http://a.test/app.js?v=1', line: 12, column: 7 },
    ],
    ['    at http://a.test/app.js:3:1', { caller: '', url: 'http://a.test/app.js', line: 3, column: 1 }],
    [
      '    at async Loop.step (http://a.test/l.js:3:1)',
      { caller: 'Loop.step', url: 'http://a.test/l.js', line: 3, column: 1 },
    ],
    ['draw@http://a.test/app.js:12:7', { caller: 'draw', url: 'http://a.test/app.js', line: 12, column: 7 }],
  ])('%s', (line, frame) => {
    const stacks = ['Error\n    at http://a.test/recorder.js:1:1', `Error\n${line}`]
    const sites = new CallSites(() => stacks.shift())
    sites.saw('submit')
    expect(sites.all).toEqual([{ what: 'submit', ...frame, sampled: 1 }])
  })

  it('are sampled for the first calls, then for ever fewer, and the limit of stacks stays', () => {
    const { stackTraceLimit } = Error
    const sites = new CallSites()
    const sampled: number[] = []
    for (let call = 1; call <= 100_000; call += 1) {
      sites.saw('submit')
      if (call === 16 || call === 1000 || call === 100_000) sampled.push(sites.all[0]?.sampled ?? 0)
    }
    const [first = 0, some = 0, many = 0] = sampled
    expect(first).toBe(16)
    expect(some).toBeLessThan(16 + Math.log(1000 / 16) / Math.log(1.5) + 2)
    expect(many).toBeLessThan(50)
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
    // This whole file is one script with call-sites.ts to nobody: the caller is this line.
    expect(sites.all.map(({ what }) => what)).toEqual(['submit'])
  })

  it('of calls that take turns are of both', () => {
    let call = -1
    const sites = new CallSites(() => `Error\n    at f (http://a.test/${String(call % 2)}.js:1:1)`)
    for (call = 0; call < 10_000; call += 1) sites.saw('write')
    const [more, less] = sites.all
    expect((less?.sampled ?? 0) / (more?.sampled ?? 1)).toBeGreaterThan(0.5)
  })
})

describe('small writes', () => {
  it('that follow each other are one span; a pause, another tag and a large write come between', () => {
    const spans: string[] = []
    let nowNs = 0
    let readings = 0
    const writes = new JoinedWrites({
      now: () => {
        readings += 1
        return nowNs
      },
      nameOf: () => 'write',
      emit: (name, startNs, endNs, bytes) =>
        spans.push(`${name}: ${String(bytes)} bytes, ${String(startNs)} to ${String(endNs)}`),
    })
    const tags = [
      { repeat: 0, step: -1 },
      { repeat: 1, step: -1 },
    ] as const
    const write = (startNs: number, bytes = 16, tag: (typeof tags)[number] = tags[0]) => {
      nowNs = startNs
      writes.before(bytes, tag)
      nowNs += 1000
      writes.after({} as GPUBuffer, bytes) // only its name is asked for
    }
    for (const at of [0, 1, 2, 3, 4]) write(at * 10_000)
    write(300_000)
    write(310_000)
    write(320_000, 1024)
    write(330_000)
    write(340_000, 16, tags[1])
    writes.close()
    writes.close()
    expect(spans).toEqual([
      '5 writes: 80 bytes, 0 to 41000',
      '2 writes: 32 bytes, 300000 to 311000',
      'write: 1024 bytes, 320000 to 321000',
      'write: 16 bytes, 330000 to 331000',
      'write: 16 bytes, 340000 to 341000',
    ])
    // Of many the clock is read around the first 8, then around each 16th; a pause is seen at the
    // next reading.
    spans.length = readings = 0
    for (let each = 0; each < 600; each += 1) write(1_000_000 + each * 10_000)
    expect(readings).toBe(2 * (8 + Math.floor(592 / 16)))
    for (let each = 0; each < 30; each += 1) write(20_000_000 + each * 10_000)
    writes.close()
    expect(spans).toEqual([
      '615 writes: 9840 bytes, 1000000 to 6991000',
      '15 writes: 240 bytes, 20150000 to 20221000',
    ])
  })

  it('of a page end before what comes next, and none is lost', () => {
    const { session, device } = record({}, { joinsWrites: true })
    const buffer = device.createBuffer({ size: 4096, usage: USAGE.copyDst })
    for (let each = 0; each < 50; each += 1) device.queue.writeBuffer(buffer, 0, new Float32Array(4))
    device.queue.submit([device.createCommandEncoder().finish()])
    for (let each = 0; each < 50; each += 1) device.queue.writeBuffer(buffer, 0, new Float32Array(4))
    session.stop()
    const trace = session.freeze()
    const written = spansOf(trace, { role: 'write' })
    const [submit] = spansOf(trace, { kind: 'submit' })
    expect(written.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(1600)
    expect(
      written.filter(({ end }) => end <= (submit?.start ?? 0)).reduce((sum, { bytes }) => sum + bytes, 0),
    ).toBe(800)
  })
})

describe('tasks of the page’s thread', () => {
  /** What the browser reports, of a class of its own: tasks.ts takes it when it is loaded. */
  async function tasksOf(realm: object, entries: readonly object[], types: readonly string[]) {
    const observed: string[] = []
    class Observer {
      static readonly supportedEntryTypes = types
      observe = ({ type }: { readonly type: string }) => observed.push(type)
      takeRecords = () => entries
      disconnect = () => undefined
    }
    vi.stubGlobal('PerformanceObserver', Observer)
    for (const [name, value] of Object.entries(realm)) vi.stubGlobal(name, value)
    vi.resetModules()
    const { tasksOf: recorded } = await import('./tasks')
    const { session } = record(
      {},
      {
        rows: ({ writer }) => {
          recorded(writer).end()
          return []
        },
      },
    )
    vi.unstubAllGlobals()
    session.stop()
    const spans = spansOf(session.freeze(), { role: 'task' })
    return { observed, names: spans.map(({ name, lane }) => `${lane}: ${name}`) }
  }
  /** Behind the beginning of any recording. */
  const at = performance.now() + 1e6
  const entries = [
    { entryType: 'longtask', startTime: at, duration: 60 },
    {
      entryType: 'long-animation-frame',
      startTime: at,
      duration: 70,
      scripts: [
        { startTime: at, duration: 30, sourceFunctionName: 'update' },
        { startTime: at + 40, duration: 20, sourceFunctionName: '' },
      ],
    },
  ]

  it('are long tasks and the scripts of long frames, where there is a window', async () => {
    const types = ['longtask', 'long-animation-frame']
    const { observed, names } = await tasksOf({ document: {} }, entries, types)
    expect(observed).toEqual(types)
    expect(names).toEqual(['long tasks: task', 'long tasks: update', 'long tasks: task'])
    expect((await tasksOf({ document: {} }, [], ['longtask'])).observed).toEqual(['longtask'])
  })

  it('are unknown in a worker', async () =>
    expect(await tasksOf({}, entries, ['longtask'])).toEqual({ observed: [], names: [] }))
})
