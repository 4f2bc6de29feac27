import { describe, expect, it } from 'vitest'
import { flowsOfSpan, spansOfSubmission } from './links'
import { makeLayout } from './layout'
import { stepGap, stepLane, stepSpan } from './navigate'
import { twoSubmissions } from './testing/fixture'
import type { Target } from './types'

const setup = () => {
  const { data, spans } = twoSubmissions()
  const layout = makeLayout(data.placed, data.gaps, { widthPx: 1000, compact: false })
  const of = (name: string): Target => ({ type: 'span', span: spans[name] ?? -1 })
  return { data, spans, layout, of, view: { startNs: 0, endNs: 600_000 } }
}

describe('stepping', () => {
  it('begins on the device, walks along the lane and stops at its ends', () => {
    const { data, layout, of, view } = setup()
    const first = stepSpan(data, layout, null, { startNs: 0, endNs: 100_000 }, 1)
    expect(first).toEqual(of('pass 0'))
    const second = stepSpan(data, layout, first, view, 1)
    expect(second).toEqual(of('pass 1'))
    expect(stepSpan(data, layout, second, view, 1)).toEqual(second)
    expect(stepSpan(data, layout, second, view, -1)).toEqual(of('pass 0'))
  })

  it('skips bands on the host lane, and walks bands among themselves', () => {
    const { data, layout, of, view } = setup()
    expect(stepSpan(data, layout, of('encode 0'), view, 1)).toEqual(of('submit 0'))
    expect(stepSpan(data, layout, of('encode 0'), view, -1)).toEqual(of('encode 0'))
    expect(stepSpan(data, layout, of('window'), view, 1)).toEqual(of('window'))
  })

  it('goes to the span beside in time in the lane above or below', () => {
    const { data, layout, of, view } = setup()
    expect(stepLane(data, layout, of('pass 1'), view, -1)).toMatchObject({ type: 'span' })
    expect(stepLane(data, layout, of('queued 1'), view, -1)).toEqual(of('wait 1'))
    expect(stepLane(data, layout, of('encode 0'), view, -1)).toEqual(of('window'))
    expect(stepLane(data, layout, of('pass 0'), view, 1)).toEqual(of('pass 0'))
  })

  it('steps through gaps, from wherever one is', () => {
    const { data, of } = setup()
    const gap: Target = { type: 'gap', gap: 0 }
    expect(stepGap(data, of('pass 0'), { startNs: 0, endNs: 1 }, 1)).toEqual(gap)
    expect(stepGap(data, of('pass 1'), { startNs: 0, endNs: 1 }, -1)).toEqual(gap)
    expect(stepGap(data, gap, { startNs: 0, endNs: 1 }, 1)).toEqual(gap)
    expect(stepGap({ ...data, gaps: [] }, null, { startNs: 0, endNs: 1 }, 1)).toBeNull()
  })
})

describe('links', () =>
  it('joins submit, pass and wait of one submission, and no other', () => {
    const { data, spans } = setup()
    const { trace } = data.placed
    for (const name of ['submit 0', 'pass 0', 'wait 0', 'encode 0', 'queued 0'])
      expect(flowsOfSpan(trace, spans[name] ?? -1)).toEqual([0, 1])
    expect(flowsOfSpan(trace, spans['window'] ?? -1)).toEqual([])
    expect(spansOfSubmission(trace, 1)).toHaveLength(5)
    expect(spansOfSubmission(trace, -1)).toEqual([])
  }))
