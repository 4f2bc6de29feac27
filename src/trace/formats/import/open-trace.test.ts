import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openTraceFile } from './open-trace'
import { opened, refused, rows } from './testing/read-back'

const file = (...events: readonly unknown[]) => JSON.stringify({ traceEvents: events })
const slice = { ph: 'X', name: 'a', pid: 1, tid: 1, ts: 10, dur: 5 }

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

  it('count each of several events in a row that are not JSON', async () => {
    const [good, bad] = [JSON.stringify(slice), '{"ph":"X","name":"a"b","args":{"c":[{"d":1},{"d":2}]}}']
    for (const end of ['', `,${good},7`]) {
      const { skipped, trace } = await opened(`[${good},${bad},${bad},${bad}${end}]`)
      expect(trace.spans.length).toBe(end === '' ? 1 : 2)
      expect(skipped[0]).toMatchObject({ count: 3, firstEvent: 1 })
      expect(skipped[1]?.firstEvent).toBe(end === '' ? undefined : 5)
    }
  })

  it('lose what is not JSON before the list of events, and no event', async () => {
    for (const bad of ['"a": nope', '"a": "b "c" d"', '"traceEvents" none']) {
      const text = `{"schemaVersion":1, ${bad}, ${file(slice, slice).slice(1)}`
      const { skipped, trace, format } = await opened(text)
      expect([trace.spans.length, format], bad).toEqual([2, 'torch-profiler'])
      expect(skipped, bad).toMatchObject([
        { count: 0, reason: expect.stringContaining('before the list') as string },
      ])
    }
  })

  it('that go on after their end say so', async () => {
    for (const whole of [file(slice), `[${JSON.stringify(slice)}]`]) {
      const { skipped, trace } = await opened(`${whole}\n${whole}`)
      expect(trace.spans.length).toBe(1)
      expect(skipped).toMatchObject([{ count: null, firstEvent: 1, firstByte: whole.length + 1 }])
      expect((await opened(`${whole}\r\n `)).skipped).toEqual([])
    }
  })

  it('that are no JSON from some event on are read as far as they go', async () => {
    const broken = `[${JSON.stringify(slice)},{"ph":"X" "name":1`
    const { skipped, trace } = await opened(broken)
    expect(trace.spans.length).toBe(1)
    expect(skipped[0]).toMatchObject({ count: null, firstEvent: 1, firstByte: broken.lastIndexOf('{') })
    expect(await refused('[{"ph":"X" "name":1}')).toMatch(/^Event 0 \(from byte 1\) is not JSON: byte 11\.$/)
  })

  it('are not said to be whole where the end of the events is guessed', async () => {
    const { skipped, trace } = await opened(
      `{"traceEvents":[${JSON.stringify(slice)},{"ph":"X","a":"b"c","d":[{"e":1}] f "ph":"X",{"ph"`,
    )
    expect(trace.spans.length).toBe(1)
    expect(skipped).toMatchObject([{ count: 1 }, { count: null }])
  })

  it('made of faults cost no more than a bounded number of looks', async () => {
    const faults = '{"ph":"X","args":[' + '"},{"ph":[['.repeat(30_000)
    expect(await refused(`[${faults}`)).toContain('Event 0')
  })

  it('are the same in pieces of any size', async () => {
    const bad = '{"ph":"X","name":"a"b","args":{"list":[{"c":1},{"d":2}]}}'
    const named = { ...slice, name: 'größer "als"', args: { 'Input Dims': [[2, 3]], correlation: 7 } }
    const events = [slice, bad, named, { ...slice, ph: 'i' }].map((event) =>
      typeof event === 'string' ? event : JSON.stringify(event),
    )
    const text = `{"schemaVersion":1,"deviceProperties":[{"name":"GPU"}], "traceEvents" : [ ${events.join(' ,\n')} ],"traceName":"t"}`
    for (const whole of [
      text,
      text.replace('1,', 'x y,'),
      text.slice(0, -60),
      `${text.slice(0, -20)}x`,
      text.replace('[ {', '{'),
    ]) {
      const bytes = new TextEncoder().encode(whole)
      const read = (from: number, to: number) => Promise.resolve(bytes.subarray(from, to))
      const wanted = await openTraceFile(bytes)
      for (let pieceBytes = 1; pieceBytes < 40; pieceBytes += 1)
        expect(await openTraceFile({ size: bytes.length, read, pieceBytes })).toEqual(wanted)
    }
  })

  it('that are something else are refused in a sentence', async () => {
    expect(await refused('')).toBe('The file is empty.')
    expect(await refused('hello')).toContain('neither')
    expect(await refused(JSON.stringify({ a: { traceEvents: [slice] } }))).toMatch(
      /no list of trace events.*at its top level: open the file as/,
    )
    expect(await refused('{"traceEvents":[1,2]}')).toContain('event 0 (byte 16)')
    expect(await refused('{"traceEvents":')).toContain('ends at byte')
    expect(await refused(Uint8Array.of(0x89, 0x48))).toContain('not a run')
    expect(await refused(gzipSync(file(slice)).subarray(0, 40))).toMatch(
      /cut or damaged before its first event.*gzip.*record again/,
    )
    expect(await refused('['.repeat(1e6))).toContain('No trace event')
    expect(
      (await opened(`[${'['.repeat(1e5)}${']'.repeat(1e5)},${JSON.stringify(slice)}]`)).skipped,
    ).toHaveLength(1)
  })
})

