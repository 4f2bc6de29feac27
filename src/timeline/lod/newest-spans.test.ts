import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NewestSpans } from './newest-spans'
import { arbitraryTrace } from '../../trace/testing/arbitrary-trace'

it('is the trace itself while that is short, and then its end, with span numbers that only a jump changes', () =>
  fc.assert(
    fc.property(arbitraryTrace, fc.integer({ min: 1, max: 10 }), (trace, keep) => {
      const window = new NewestSpans(keep)
      const { spans, flows } = trace
      const cut = (length: number) => ({ ...trace, spans: { ...spans, length } })
      let before = 0
      for (let length = 0; length <= spans.length; length += 1) {
        const newest = window.of(cut(length))
        const first = window.omitted
        expect(newest.spans.length).toBe(length - first)
        expect(newest.spans.length).toBeLessThanOrEqual(2 * keep)
        if (first !== before) expect(newest.spans.length).toBe(keep)
        before = first
      }
      const newest = window.of(trace)
      const first = window.omitted
      expect([...newest.spans.start.subarray(0, newest.spans.length)]).toEqual([
        ...spans.start.subarray(first, spans.length),
      ])
      const inside = [...flows.from.keys()].filter(
        (flow) => flow < flows.length && (flows.from[flow] ?? 0) >= first && (flows.to[flow] ?? 0) >= first,
      )
      expect(newest.flows.length).toBe(inside.length)
      for (const [at, flow] of inside.entries()) {
        expect((newest.flows.from[at] ?? 0) + first).toBe(flows.from[flow])
        expect((newest.flows.to[at] ?? 0) + first).toBe(flows.to[flow])
      }
    }),
  ))
