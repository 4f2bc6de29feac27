import { expect, it } from 'vitest'
import { experiments } from '../../experiments/testing/catalog'
import { explain } from '../../experiments/testing/explained-by'
import { experimentLessons } from '../../lessons/testing/catalog'
import { fakeReport } from '../state/testing/fake-client'
import type { Metric } from '../../trace/report'
import { formatMetric } from './format'

const busy: Metric = {
  name: 'device-busy-ratio',
  variant: 'every-step',
  value: 0.0912,
  unit: 'ratio',
  low: 0.0888,
  high: 0.0925,
  n: 5,
  origin: 'device-clock',
}

it('quotes a metric with unit and bound, or says what is missing instead of inventing it', () => {
  expect(formatMetric(busy)).toBe('9.1\u2009% ±\u20090.3')
  expect(formatMetric({ ...busy, value: null, note: 'no timestamps' })).toBe('not measured: no timestamps')
  expect(formatMetric(undefined)).toBe('not measured: this run has no such figure')
})

it('carries where the run is from into every explanation', () => {
  for (const lesson of experimentLessons) {
    const experiment = experiments.find(({ id }) => id === lesson.experiment)
    if (!experiment) throw new Error(`There is no experiment ${lesson.experiment}.`)
    const text = (origin: 'live' | 'recorded') =>
      explain(experiment, { report: fakeReport([busy]), origin }, formatMetric).join(' ')
    expect(text('recorded')).toContain('Paper GPU')
    expect(text('live')).not.toMatch(/undefined|NaN/)
  }
})
