import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { summariseDevices } from '../../../analysis/devices'
import { findGaps } from '../../../analysis/gaps'
import { plainGap } from '../../../analysis/testing/plain-gap'
import { placeTrace, type PlacedTrace } from '../../place'
import { FLOW_KINDS, SPAN_ROLES, type Trace } from '../../schema'
import { inShort } from '../../../testing/long'
import { arbitraryTrace, newBuilder } from '../../testing/arbitrary-trace'
import { encodeRun } from '../../codec'
import { arrows } from '../flows'
import { layOut } from '../slices'
import { openTraceFile } from './open-trace'
import { KinetoFile } from './testing/kineto-file'
import { opened, refused, rows } from './testing/read-back'
import { traceEventText } from '../testing/whole-text'

const RECORDINGS = 'public/recordings'
const recordings = readdirSync(RECORDINGS)
/** Runs of the lab: in short one on a device of its own, and one on ranks. */
const runs = inShort(
  recordings.filter((name) => name.endsWith('.hdl.gz')),
  (name) => /^(sync-stalls|ranks)\./.test(name),
)
const bytesOf = (name: string) => readFileSync(`${RECORDINGS}/${name}`)
const flowsOf = ({ flows, spans, strings }: Trace) =>
  Array.from({ length: flows.length }, (_, row) => {
    const nameOf = (span = -1) => strings[spans.name[span] ?? -1] ?? ''
    return [FLOW_KINDS[flows.kind[row] ?? -1], nameOf(flows.from[row]), nameOf(flows.to[row])]
  })
const file = (...events: readonly unknown[]) => JSON.stringify({ traceEvents: events })
const slice = { ph: 'X', name: 'a', pid: 1, tid: 1, ts: 10, dur: 5 }

interface FileEvent {
  readonly ph: string
  readonly cat?: string
  readonly name: string
  readonly ts: number
  readonly dur: number
  readonly args?: {
    readonly correlation?: number
    readonly bytes?: number
    readonly 'Collective name'?: string
  }
}

