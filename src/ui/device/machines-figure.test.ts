import { describe, expect, it } from 'vitest'
import { experiments } from '../../experiments/metas'
import { kernelLengthMs, machinesFigure } from './machines-figure'

const WAITS = [
  { kernelMs: 0.1, waitMs: 3 },
  { kernelMs: 4, waitMs: 5 },
]

describe('the chart of machines', () => {
  it('draws what was measured as points, and what the model says as a line that is called modelled', () => {
    const own = { measured: WAITS, modelled: [...WAITS, ...WAITS] }
    const { series } = machinesFigure({ own, recorded: { machine: 'Some GPU', waits: WAITS }, lessons: [] })
    for (const { marks, label, points } of series) {
      expect(label).toMatch(marks === 'line' ? /modelled/ : /: measured/)
      expect(points).toHaveLength(2)
    }
    expect(series.map(({ marks }) => marks)).toEqual(['points', 'line', 'points'])
    expect(machinesFigure({ own: null, recorded: null, lessons: [] }).series).toEqual([])
  })

  it('names lessons of one length together, and a run’s kernel in their place', () => {
    const lessons = [
      { number: 1, kernelMs: 0.05 },
      { number: 2, kernelMs: 2 },
      { number: 8, kernelMs: 2 },
    ]
    const shown = { own: null, recorded: null, lessons }
    expect(machinesFigure(shown).thresholds.map(({ label }) => label)).toEqual(['lesson 1', 'lessons 2, 8'])
    expect(machinesFigure({ ...shown, kernelMs: 0.4 }).thresholds).toMatchObject([{ value: 0.4 }])
  })

  it('takes a length from values with a unit of time, and none from a factor', () => {
    const units = experiments.flatMap((meta) => kernelLengthMs(meta, {}) ?? [])
    expect(units.length).toBeGreaterThanOrEqual(3)
    const { params } = experiments.find((meta) => kernelLengthMs(meta, {}) !== null) ?? { params: [] }
    const [param] = params.filter(({ name }) => name.startsWith('kernel'))
    const inMs = param?.type === 'number' && param.unit === 'ms' ? 2 : 0.002
    expect(kernelLengthMs({ params }, { [param?.name ?? '']: 2 })).toBe(inMs)
    expect(kernelLengthMs({ params: [] }, { kernelMs: 2 })).toBeNull()
  })
})
