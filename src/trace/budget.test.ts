/**
 * Files of a few kB that cost gigabytes or minutes, each refused before there is room for it, with
 * the limit in the sentence.
 */
import { describe, expect, it } from 'vitest'
import { Budget, LIMITS, mostEvents, OverBudget } from './budget'
import { encodeRun, decodeRun } from './codec'
import { gunzipBytes, gzipBytes } from './gzip'
import { newBuilder } from './testing/arbitrary-trace'
import * as v from 'valibot'
import { record } from '../base/shape'
import { TRACE_VERSION } from './schema'

const MAGIC = [0x89, 0x48, 0x44, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a]

function rawFile(head: unknown, data = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(typeof head === 'string' ? head : JSON.stringify(head))
  const base = Math.ceil((16 + header.length) / 8) * 8
  const bytes = new Uint8Array(base + data.length)
  bytes.set(MAGIC)
  const view = new DataView(bytes.buffer)
  view.setUint32(8, TRACE_VERSION, true)
  view.setUint32(12, header.length, true)
  bytes.set(header, 16)
  bytes.set(data, base)
  return bytes
}

interface Head {
  header: Record<string, unknown>
  tables: Record<string, { length: number; columns: Record<string, { type: string; offset: number }> }>
}

/** A sound file with its header, or its data, changed. */
function tampered(file: Uint8Array, change: (head: Head, data: Uint8Array) => void): Uint8Array<ArrayBuffer> {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(12, true)
  const head: unknown = JSON.parse(new TextDecoder().decode(file.subarray(16, 16 + length)))
  if (!v.is(record, head)) throw new Error('this is no file of the lab')
  const data = file.slice(Math.ceil((16 + length) / 8) * 8)
  change(head as unknown as Head, data)
  return rawFile(head, data)
}

/** 'ok', or the code and the sentence. */
async function outcome(file: Uint8Array): Promise<string> {
  const read = await decodeRun(file)
  return read.ok ? 'ok' : `${read.error.code}: ${read.error.message}`
}

function sample(): Uint8Array {
  const builder = newBuilder()
  for (let at = 0; at < 8; at += 1)
    builder.addSpan({ lane: 0, kind: 'host-work', name: 'work', start: at + 0.5, end: at + 0.75 })
  builder.addInstant({ lane: 0, time: 1, name: 'mark' })
  builder.addCounterSample(0, 1, 2)
  return encodeRun({ trace: builder.freeze(), report: null })
}

describe('a budget', () => {
  it('is spent over several files, and gives back what a refused one spent', () => {
    const budget = new Budget()
    budget.spend('bytes', 1e9)
    const undo = budget.mark()
    budget.spend('bytes', 1e9)
    expect(budget.left('bytes')).toBe(0)
    expect(() => budget.spend('bytes', 1)).toThrow(
      '2,000,000,001 bytes, inflated, where at most 2,000,000,000 are read',
    )
    undo()
    expect(budget.left('bytes')).toBe(1e9)
    expect(new Budget(5).left('bytes')).toBe(5)
    expect(() => budget.spend('rows', Number.NaN)).toThrow(OverBudget)
  })

  it('lets as many events be as the bytes can hold, and a few more', () => {
    expect(mostEvents(0)).toBe(2 ** 18)
    expect(mostEvents(2 ** 27)).toBe(2 ** 21)
    expect(mostEvents(2 ** 40)).toBe(LIMITS.events.most)
  })
})