describe('torch.profiler files', () => {
  const ofCpu = readdirSync(`${RECORDINGS}/cpu`).map((name) => `cpu/${name}`)
  const files = [...recordings, ...ofCpu].filter((name) => /(?:^|\/)torch-.*\.json\.gz$/.test(name))
  it('are among the recordings', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  it.each(files)('%s: every event is where the file says, every launch joined', async (name) => {
    const parsed = JSON.parse(gunzipSync(bytesOf(name)).toString()) as { traceEvents: FileEvent[] }
    const { trace, format, skipped } = await opened(bytesOf(name))
    expect(format).toBe('torch-profiler')
    // From a forward pass to its backward pass: no arrow of the timeline's.
    const undrawn = parsed.traceEvents.filter(({ cat }) => cat === 'fwdbwd').length
    expect(skipped.map(({ count }) => count)).toEqual(undrawn === 0 ? [] : [undrawn])
    const complete = parsed.traceEvents.filter(({ ph }) => ph === 'X')
    const all = rows(trace)
    expect(all).toHaveLength(complete.length)
    const firstUs = Math.floor(
      Math.min(...parsed.traceEvents.filter(({ ph }) => ph !== 'M').map(({ ts }) => ts)),
    )
    for (const [index, event] of complete.entries()) {
      // A kernel's name can be longer than the page keeps.
      const name = all[index]?.name ?? ''
      if (name.endsWith('…')) expect(event.name.startsWith(name.slice(0, -1)), name).toBe(true)
      else expect(name).toBe(event.name)
      expect(all[index]?.start).toBeCloseTo((event.ts - firstUs) * 1e3, -1)
      expect((all[index]?.end ?? 0) - (all[index]?.start ?? 0)).toBeCloseTo(event.dur * 1e3, 0)
    }
    const kernels = complete.filter(({ cat }) => cat === 'kernel')
    const copies = complete.filter(({ cat }) => cat === 'gpu_memcpy' || cat === 'gpu_memset')
    const onDevice = all.filter(({ laneKind }) => laneKind === 'device')
    const collectives = kernels.filter(({ args }) => args?.['Collective name'] !== undefined)
    expect(onDevice.filter(({ kind }) => kind === 'collective')).toHaveLength(collectives.length)
    expect(onDevice.filter(({ kind }) => kind === 'compute')).toHaveLength(
      kernels.length - collectives.length,
    )
    expect(onDevice.filter(({ kind }) => kind === 'transfer').map(({ bytes }) => bytes)).toEqual(
      copies.map(({ args }) => args?.bytes),
    )
    expect(flowsOf(trace).filter(([kind]) => kind === 'submit')).toHaveLength(kernels.length + copies.length)
    for (const event of [...kernels, ...copies])
      expect(onDevice.some(({ submission }) => submission === event.args?.correlation)).toBe(true)
  })

  it('tie a wait to the last work of what it waited for, and to none that had ended before', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('first', 1, [15, 100], 7)
      .call('cudaLaunchKernel', 2, [20, 22])
      .kernel('second', 2, [25, 60], 13)
      .call('cudaStreamSynchronize', 3, [30, 62])
      .deviceSync('Stream Sync', 3, [30, 62], { wait_on_stream: 13 })
      .call('cudaDeviceSynchronize', 4, [70, 102])
      .call('cudaDeviceSynchronize', 5, [110, 112])
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([
      ['sync', 'second', 'cudaStreamSynchronize'],
      ['sync', 'first', 'cudaDeviceSynchronize'],
    ])
  })

  it('leave a stream wait untied where the file names no stream and there are several', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('first', 1, [15, 100], 7)
      .call('cudaLaunchKernel', 2, [20, 22])
      .kernel('second', 2, [25, 60], 13)
      .call('cudaStreamSynchronize', 3, [30, 62])
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([])
  })

  it('keep devices apart: streams of one number, and waits that do not say of which device', async () => {
    const work = (kineto: KinetoFile, device: number, end: number) =>
      kineto.add({
        ph: 'X',
        cat: 'kernel',
        name: `on ${String(device)}`,
        pid: device,
        tid: 7,
        ts: 1.7e15,
        dur: end,
      })
    const two = (said: boolean) => {
      const kineto = work(work(new KinetoFile(), 0, 30), 1, 50).call('cudaStreamSynchronize', 3, [10, 60])
      return said ? kineto.deviceSync('Stream Sync', 3, [10, 60], { wait_on_stream: 7 }) : kineto
    }
    const syncs = async (said: boolean) => flowsOf((await opened(two(said).bytes())).trace)
    expect(await syncs(true)).toEqual([['sync', 'on 0', 'cudaStreamSynchronize']])
    expect(await syncs(false)).toEqual([])
  })

  it('take an event wait for what was launched before the event was recorded', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('before', 1, [15, 40])
      .call('cudaEventRecord', 2, [13, 14])
      .call('cudaLaunchKernel', 3, [15, 17])
      .kernel('after', 3, [40, 41])
      .call('cudaEventSynchronize', 4, [18, 45])
      .deviceSync('Event Sync', 4, [18, 45], { wait_on_stream: 7, wait_on_cuda_event_record_corr_id: 2 })
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([
      ['sync', 'before', 'cudaEventSynchronize'],
    ])
  })

  it('have steps, blocking copies that wait, memsets, and no lane for a device without events', async () => {
    const kineto = new KinetoFile()
      .operator('ProfilerStep#7', [0, 50], 'user_annotation')
      .call('cudaMemcpy', 1, [5, 30])
      .copy('HtoD (Pageable -> Device)', 1, [10, 28], 4096)
      .call('cudaMemsetAsync', 2, [31, 33])
      .memset(2, [60, 61], 512)
    const { trace } = await opened(kineto.bytes())
    expect(rows(trace).map(({ name, kind, step, bytes }) => [name, kind, step, bytes])).toEqual([
      ['ProfilerStep#7', 'window', 7, Number.NaN],
      ['cudaMemcpy', 'host-wait', 7, Number.NaN],
      ['Memcpy HtoD (Pageable -> Device)', 'transfer', 7, 4096],
      ['cudaMemsetAsync', 'submit', 7, Number.NaN],
      ['Memset (Device)', 'transfer', 7, 512],
    ])
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toHaveLength(1)
    expect(trace.lanes.filter(({ kind }) => kind === 'device')).toHaveLength(1)
  })

  it('say by how much the device leads its calls, and bound its times by that', async () => {
    const kineto = new KinetoFile().call('cudaLaunchKernel', 1, [10, 12]).kernel('early', 1, [6, 20])
    const { trace, notes } = await opened(kineto.bytes())
    expect(notes[0]).toContain('4 µs')
    const placed = placeTrace(trace)
    expect(placed.edgeBoundNs(1, 'start')).toEqual([4000, 4000])
  })
})

