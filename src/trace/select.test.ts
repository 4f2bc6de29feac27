import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRun, encodeRun } from './codec'
import type { Trace } from './schema'
import { selectSpans } from './select'
import { arbitraryTrace } from './testing/arbitrary-trace'

const plain = ({ spans, strings, lanes }: Trace) =>
  Array.from({ length: spans.length }, (_, row) => ({
    lane: lanes[spans.lane[row] ?? -1]?.name,
    name: strings[spans.name[row] ?? -1],
    variant: strings[spans.variant[row] ?? -1],
    start: spans.start[row],
    end: spans.end[row],
    kind: spans.kind[row],
    role: spans.role[row],
    line: spans.line[row],
    repeat: spans.repeat[row],
    bytes: spans.bytes[row],
  }))

describe('part of a trace', () => {
  it('is the whole where everything is taken', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const all = selectSpans(trace, {})
        expect(plain(all)).toEqual(plain(trace))
        expect({ ...all.flows }).toEqual({ ...trace.flows })
        expect(all.counters).toEqual(trace.counters)
      }),
    )
  })

  it('is a sound trace with those spans, in their order, and no other string', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryTrace,
        fc.func(fc.boolean()),
        fc.subarray([0, 1, 2, 3]),
        async (trace, pick, lanes) => {
          const isKept = (row: number) => pick(row) && lanes.includes(trace.spans.lane[row] ?? -1)
          const part = selectSpans(trace, { span: pick, lane: ({ id }) => lanes.includes(id) })
          expect(plain(part)).toEqual(plain(trace).filter((_, row) => isKept(row)))
          const { operation, group, ranks, dtype, span } = part.collectives
          const { name, variant } = part.spans
          const named = new Set(
            [name, part.instants.name, variant, operation, group, ranks, dtype].flatMap((column) => [
              ...column,
            ]),
          )
          named.delete(-1)
          expect(part.strings).toHaveLength(named.size)
          const pairs = Array.from(
            trace.flows.from,
            (from, row) => [from, trace.flows.to[row] ?? -1] as const,
          )
          expect(part.flows.length).toBe(pairs.filter(([from, to]) => isKept(from) && isKept(to)).length)
          expect(span).toHaveLength([...trace.collectives.span].filter(isKept).length)
          // The codec refuses any index that points at nothing.
          expect((await decodeRun(encodeRun({ trace: part, report: null }))).ok).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('drops samples and instants outside its range', () => {
    fc.assert(
      fc.property(arbitraryTrace, fc.double({ min: 0, max: 1e11, noNaN: true }), (trace, middle) => {
        const part = selectSpans(trace, { range: [middle, Infinity] })
        expect(part.spans.length).toBe(trace.spans.length)
        for (const { timeNs } of part.counters) expect(timeNs.every((at) => at >= middle)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})
