import { csvParse } from 'd3-dsv'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeTrace } from '../place'
import { SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES } from '../schema'
import { arbitraryTrace, newBuilder } from '../testing/arbitrary-trace'
import { spansCsvParts } from './spans-csv'
import { spansCsvText, plainText } from './testing/whole-text'

const HEAD =
  'span,group,lane,kind,source,name,start_ns,end_ns,duration_ns,start_bound_before_ns,start_bound_after_ns,' +
  'end_bound_before_ns,end_bound_after_ns,variant,repeat,step,submission,bytes,flops,role,line'

const unmarked = (cell: string | undefined): string => plainText(cell ?? '')
const numberOf = (cell: string | undefined): number => (cell === '' ? Number.NaN : Number(cell))

it('comes back cell by cell, whatever the names hold', () => {
  fc.assert(
    fc.property(arbitraryTrace, (trace) => {
      const rows = csvParse(spansCsvText(trace))
      expect(rows.columns.join()).toBe(HEAD)
      expect(rows).toHaveLength(trace.spans.length)
      const placed = placeTrace(trace)
      const { spans, strings, lanes } = trace
      for (const [span, row] of rows.entries()) {
        expect(numberOf(row['span'])).toBe(span)
        expect(unmarked(row['lane'])).toBe(lanes[spans.lane[span] ?? -1]?.name)
        expect(unmarked(row['name'])).toBe(strings[spans.name[span] ?? -1])
        expect(row['kind']).toBe(SPAN_KINDS[spans.kind[span] ?? -1])
        expect(row['source']).toBe(SPAN_SOURCES[spans.source[span] ?? -1])
        expect(numberOf(row['start_ns'])).toBe(placed.startNs[span])
        expect(numberOf(row['end_ns'])).toBe(placed.endNs[span])
        expect(numberOf(row['bytes'])).toBe(spans.bytes[span])
        expect(numberOf(row['flops'])).toBe(spans.flops[span])
        expect(row['role'] || 'none').toBe(SPAN_ROLES[spans.role[span] ?? -1])
        expect(Number(row['line'] || -1)).toBe(spans.line[span])
        const [step, repeat] = [spans.step[span] ?? -1, spans.repeat[span] ?? -1]
        expect(row['step']).toBe(step === -1 ? '' : String(step))
        expect(row['repeat']).toBe(repeat === -1 ? '' : String(repeat))
      }
    }),
    { numRuns: 100 },
  )
})

it('gives no spreadsheet a formula to run', () => {
  const builder = newBuilder()
  const names = [
    '=HYPERLINK("x")',
    "'=1",
    '+1',
    '-1',
    '@a',
    '\t=1',
    'a,"b"\r\nc',
    '＝1',
    ' =1',
    // Lines and cells within the cell, as a spreadsheet sees them that takes the semicolon for the
    // comma.
    '\n=1',
    'a\n=1',
    ';=1',
    'a;=1',
    'a; "=1',
    "a;'=1",
    ';;-1',
    'a\t@b',
    "a\n'+1",
  ]
  for (const name of names) builder.addSpan({ lane: 0, kind: 'host-work', name, start: 0, end: 1 })
  const rows = csvParse(spansCsvText(builder.freeze()))
  for (const { name } of rows) expect(name).not.toMatch(FORMULA)
  expect(rows.map(({ name = '' }) => plainText(name))).toEqual(names)
})

/** A formula where a cell may begin. */
const FORMULA = /^[\t\r\n]|(?:^|[;\t\r\n])[\s"]*[=+\-@＝＋－＠]/u

it('gives none, and loses nothing, whatever the name', () => {
  const letters = fc.constantFrom("'", '=', '+', '-', '@', ';', ' ', '"', '\t', '\r', '\n', 'a', ',', '＝')
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 12 }), (name) => {
      const builder = newBuilder()
      builder.addSpan({ lane: 0, kind: 'host-work', name, start: 0, end: 1 })
      const [row] = csvParse(spansCsvText(builder.freeze()))
      expect(row?.name).not.toMatch(FORMULA)
      expect(plainText(row?.name ?? '')).toBe(name)
    }),
    { numRuns: 2000 },
  )
})

it('is written in parts, and has a head where there is no span', () => {
  expect(spansCsvText(newBuilder().freeze())).toBe(`${HEAD}\r\n`)
  const builder = newBuilder()
  for (let span = 0; span < 25_000; span += 1)
    builder.addSpan({ lane: 0, kind: 'host-work', name: 'w', start: span, end: span + 1 })
  const parts = [...spansCsvParts(builder.freeze())]
  expect(parts).toHaveLength(3)
  expect(csvParse(parts.join(''))).toHaveLength(25_000)
})
