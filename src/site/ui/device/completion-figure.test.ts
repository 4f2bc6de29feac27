import { expect, it } from 'vitest'
import { sampleReport } from '../../../trace/testing/sample-report'
import { completionFigures } from './completion-figure'

const of = (completions: readonly (readonly [kernelMs: number, observedMs: number])[]) =>
  completionFigures({
    ...sampleReport.environment,
    completions: completions.map(([kernelMs, observedMs]) => ({ kernelMs, observedMs })),
  })

it('draws when completion was reported, and what of it was not the kernel, in order of length', () => {
  const [figure] = of([
    [2.6, 3.8],
    [0.2, 2.7],
    [1.9, 2.7],
  ])
  expect(figure?.series.map(({ points }) => points.map(({ x }) => x))).toEqual([
    [0.2, 1.9, 2.6],
    [0.2, 1.9, 2.6],
  ])
  expect(figure?.series[1]?.points.map(({ y }) => Number(y.toFixed(6)))).toEqual([2.5, 0.8, 1.2])
})

it('draws nothing of an older report, nor of two points', () => {
  expect(completionFigures(sampleReport.environment)).toEqual([])
  expect(
    of([
      [1, 3],
      [2, 3],
    ]),
  ).toEqual([])
})
