import { describe, expect, it } from 'vitest'
import { findSpans, type Found } from './search'
import { nextTarget, type Step, type StepFrom } from './stepping'
import { twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import type { Target } from './types'

const { data, spans } = twoSubmissions()

const find = (query: string): Found => findSpans(data.placed, query)

function from(more: Partial<StepFrom> = {}): StepFrom {
  const { shown, camera } = setupViewModel(data).viewModel
  if (!shown) throw new Error('there are data')
  return { ...shown, target: null, view: camera.view, found: null, ...more }
}

const span = (name: string): Target => spanTarget(spans[name])
const step = (what: Step, target: Target | null, direction: 1 | -1) =>
  nextTarget(from({ target, view: { startNs: 0, endNs: 600_000 } }), what, direction)

describe('nextTarget', () => {
  it('begins on the device, walks along the lane and stops at its ends', () => {
    const first = nextTarget(from({ view: { startNs: 0, endNs: 100_000 } }), 'span', 1)
    expect(first).toEqual(span('pass 0'))
    const second = step('span', first, 1)
    expect(second).toEqual(span('pass 1'))
    expect(step('span', second, 1)).toEqual(second)
    expect(step('span', second, -1)).toEqual(span('pass 0'))
  })

  it('skips bands on the host lane, and walks bands among themselves', () => {
    expect(step('span', span('encode 0'), 1)).toEqual(span('submit 0'))
    expect(step('span', span('encode 0'), -1)).toEqual(span('encode 0'))
    expect(step('span', span('window'), 1)).toEqual(span('window'))
  })

  it('goes to the span beside in time in the lane above or below', () => {
    expect(step('lane', span('pass 1'), -1)).toMatchObject({ type: 'span' })
    expect(step('lane', span('queued 1'), -1)).toEqual(span('wait 1'))
    expect(step('lane', span('encode 0'), -1)).toEqual(span('window'))
    expect(step('lane', span('pass 0'), 1)).toEqual(span('pass 0'))
  })

  it('steps through gaps, from wherever one is', () => {
    const gap: Target = { type: 'gap', gap: 0 }
    expect(step('gap', span('pass 0'), 1)).toEqual(gap)
    expect(step('gap', span('pass 1'), -1)).toEqual(gap)
    expect(step('gap', gap, 1)).toEqual(gap)
    expect(nextTarget(from({ data: { ...data, gaps: [] } }), 'gap', 1)).toBeNull()
  })

  it('goes along arrows, and nowhere where there is none', () => {
    const at = (name: string) => from({ target: spanTarget(spans[name]) })
    expect(nextTarget(at('submit 0'), 'flow', 1)).toEqual(spanTarget(spans['pass 0']))
    expect(nextTarget(at('wait 0'), 'flow', -1)).toEqual(spanTarget(spans['pass 0']))
    expect(nextTarget(at('wait 0'), 'flow', 1)).toBeNull()
    expect(nextTarget(from({ target: { type: 'gap', gap: 0 } }), 'flow', 1)).toBeNull()
  })

  it('goes through what was found: from the selection, else from the side of the view it comes from', () => {
    const found = find('matmul')
    expect(nextTarget(from({ found }), 'found', 1)).toEqual(spanTarget(spans['pass 0']))
    expect(nextTarget(from({ found }), 'found', -1)).toEqual(spanTarget(spans['pass 1']))
    const view = { startNs: 140_000, endNs: 320_000 }
    expect(nextTarget(from({ found, view }), 'found', 1)).toEqual(spanTarget(spans['pass 1']))
    expect(nextTarget(from({ found, view }), 'found', -1)).toEqual(spanTarget(spans['pass 0']))
    const target = spanTarget(spans['pass 0'])
    expect(nextTarget(from({ found, target }), 'found', 1)).toEqual(spanTarget(spans['pass 1']))
    expect(nextTarget(from({ found, target: { type: 'gap', gap: 0 } }), 'found', 1)).toEqual(
      spanTarget(spans['pass 1']),
    )
    expect(nextTarget(from(), 'found', 1), 'nothing is looked for').toBeNull()
    expect(nextTarget(from({ found: find('no such name') }), 'found', 1)).toBeNull()
  })
})