describe('times', () => {
  it('keep nanoseconds at 1.7e15 µs, which a double does not', async () => {
    const text = `[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1700000000000000.123,"dur":0.004},
      {"ph":"X","name":"b","pid":1,"tid":1,"ts":1700000000000001.127,"dur":1.0005},]`
    const { trace } = await opened(text)
    expect(rows(trace).map(({ start, end }) => [start, end])).toEqual([
      [123, 127],
      [1127, 1127 + 1000.5],
    ])
  })

  it('are read as the text says, whatever its digits', async () => {
    const number = fc.oneof(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(String),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(String),
      fc
        .tuple(fc.nat(999_999), fc.nat(999))
        .map(([us, ns]) => `${String(us)}.${String(ns).padStart(3, '0')}`),
    )
    await fc.assert(
      fc.asyncProperty(number, number, async (a, b) => {
        const event = (ts: string) => `{"ph":"X","name":"x","pid":1,"tid":1,"dur":1,"ts":${ts}}`
        const { trace } = await opened(`[${event(a)},${event(b)}]`)
        const [first, second] = rows(trace)
        const wantedNs = (Number(b) - Number(a)) * 1e3
        expect(Math.abs((second?.start ?? 0) - (first?.start ?? 0) - wantedNs)).toBeLessThan(0.01)
      }),
      { numRuns: 300 },
    )
  })

  it('of a stray event far from the rest leave that one out, and not the rest', async () => {
    const far = { ...slice, ts: 1.7e15 }
    const { trace, skipped } = await opened(
      file(slice, far, { ...far, ts: 1.7e15 + 1 }, { ...far, dur: 3e22 }),
    )
    expect(rows(trace).map(({ start }) => start)).toEqual([0, 1000])
    expect(skipped).toMatchObject([{ count: 2, firstEvent: 0, firstByte: 16 }])
  })
})

