import { describe, expect, it } from 'vitest'
import { TraceBuilder } from '../trace/builder'
import { placeTrace } from '../trace/place'
import type { SpanKind } from '../trace/schema'
import { newestRegion, regionShares } from './code-regions'
import { fakeInfo } from './testing/fake-client'

function traceOf(spans: readonly (readonly [SpanKind, string, number, number, number?])[]) {
  const builder = new TraceBuilder(fakeInfo(), { originMs: 0, stepNs: 5000 })
  const lane = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  for (const [kind, name, start, end, repeat = 0] of spans)
    builder.addSpan({ lane, kind, name, start, end, variant: 'never', repeat })
  return placeTrace(builder.freeze())
}

describe('newestRegion', () => {
  it('is that of the host span that ended last', () => {
    expect(newestRegion(traceOf([]))).toBeNull()
    expect(
      newestRegion(
        traceOf([
          ['encode', 'encode step 0', 0, 5],
          ['submit', 'submit step 0', 5, 8],
        ]),
      ),
    ).toBe('submit')
    expect(newestRegion(traceOf([['host-wait', 'await readback', 0, 9]]))).toBe('wait')
    expect(newestRegion(traceOf([['host-work', 'fill staging 0', 0, 9]]))).toBe('fill')
    expect(newestRegion(traceOf([['host-work', 'read the mapped range', 0, 9]]))).toBe('read')
  })
  it('is none while the run sets up or checks', () => {
    expect(newestRegion(traceOf([['encode', 'encode fill', 0, 9, -1]]))).toBeNull()
  })
  it('is none for what no line shows', () => {
    expect(newestRegion(traceOf([['window', 'never', 0, 9]]))).toBeNull()
  })
})

describe('regionShares', () => {
  const placed = traceOf([
    ['encode', 'encode', 0, 10],
    ['submit', 'submit', 10, 15],
    ['host-wait', 'await', 15, 95],
    ['window', 'never', 0, 100],
    ['host-wait', 'await', 200, 900, -2], // the warm-up counts nowhere
  ])
  it('are of the windows that count', () => {
    expect(regionShares(placed, 'never')).toEqual({ encode: 0.1, submit: 0.05, wait: 0.8 })
  })
  it('are empty for a variant that did not run', () => {
    expect(regionShares(placed, 'every-4')).toEqual({})
  })
})