/** What the export says of a trace is what comes back of it. */

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : part,
    ),
  )
const SQLITE = 'SQLite format 3\0'
const TAR = bytes('x'.repeat(257), 'ustar')

describe('formats that are not read', () => {
  it.each([
    ['Perfetto', bytes([0x0a, 0x10, 0x32, 0x0e, 0x40, 0x00, 0x01]), /\.pftrace.*traceconv json/],
    ['XLA', bytes([0x0a, 0x9d, 0xb2, 0x08, 0x12, 0x0e], '/host:metadata'), /xplane\.pb.*\.trace\.json\.gz/],
    ['Nsight’s export', bytes(SQLITE, 'CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL'), /Nsight.*torch\.profiler/],
    ['rocprofv3’s database', bytes(SQLITE, 'CREATE TABLE rocpd_kernel'), /rocprofv3.*--output-format/],
    ['any database', bytes(SQLITE, [0, 1, 2]), /SQLite.*torch\.profiler/],
    ['Nsight’s report', bytes([0x4e, 0x00, 0x01, 0x02, 0xff]), /\.nsys-rep.*torch\.profiler/],
    ['a snapshot of memory', bytes([0x80, 0x04, 0x95, 0x10]), /pickle.*memory_viz/],
    ['an older pickle', bytes([0x80, 0x02, 0x7d]), /pickle/],
    ['a snapshot as JSON', bytes('{"segments":[],"device_traces":[]}'), /snapshot of memory/],
    ['a memory timeline', bytes('[[-1, 1, 512, 7], [-1, 1, 512, 7]]'), /memory timeline/],
    ['rocprofv3', bytes('{"rocprofiler-sdk-tool":[{}]}'), /rocprofv3’s JSON.*export_chrome_trace/],
    ['an execution trace', bytes('{"schema":"1.0.1","nodes":[{}]}'), /execution trace.*export_chrome_trace/],
    ['Chakra’s JSON', bytes('{"workload_graph":[{"Id":216}]}'), /execution trace.*export_chrome_trace/],
    [
      'Chakra’s protobuf',
      bytes([0x5e, 0x12, 0x10, 0x0a, 6], 'schema', [0xea, 1, 5]),
      /execution trace.*export_chrome/,
    ],
    ['gzip in gzip', gzipSync('[]'), /gzipped twice.*gunzip/],
    ['UTF-16', bytes([0xff, 0xfe], '[\0'), /UTF-16.*save it as UTF-8/],
    ['UTF-16 of the other order', bytes([0xfe, 0xff], '\0['), /UTF-16/],
    ['Git LFS', bytes('version https://git-lfs.github.com/spec/v1\n'), /Git LFS.*git lfs pull/],
    ['zstd', bytes([0x28, 0xb5, 0x2f, 0xfd, 0x00]), /zstd.*unzstd/],
    ['xz', bytes([0xfd], '7zXZ', [0]), /xz.*unxz/],
    ['bzip2', bytes('BZh9'), /bzip2.*bunzip2/],
    ['ZIP', bytes('PK', [3, 4]), /ZIP archive: unpack/],
    ['tar', TAR, /tar archive: unpack/],
    ['a page', bytes('<!DOCTYPE html><p>'), /HTML.*export_chrome_trace/],
  ])('%s', async (_, file, sentence) => {
    const isGzip = file[0] === 0x1f
    for (const each of isGzip ? [gzipSync(file)] : [file, new Uint8Array(gzipSync(file))]) {
      const message = await refused(each)
      expect(message).toMatch(/^This is /)
      expect(message).toMatch(sentence)
    }
  })
})

it('a profile of MPS says that it holds no work of the GPU, and what records it', async () => {
  const event = (name: string) => ({ ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts: 1, dur: 2 })
  const file = (...names: readonly string[]) =>
    JSON.stringify({ schemaVersion: 1, traceEvents: names.map(event) })
  const { notes } = await opened(file('aten::mm', 'aten::_mps_convolution'))
  expect(notes).toEqual([expect.stringMatching(/MPS.*no GPU work.*torch\.mps\.profiler/) as string])
  expect((await opened(file('aten::mm'))).notes).toEqual([])
})
