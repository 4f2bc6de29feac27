import { describe, expect, it } from 'vitest'
import { TraceBuilder } from '../../trace/builder'
import { placeTrace } from '../../trace/place'
import { depthSteps, pulseBars, windowOf } from './pulse'

const info = {
  experiment: 'async-submission',
  params: {},
  derived: {},
  adapter: null,
  userAgent: '',
  crossOriginIsolated: true,
  startedAt: '2026-11-21T00:00:00.000Z',
  origin: 'live',
} as const

function small() {
  const builder = new TraceBuilder(info, { originMs: 0, stepNs: 5 })
  const host = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  const queue = builder.addLane({ kind: 'queue', name: 'queue', clock: 0, group: 'queue' })
  const depth = builder.addCounter({ name: 'queue depth', unit: '', lane: queue })
  const span = (kind: 'encode' | 'host-wait' | 'window', start: number, end: number, repeat: number) =>
    builder.addSpan({ lane: host, kind, start, end, name: kind, variant: 'queued', repeat })
  span('window', 0, 90, -2)
  span('encode', 100, 120, 0)
  span('host-wait', 120, 200, 0)
  span('window', 100, 200, 0)
  builder.addCounterSample(depth, 50, 4)
  builder.addCounterSample(depth, 110, 1)
  builder.addCounterSample(depth, 150, 2)
  return placeTrace(builder.freeze())
}

describe('the strip', () => {
  it('shows the first repeat that counts, not the warm-up', () => {
    expect(windowOf(small(), 'queued')).toEqual([100, 200])
    expect(windowOf(small(), 'await-each')).toBeNull()
  })

  it('places spans within the window, clipped to it; frames are no work', () => {
    expect(pulseBars(small(), [110, 210])).toEqual([
      { row: 0, kind: 'encode', from: 0, to: 0.1 },
      { row: 0, kind: 'host-wait', from: 0.1, to: 0.9 },
    ])
    expect(pulseBars(small(), [5, 5])).toEqual([])
  })

  it('takes the depth of the queue into the window from before it', () => {
    expect(depthSteps(small(), [100, 200])).toEqual([
      { at: 0, depth: 1 },
      { at: 0.1, depth: 0.25 },
      { at: 0.5, depth: 0.5 },
    ])
    expect(depthSteps(small(), [0, 10])).toEqual([])
  })
})