describe('events', () => {
  it('of any pid and tid have a lane of their own', async () => {
    const ids = ['Spans', -1, '', 4294967295, '18446744073709551615', 7, null, undefined] as const
    const { trace } = await opened(file(...ids.map((tid) => ({ ...slice, pid: -3, tid }))))
    expect(trace.spans.length).toBe(ids.length)
    expect(trace.lanes).toHaveLength(6) // '', null and none are the same
    const big =
      '[{"ph":"X","name":"a","pid":18446744073709551614,"tid":1,"ts":1,"dur":1},{"ph":"X","name":"a","pid":18446744073709551615,"tid":1,"ts":1,"dur":1}]'
    expect((await opened(big)).trace.lanes).toHaveLength(2)
  })

  it('pair begins and ends by thread and by id, in the order of their times', async () => {
    const at = (ph: string, name: string, ts: number, more = {}) => ({
      ph,
      name,
      ts,
      pid: 1,
      tid: 1,
      ...more,
    })
    const { trace, skipped } = await opened(
      file(
        at('E', 'outer', 9),
        at('B', 'outer', 1),
        at('B', 'inner', 2),
        at('E', 'inner', 3),
        at('b', 'x', 4, { id: '0x1', cat: 'c' }),
        at('b', 'y', 5, { id: '0x2', cat: 'c' }),
        at('e', 'x', 6, { id: '0x1', cat: 'c' }),
        at('n', 'mark', 6, { id: '0x1', cat: 'c' }),
        at('e', 'y', 7, { id: '0x2', cat: 'c' }),
        at('e', 'z', 8, { id: '0x3', cat: 'c' }),
        at('B', 'open', 8),
      ),
    )
    const spans = rows(trace).map(({ name, start, end }) => [name, start, end])
    expect(spans).toContainEqual(['outer', 0, 8000])
    expect(spans).toContainEqual(['inner', 1000, 2000])
    expect(spans).toContainEqual(['x', 3000, 5000])
    expect(spans).toContainEqual(['y', 4000, 6000])
    expect(spans).toHaveLength(5)
    expect(trace.instants.length).toBe(1)
    expect(skipped).toMatchObject([{ reason: 'it ends what never began', count: 1, firstEvent: 9 }])
  })

  it('that overlap and do not nest are all kept', async () => {
    const { trace } = await opened(file(slice, { ...slice, ts: 12 }, { ...slice, ts: 14 }))
    expect(trace.spans.length).toBe(3)
  })

  it('of counters have a series each', async () => {
    const { trace } = await opened(
      file({
        ph: 'C',
        name: 'memory',
        pid: 'GPU 0 Counters',
        ts: 1,
        args: { used: 5, free: '7', '': 1, x: {}, y: 'Infinity', z: '1e999' },
      }),
    )
    expect(trace.counters.map(({ name, value }) => [name, value[0]])).toEqual([
      ['memory used', 5],
      ['memory free', 7],
      ['memory', 1],
    ])
  })

  it('that cannot be drawn are counted by reason, with the first', async () => {
    const text = `[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":-1},
{"ph":"X","name":"a","pid":1,"tid":1,"ts":NaN,"dur":1},{"ph":"X","name":"a","pid":1,"tid":1,"ts":1e999,"dur":1},
{"ph":"X","name":"a","pid":1,"tid":1,"ts":2},7,{"name":"no phase"},{"ph":"P","ts":1},
{"ph":"X","name":"<img src=x onerror=alert(1)>","pid":1,"tid":1,"ts":1,"dur":1}]`
    const { trace, skipped } = await opened(text)
    expect(rows(trace).map(({ name }) => name)).toEqual(['<img src=x onerror=alert(1)>'])
    expect(skipped.map(({ count, firstEvent, firstByte }) => [count, firstEvent, firstByte])).toEqual([
      [1, 4, text.indexOf('7,{')],
      [1, 5, text.indexOf('{"name":"no')],
      [1, 0, 1],
      [2, 1, text.indexOf('{"ph":"X","name":"a","pid":1,"tid":1,"ts":NaN')],
      [1, 3, text.indexOf('{"ph":"X","name":"a","pid":1,"tid":1,"ts":2}')],
      [1, 6, text.indexOf('{"ph":"P"')],
    ])
  })
})

