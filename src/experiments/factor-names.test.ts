import { expect, it } from 'vitest'
import { experiments } from './testing/catalog'
import { FACTOR_NAMES } from './factor-names'

it('are those of the declarations, and no other metric has one of these names', () => {
  const metrics = experiments.flatMap((experiment) => experiment.metrics)
  const factors = metrics.filter(({ isFactor }) => isFactor).map(({ name }) => name)
  expect([...FACTOR_NAMES].toSorted()).toEqual([...new Set(factors)].toSorted())
  const others = metrics.filter(({ isFactor }) => !isFactor)
  expect(others.filter(({ name }) => FACTOR_NAMES.has(name))).toEqual([])
})
