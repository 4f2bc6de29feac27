import { describe, expect, it } from 'vitest'
import { clockText, describeTarget } from './describe'
import { THIN } from './format'
import { rowKey, tableInView } from './table'
import { SPAN_SOURCES } from '../trace/schema'
import { Fixture, twoSubmissions } from './testing/fixture'

const plain = (text: string | undefined) => text?.replaceAll(THIN, ' ')

describe('describeTarget', () => {
  it('says a pass with its bounds, its clock and its work', () => {
    const { data, spans } = twoSubmissions()
    const description = describeTarget(data, { type: 'span', span: spans['pass 1'] ?? -1 })
    expect(plain(description?.spoken)).toBe(
      'compute pass matmul, submission 1, 0.100 ms, ± 1 ns, variant every-step, repeat 1',
    )
    const facts = Object.fromEntries(
      description?.facts.map(({ label, value }) => [label, plain(value)]) ?? [],
    )
    expect(facts['start']).toBe('0.330 ms, \u22120.200 µs to +0.300 µs')
    expect(facts['bytes']).toBe('195 KiB, 2.00 GB/s')
    expect(facts['work']).toBe('10.0 GFLOP/s')
    expect(facts['belongs to']).toBe('every-step, repeat 1, step 2')
  })

  it('gives a gap its cause and its evidence', () => {
    const { data } = twoSubmissions()
    const description = describeTarget(data, { type: 'gap', gap: 0 })
    expect(plain(description?.spoken)).toBe(
      'device idle for 0.200 ms, host waited, every-step, repeat 1. The host awaited submission 0.',
    )
    expect(description?.facts[0]?.note).toBe('The host awaited submission 0.')
  })

  it('never says NaN, undefined or null', () => {
    const { data } = twoSubmissions()
    for (let span = 0; span < data.placed.trace.spans.length; span += 1)
      expect(JSON.stringify(describeTarget(data, { type: 'span', span }))).not.toMatch(/NaN|undefined/)
    expect(describeTarget(data, { type: 'span', span: 999 })).toBeNull()
    expect(describeTarget(data, { type: 'gap', gap: 9 })).toBeNull()
  })

  it('tells a span that could not be placed from one at time 0', () => {
    const { data, spans } = twoSubmissions()
    const startNs = data.placed.startNs.slice().fill(NaN)
    const lost = { ...data, placed: { ...data.placed, startNs } }
    const description = describeTarget(lost, { type: 'span', span: spans['pass 0'] ?? -1 })
    expect(description?.facts.find(({ label }) => label === 'start')?.value).toBe('not placed')
    expect(plain(description?.spoken)).toContain('0.100 ms')
  })
})

describe('an imported trace', () =>
  it('speaks of the one clock it has, and of no fit', () => {
    const { data, spans } = twoSubmissions()
    const { trace } = data.placed
    const imported = {
      ...data,
      placed: {
        ...data.placed,
        trace: {
          ...trace,
          clocks: trace.clocks.filter(({ kind }) => kind === 'host'),
          lanes: trace.lanes.map((lane) => ({ ...lane, clock: 0 })),
          spans: { ...trace.spans, source: trace.spans.source.map(() => SPAN_SOURCES.indexOf('imported')) },
        },
      },
    }
    expect(clockText(imported)).toContain('on one clock')
    const described = [
      describeTarget(imported, { type: 'span', span: spans['pass 0'] ?? -1 }),
      describeTarget(imported, { type: 'gap', gap: 0 }),
    ]
    const notes = described.flatMap((of) => of?.facts.map(({ note }) => note ?? '') ?? []).join(' ')
    expect(notes).toContain('host and device alike')
    expect(notes).not.toMatch(/fit|device clock/)
  }))

it('clockText tells fitted, waiting, absent and unfit apart', () => {
  const { data } = twoSubmissions()
  expect(plain(clockText(data))).toMatch(/fitted, edges \u22120\.200 µs to \+/)
  const lanes = data.placed.trace.lanes.filter(({ kind }) => kind !== 'device')
  const without = { ...data, placed: { ...data.placed, trace: { ...data.placed.trace, lanes } } }
  expect(clockText(without)).toContain('no device clock')
  expect(clockText({ ...without, live: true })).toContain('waiting')
  expect(clockText({ ...data, placed: { ...data.placed, fits: [null, null] } })).toContain('does not fit')
})

describe('tableInView', () => {
  const all = { startNs: -Infinity, endNs: Infinity }
  const byStart = { column: 'start', descending: false } as const

  it('has every span and gap in view, sorted either way, any part of them alike', () => {
    const { data } = twoSubmissions()
    for (const column of ['start', 'duration'] as const)
      for (const descending of [false, true]) {
        const { rows, total } = tableInView(data, all, { column, descending })
        expect(total).toBe(data.placed.trace.spans.length + 1)
        const whole = rows(0, total)
        expect(new Set(whole.map(({ target }) => rowKey(target))).size).toBe(total)
        const table = tableInView(data, all, { column, descending })
        const parts = Array.from({ length: total }, (_, at) => table.rows(at, at + 1)).flat()
        expect(parts).toEqual(whole)
        expect(whole.map(({ target }) => table.indexOf(target))).toEqual([...whole.keys()])
      }
    const longest = tableInView(data, all, { column: 'duration', descending: true }).rows(0, 1)
    expect(longest[0]?.kind).toBe('one repeat of a variant')
  })

  it('keeps to the view', () => {
    const { data } = twoSubmissions()
    const { rows, total, indexOf } = tableInView(data, { startNs: 500_000, endNs: 600_000 }, byStart)
    const late = rows(0, total)
    expect(late.every(({ startNs, durationNs }) => startNs + durationNs >= 500_000)).toBe(true)
    expect(late.some(({ kind }) => kind === 'idle')).toBe(false)
    expect(total).toBeLessThan(tableInView(data, all, byStart).total)
    expect(indexOf({ type: 'gap', gap: 0 })).toBe(-1)
    expect(indexOf(null)).toBe(-1)
    expect(tableInView(new Fixture().data(), all, byStart).total).toBe(0)
  })
})