describe('files', () => {
  it('of the lab itself come back: its own format, plain or zipped', async () => {
    for (const name of runs) {
      const { format, report, trace } = await opened(bytesOf(name))
      expect([format, report !== null, trace.spans.length > 0]).toEqual(['host-device-lab', true, true])
      expect((await opened(encodeRun({ trace, report }))).trace.spans).toEqual(trace.spans)
    }
  })

  it('of the lab’s exporter come back: lanes, spans, instants, counters and arrows', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTrace, async (trace) => {
        const back = await opened(traceEventText(trace))
        expect(back.skipped).toEqual([])
        expectSame(trace, back.trace)
      }),
      { numRuns: 150 },
    )
  })

  it('of the exporter, changed: a role that there is not is none, and so is a line', async () => {
    const builder = newBuilder()
    builder.addSpan({ lane: 0, kind: 'host-work', role: 'fill', line: 7, name: 'x', start: 0, end: 9 })
    const text = traceEventText(builder.freeze())
    const read = async (from: string, to: string) => {
      expect(text).toContain(from)
      return rows((await opened(text.replace(from, to))).trace).map(({ role, line }) => [role, line])
    }
    expect(await read('"line":7', '"line":7')).toEqual([['fill', 7]])
    expect(await read('"role":"fill"', '"role":"fills"')).toEqual([['none', 7]])
    expect(await read('"role":"fill"', '"role":{"fill":1}')).toEqual([['none', 7]])
    for (const line of ['0', '-3', '1.5', '"x"', '1e12'])
      expect(await read('"line":7', `"line":${line}`), line).toEqual([['fill', -1]])
    // A name says nothing of a role.
    const renamed = await read('"role":"fill","line":7,', '')
    expect(renamed).toEqual([['none', -1]])
  })

  it('of the lab’s exporter, recorded: also each edge’s bound, so that no gap’s cause is another', async () => {
    for (const name of runs) {
      const { trace } = await opened(bytesOf(name))
      const back = (await opened(traceEventText(trace))).trace
      expectSame(trace, back)
      const [before, after] = [placeTrace(trace), placeTrace(back)]
      const gapsOf = (placed: PlacedTrace) =>
        [
          ...findGaps(placed).map(plainGap),
          ...summariseDevices(placed).flatMap(({ gaps }) => gaps.map(plainGap)),
        ].map((gap) => ({
          ...gap,
          // Host times are whole ns in such a file, so that a last digit in words may differ; spans
          // and names are in another order.
          evidence: '',
          lane: 0,
          variant: 0,
          spans: [],
          before: 0,
          after: 0,
        }))
      expect(gapsOf(before).length).toBeGreaterThan(50)
      const inOrder = (placed: PlacedTrace) =>
        gapsOf(placed)
          .map((gap) => JSON.stringify(gap))
          .sort()
      expect(inOrder(after), name).toEqual(inOrder(before))
      const device = (placed: PlacedTrace) =>
        placed.lanes.find(({ lane }) => placed.trace.lanes[lane]?.kind === 'device')
      const [edgesBefore, edgesAfter] = [before, after].map((placed) =>
        Array.from(device(placed)?.span ?? [], (span) => [
          ...placed.edgeBoundNs(span, 'start'),
          ...placed.edgeBoundNs(span, 'end'),
        ]),
      )
      expect(edgesAfter).toEqual(edgesBefore)
    }
  })

  it('that end early are read as far as they go', async () => {
    const whole = file(slice, { ...slice, ts: 20 }, { ...slice, ts: 30 })
    const { trace, skipped } = await opened(whole.slice(0, -20))
    expect(trace.spans.length).toBe(2)
    expect(skipped).toMatchObject([{ count: null, firstEvent: 2, firstByte: whole.lastIndexOf('{') }])
  })

  it('lose an event that is not JSON, wherever it stands, and no other', async () => {
    const good = JSON.stringify(slice)
    const nested = `{"ph":"X","name":"a"b","args":{"list":[{"c":1},{"d":2}]}}`
    for (const bad of ['{"ph":"X" "name":1}', '{"ph":"X","name":"{"a": 1}"}', '{"ts":nan}', nested])
      for (const events of [
        `${bad},${good},${good}`,
        `${good},${bad},\n ${good}`,
        `${good},${good},${bad}`,
      ]) {
        const { skipped, trace } = await opened(`{"traceEvents":[${events}],"displayTimeUnit":"ms"}`)
        expect(trace.spans.length, events).toBe(2)
        expect(skipped, events).toMatchObject([
          { count: 1, reason: expect.stringContaining('is not JSON') as string },
        ])
      }
  })

  it('that are no JSON from some event on are read as far as they go', async () => {
    const broken = `[${JSON.stringify(slice)},{"ph":"X" "name":1`
    const { skipped, trace } = await opened(broken)
    expect(trace.spans.length).toBe(1)
    expect(skipped[0]).toMatchObject({ count: null, firstEvent: 1, firstByte: broken.lastIndexOf('{') })
    expect(await refused('[{"ph":"X" "name":1}')).toMatch(/^Event 0 \(from byte 1\) is not JSON: byte 11\.$/)
  })

  it('made of faults cost no more than a bounded number of looks', async () => {
    const faults = '{"ph":"X","args":[' + '"},{"ph":[['.repeat(30_000)
    expect(await refused(`[${faults}`)).toContain('Event 0')
  })

  it('that are something else are refused in a sentence', async () => {
    expect(await refused('')).toBe('The file is empty.')
    expect(await refused('hello')).toContain('neither')
    expect(await refused('{"a":[1,2]}')).toContain('no list of trace events')
    expect(await refused('{"traceEvents":[1,2]}')).toContain('event 0 (byte 16)')
    expect(await refused('{"traceEvents":')).toContain('ends at byte')
    expect(await refused(Uint8Array.of(0x89, 0x48))).toContain('not a run')
    expect(await refused(gzipSync(file(slice)).subarray(0, 40))).toContain('gzip')
    expect(await refused('['.repeat(1e6))).toContain('No trace event')
    expect(
      (await opened(`[${'['.repeat(1e5)}${']'.repeat(1e5)},${JSON.stringify(slice)}]`)).skipped,
    ).toHaveLength(1)
  })

  it('are given up when the reader is told to', async () => {
    const many = new TextEncoder().encode(file(...Array.from({ length: 60_000 }, () => slice)))
    const abort = new AbortController()
    const shares: number[] = []
    const result = await openTraceFile(many, {
      signal: abort.signal,
      onProgress: (share) => {
        shares.push(share)
        abort.abort()
      },
    })
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(shares).toHaveLength(1)
    expect(shares[0]).toBeGreaterThan(0)
  })
})

