import { describe, expect, it } from 'vitest'
import { carryRuler, endOfTarget, markOn, readRuler } from './ruler'
import { DEVICE_BOUND_NS, Fixture, HOST_STEP_NS } from './testing/fixture'
import type { RulerEnd } from './types'

const edge = (span: number, at: 'start' | 'end'): RulerEnd => ({ type: 'edge', span, edge: at })

function scene() {
  const fixture = new Fixture()
  const first = fixture.span('device', 'compute', 10_000, 20_000, { submission: 4 })
  const second = fixture.span('device', 'compute', 50_000, 90_000)
  const host = fixture.span('host', 'submit', 5000, 15_000)
  return { data: fixture.data(), first, second, host }
}

describe('readRuler', () => {
  it('gives two edges of one clock that clock’s step, and no bound of a fit', () => {
    const { data, first, second, host } = scene()
    const device = readRuler(data, { from: edge(first, 'end'), to: edge(second, 'start') })
    expect(device).toMatchObject({ basis: 'one clock', fromNs: 20_000, toNs: 50_000 })
    expect(device?.value).toBe('30.0\u202fµs ±\u202f1\u202fns')
    const onHost = readRuler(data, { from: edge(host, 'start'), to: edge(host, 'end') })
    expect(onHost?.value).toBe('10.0\u202fµs ±\u202f5.00\u202fµs')
  })

  it('adds up both bounds between clocks, on the side they are on', () => {
    const { data, first, host } = scene()
    const [before, after] = DEVICE_BOUND_NS
    const there = readRuler(data, { from: edge(host, 'start'), to: edge(first, 'start') })
    const back = readRuler(data, { from: edge(first, 'start'), to: edge(host, 'start') })
    expect(there?.basis).toBe('two clocks')
    const half = HOST_STEP_NS / 2
    const bounds = [half + before, half + after].map((ns) => (ns / 1000).toFixed(2))
    // Within 10 % of each other they are written as one, the larger.
    expect(there?.value).toContain(`±\u202f${String(bounds[1])}`)
    expect(back?.value.startsWith('\u2212')).toBe(true)
    expect(back?.value).toContain(`±\u202f${String(bounds[1])}`)
  })

  it('says of a place chosen by hand how sharp it was', () => {
    const { data, first } = scene()
    const reading = readRuler(data, {
      from: edge(first, 'start'),
      to: { type: 'free', timeNs: 30_000, toleranceNs: 700 },
    })
    expect(reading).toMatchObject({ basis: 'by hand', toNs: 30_000 })
    expect(reading?.spoken).toContain('begin of compute (submission 4)')
  })

  it('is nothing where an end has no place', () => {
    const { data, first } = scene()
    expect(readRuler(data, { from: edge(99, 'start'), to: edge(first, 'start') })).toBeNull()
  })
})

describe('the mark', () => {
  it('stands on a begin, pressed again on the end, then on the begin', () => {
    const { data, first, second } = scene()
    const target = { type: 'span', span: first } as const
    const begin = markOn(data, null, target)
    expect(begin?.from).toEqual(edge(first, 'start'))
    const end = markOn(data, begin, target)
    expect(end?.from).toEqual(edge(first, 'end'))
    expect(markOn(data, end, target)?.from).toEqual(edge(first, 'start'))
    expect(markOn(data, begin, { type: 'span', span: second })?.from).toEqual(edge(second, 'start'))
  })

  it('takes a gap’s edges from the passes on its sides', () => {
    const { data, first, second } = scene()
    const gap = {
      lane: 3,
      startNs: 20_000,
      endNs: 50_000,
      deviceStartNs: 0,
      durationNs: 30_000,
      cause: 'launch' as never,
      evidence: '',
      spans: [],
      before: first,
      after: second,
      variant: 0,
      repeat: 0,
    }
    const withGap = { ...data, gaps: [gap] }
    expect(endOfTarget(withGap, { type: 'gap', gap: 0 }, 'start')).toEqual(edge(first, 'end'))
    expect(endOfTarget(withGap, { type: 'gap', gap: 0 }, 'end')).toEqual(edge(second, 'start'))
  })

  it('moves with its spans, and goes when they fall out', () => {
    const ruler = { from: edge(5, 'start'), to: edge(9, 'end') }
    expect(carryRuler(ruler, 3)).toEqual({ from: edge(2, 'start'), to: edge(6, 'end') })
    expect(carryRuler({ from: edge(5, 'start'), to: edge(2, 'end') }, 3)?.to).toBeNull()
    expect(carryRuler(ruler, 6)).toBeNull()
  })
})