describe('a file of the lab’s own', () => {
  it('is sound as it is written', async () => expect(await outcome(sample())).toBe('ok'))

  it.each([
    ['start', -1e21],
    ['end', 1e21],
    ['start', -1.5 * 2 ** 53],
  ])('with a span’s %s at %d ns is too large', async (name, time) => {
    const file = tampered(sample(), ({ tables }, data) => {
      const column = tables['spans']?.columns[name]
      new DataView(data.buffer).setFloat64((column?.offset ?? 0) + 8 * (name === 'start' ? 0 : 7), time, true)
    })
    expect(await outcome(file)).toMatch(
      /^too-large: The file is too large: -?(1\.00e\+21|1\.35e\+16) ns from zero, where at most 9,007,199,254,740,992 are read\.$/,
    )
  })

  it('with an instant, a sample, a bracket or a clock step off the axis is too large', async () => {
    const off = 2 ** 54
    const { trace } = { trace: newBuilder().freeze() }
    const clock = trace.clocks.findIndex(({ kind }) => kind === 'device')
    const bracket = { clock, hostBeforeNs: 0, beginTick: 1, endTick: 2, hostAfterNs: off }
    const instant = newBuilder()
    instant.addInstant({ lane: 0, time: off, name: 'mark' })
    const counter = newBuilder()
    counter.addCounterSample(0, -off, 2)
    const traces = [
      instant.freeze(),
      counter.freeze(),
      { ...trace, snapshots: [bracket] },
      { ...trace, clocks: trace.clocks.map((each) => ({ ...each, stepNs: off })) },
    ]
    for (const each of traces)
      expect(await outcome(encodeRun({ trace: each, report: null }))).toContain('ns from zero')
  })

  it('whose columns lie on each other is refused: each would be a copy of its own', async () => {
    const file = tampered(sample(), ({ tables }) => {
      for (let table = 0; table < 500; table += 1)
        tables[`more ${String(table)}`] = { length: 8, columns: { a: { type: 'f64', offset: 4 } } }
    })
    expect(await outcome(file)).toBe('damaged: The file is damaged: its tables hold more than it has bytes.')
  })

  it('whose counters share a column is refused, and so are more than can be drawn', async () => {
    const shared = tampered(sample(), ({ header, tables }) => {
      const counter = tables['counter 0'] ?? { length: 0, columns: {} }
      header['counters'] = Array.from({ length: 900 }, () => ({ name: 'c', unit: '', lane: 0 }))
      for (let at = 0; at < 900; at += 1) tables[`counter ${String(at)}`] = counter
    })
    expect(await outcome(shared)).toContain('hold more than it has bytes')
    const many = tampered(sample(), ({ header, tables }) => {
      header['counters'] = Array.from({ length: 5000 }, () => ({ name: 'c', unit: '', lane: 0 }))
      for (let at = 0; at < 5000; at += 1)
        tables[`counter ${String(at)}`] = { length: 0, columns: { a: { type: 'u8', offset: 0 } } }
    })
    expect(await outcome(many)).toMatch(/^too-large: .* 4,98\d counters, where at most 1,000 are read\.$/)
  })

  it('whose rows have no columns is refused: they would cost no bytes', async () => {
    const file = tampered(sample(), ({ tables }) => (tables['more'] = { length: 2 ** 40, columns: {} }))
    expect(await outcome(file)).toBe('damaged: The file is damaged: its table ‘more’ is none.')
  })

  it('with more rows, names, lanes or clocks than can be read is too large, with how many', async () => {
    const rows = LIMITS.rows.most + 1
    const table = { length: rows, columns: { a: { type: 'u8', offset: 0 } } }
    expect(await outcome(rawFile({ header: {}, tables: { a: table } }, new Uint8Array(rows)))).toBe(
      'too-large: The file is too large: 16,777,217 rows, where at most 16,777,216 are read.',
    )
    const many = (part: string, count: number, of: unknown) =>
      outcome(tampered(sample(), ({ header }) => (header[part] = Array.from({ length: count }, () => of))))
    expect(await many('strings', LIMITS.names.most + 1, '')).toContain('2,097,153 names')
    expect(await many('lanes', 65_536, 0)).toContain('65,536 lanes, where at most 10,000 are read')
    expect(await many('clocks', 1001, 0)).toContain('1,001 clocks')
  })

  it('with a name or a text without end is too large', async () => {
    const long = 'a'.repeat(50e6)
    const named = tampered(sample(), ({ header }) => (header['strings'] = [long]))
    expect(await outcome(named)).toContain('50,000,000 characters in one name, where at most 10,000 are read')
    const told = tampered(
      sample(),
      ({ header }) => (header['info'] = { experiment: [[{ [long.slice(0, 2e6)]: 1 }]] }),
    )
    expect(await outcome(told)).toContain('2,000,000 characters in one text')
    expect(await outcome(rawFile(`"${'a'.repeat(2 ** 26)}"`))).toContain('67,108,866 bytes of header')
  })
})

describe('a gzip', () => {
  it('that inflates to more than is read is too large, not damaged, and says how large', async () => {
    const bomb = await gzipBytes(new Uint8Array(2e6))
    await expect(gunzipBytes(bomb, 1e6)).rejects.toThrow('2,000,000 bytes, inflated, where at most 1,000,000')
    // 2.2 GB, told by its last four bytes: no more of it is needed to refuse it.
    const large = new Uint8Array(2.2e6)
    large.set(bomb.subarray(0, bomb.length - 4))
    new DataView(large.buffer).setUint32(large.length - 4, 2.2e9, true)
    expect(await outcome(large)).toBe(
      'too-large: The file is too large: 2,200,000,000 bytes, inflated, where at most 2,000,000,000 are read.',
    )
  })

  it('that lies about its size is found out while it inflates', async () => {
    const bomb = await gzipBytes(new Uint8Array(2e6))
    for (const lie of [0, 5, 1e6]) {
      const lying = bomb.slice()
      new DataView(lying.buffer).setUint32(lying.length - 4, lie, true)
      await expect(gunzipBytes(lying, 1e6)).rejects.toThrow('more than 1,000,000 bytes, inflated')
    }
    expect(await gunzipBytes(await gzipBytes(new Uint8Array()))).toHaveLength(0)
  })
})