/** What the export says of a trace is what comes back of it. */
function expectSame(trace: Trace, back: Trace): void {
  const layout = layOut(placeTrace(trace))
  const nameOf = (lane: number) => trace.lanes[lane]?.name ?? ''
  const text = (index = -1) => trace.strings[index] ?? ''
  // What is on a device comes back in its raw ticks, which are whole; the slices are drawn one
  // after the other.
  const isOnDevice = (of: Trace, span: number) =>
    of.clocks[of.lanes[of.spans.lane[span] ?? -1]?.clock ?? -1]?.kind === 'device'
  const wanted = [...layout.slices.values()].flat().map(({ span, kind, startNs, endNs }) => ({
    isOnDevice: isOnDevice(trace, span),
    name: text(trace.spans.name[span]) || kind,
    lane: nameOf(trace.spans.lane[span] ?? -1),
    laneKind: trace.lanes[trace.spans.lane[span] ?? -1]?.kind,
    kind,
    role: SPAN_ROLES[trace.spans.role[span] ?? -1],
    start: isOnDevice(trace, span) ? Math.round(trace.spans.start[span] ?? 0) : startNs + layout.zeroNs,
    end: isOnDevice(trace, span) ? Math.round(trace.spans.end[span] ?? 0) : endNs + layout.zeroNs,
    submission: Math.max(-1, trace.spans.submission[span] ?? -1),
    step: Math.max(-1, trace.spans.step[span] ?? -1),
    line: trace.spans.line[span],
    bytes: trace.spans.bytes[span],
    source: trace.spans.source[span],
    repeat: trace.spans.repeat[span],
    variant: text(trace.spans.variant[span]),
    flops: trace.spans.flops[span],
  }))
  const found = rows(back).map((row, span) => ({
    isOnDevice: isOnDevice(back, span),
    ...row,
    source: back.spans.source[span],
    repeat: back.spans.repeat[span],
    variant: back.strings[back.spans.variant[span] ?? -1] ?? '',
    flops: back.spans.flops[span],
  }))
  // A pass is 'compute' wherever it was recorded; a float of µs is exact to a thousandth of a ns
  // here.
  const key = (row: (typeof wanted)[number] | (typeof found)[number]) =>
    JSON.stringify({ ...row, start: row.start.toFixed(2), end: row.end.toFixed(2) })
  expect(found.map(key).sort()).toEqual(wanted.map(key).sort())
  expect(back.lanes.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    trace.lanes.map(({ kind, name }) => `${kind} ${name}`).sort(),
  )
  const drawn = arrows(trace, layout).arrows
  expect(
    flowsOf(back)
      .map(([kind]) => kind)
      .sort(),
  ).toEqual(drawn.map(({ kind }) => kind).sort())
  expect(back.counters.reduce((sum, { length }) => sum + length, 0)).toBe(
    trace.counters.reduce((sum, { length }) => sum + length, 0),
  )
}
