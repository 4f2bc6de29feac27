import { expect, it } from 'vitest'
import type { Figure } from './figure'
import { withReference } from './figure-reference'

const figure: Figure = {
  id: 'f',
  title: '',
  caption: '',
  x: { label: '', unit: 'ms', scale: 'log10' },
  y: { label: '', unit: 'ms', scale: 'linear' },
  series: [],
  thresholds: [],
}
const reference = {
  figure: 'f',
  file: 'f.json',
  x: 'kernelMs',
  series: [
    { y: 'waitMs', label: 'waits', hue: 'wait' },
    { y: 'idleMs', label: 'idles', hue: 'idle' },
  ],
} as const

it('adds what was recorded, named by machine and date; a field that was not measured adds no point', () => {
  const points = [
    { kernelMs: 1, waitMs: 1.03, idleMs: null },
    { kernelMs: 2, waitMs: 2.03, idleMs: null },
  ]
  const both = withReference(figure, reference, { device: 'Some GPU', date: '2026-01-01', points })
  expect(both.series).toEqual([
    {
      id: 'recorded-waitMs',
      label: 'waits (Some GPU, recorded 2026-01-01)',
      hue: 'wait',
      marks: 'points',
      points: [
        { x: 1, y: 1.03, low: null, high: null, label: '' },
        { x: 2, y: 2.03, low: null, high: null, label: '' },
      ],
    },
  ])
})

it.each([null, [], {}, { points: 1 }, { device: 1, date: '', points: [] }])(
  'leaves the figure as it is for %j',
  (bad) => {
    expect(withReference(figure, reference, bad)).toBe(figure)
  },
)
