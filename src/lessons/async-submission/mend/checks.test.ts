/** Checks which rates are right, by the device's clock or by the lab's own program. */
import { expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import { firstRung, flopsOf, nameOf, rules, shapesOf } from './checks'

const NAME = 'benchmark'
const SIZE = 64
/** GFLOP/s of each shape. */
const RATES = [10, 20, 40] as const
type Change = (rates: readonly number[]) => unknown
const times =
  (factor: number): Change =>
  (rates) =>
    rates.with(1, 20 * factor)

interface Made {
  readonly returned?: Change
  readonly clock?: 'sound' | 'contradicts itself' | 'coarse'
  /** The warm-up's single product took so many times as long. */
  readonly heldUp?: number
  readonly products?: readonly number[]
}

/** A pass of one product and one of 20; the device's clock shows RATES. */
function reportOf({
  returned = (rates) => rates,
  clock = 'sound',
  heldUp = 1,
  products,
}: Made): ProgramReport {
  const trace = new HandMadeTrace(NAME)
  trace.deviceClock(clock !== 'contradicts itself', clock === 'coarse' ? 1e6 : 1)
  for (const [index, shape] of shapesOf(SIZE).entries())
    for (const count of [1, 20]) {
      const flops = count * flopsOf(shape)
      trace.pass(0, nameOf(shape), (flops / (RATES[index] ?? 1)) * (count === 1 ? heldUp : 1), flops)
    }
  const found = { size: SIZE, products: products ?? [21, 21, 21] }
  return programReport([programRun({ name: NAME, output: returned(RATES), found })], { trace: trace.trace })
}
const found = (id: string, made: Made = {}, reference: Made = {}, rung = rules) =>
  said(rung, id, evidenceWith({ yours: reportOf(made), reference: reportOf(reference) }))

it.each<readonly [Change, string, string]>([
  [times(1.2), 'yes', 'the furthest is off by 20 %.'],
  [
    times(1000),
    'no',
    'reports 20,000 GFLOP/s; the GPU’s clock shows 20 GFLOP/s. That is 1,000 times too high.',
  ],
  [times(1.3), 'no', 'That is 30 % too high.'],
  [times(0.7), 'no', 'That is 30 % too low.'],
  [times(0.25), 'no', 'That is 4 times too low.'],
  [() => undefined, 'no', 'Your program must return a list of three rates, one for each shape.'],
  [(rates) => rates.slice(1), 'no', 'Your program must return a list of three rates, one for each shape.'],
  [(rates) => rates.with(2, Number.NaN), 'no', 'your program returned no rate in GFLOP/s.'],
  [(rates) => [...rates.slice(0, 2), '40'], 'no', 'your program returned no rate in GFLOP/s.'],
])('a rate is right within a quarter: %#', (returned, outcome, words) =>
  expect(found('output', { returned })).toEqual([outcome, expect.stringContaining(words)]),
)

it('a rate may be too low on the first rung', () => {
  expect(found('output', { returned: times(0.25) }, {}, firstRung)[0]).toBe('yes')
  expect(found('output', { returned: times(1.3) }, {}, firstRung)[0]).toBe('no')
})

it('a rate is that of the passes that were timed, where another was held up', () => {
  expect(found('output', { heldUp: 10 })[0]).toBe('yes')
  expect(found('output', { heldUp: 10, returned: times(2) })[0]).toBe('no')
})

it.each(['contradicts itself', 'coarse'] as const)(
  'a clock that is %s leaves the lab’s own rates',
  (clock) => {
    const by = (factor: number) =>
      found('output', { clock, returned: times(factor) }, { clock, returned: times(0.9) })
    expect(by(1)[0]).toBe('yes')
    expect(by(0.5)).toEqual(['no', expect.stringContaining('the lab measured 18 GFLOP/s')])
  },
)

it('each shape is computed, however often', () => {
  expect(found('work', { products: [1, 20, 21] })[1]).toBe(
    'In every run the GPU computed each shape, 1 to 21 times.',
  )
  expect(found('work', { products: [1, 0, 1] })).toEqual([
    'no',
    'The GPU did not compute 32 × 64 · 64 × 64 in run 1: a rate must be measured.',
  ])
})

it('its figure is how far the worst rate is off; none where one is no rate', () => {
  const worst = (returned: Change) => rules.figure.of(reportOf({ returned }))
  expect(worst(times(1))).toBeCloseTo(0, 9)
  expect(worst(times(26))).toBeCloseTo(25, 3)
  expect(worst(times(Number.NaN))).toBeNull()
})
