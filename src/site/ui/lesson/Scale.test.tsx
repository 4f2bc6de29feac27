import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Question } from '../../../lessons/lesson'
import { Scale } from './Scale'

const asked: Question = {
  question: '',
  unit: '%',
  min: 0,
  max: 100,
  step: 1,
  start: 50,
  scale: 100,
  ends: ['', ''],
  result: '',
}
type Values = readonly [measured: number, said: number | null, twin: number | null]

const rowsOf = ([measured, said, twin]: Values) => {
  const markup = renderToStaticMarkup(
    <Scale asked={asked} measured={{ value: measured, low: measured, high: measured }} {...{ said, twin }} />,
  )
  return [...markup.matchAll(/<span>(\w+)<\/span>.*?class="bar-length"[^>]*width="([\d.]+)%"/g)].map(
    ([, label, width]) => [label, Number(width)],
  )
}

it.each<[Values, unknown]>([
  [
    [8, 75, 88],
    [
      ['PyTorch', 88],
      ['you', 75],
      ['browser', 8],
    ],
  ],
  [[8, null, null], [['measured', 8]]],
  // The axis grows with what lies beyond it.
  [
    [150, 30, null],
    [
      ['you', 18.75],
      ['measured', 93.75],
    ],
  ],
])('draws %j to scale, a row each', (values, rows) => expect(rowsOf(values)).toEqual(rows))
