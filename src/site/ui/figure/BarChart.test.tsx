import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { BarFigure } from '../../../trace/figure'
import { BarChart } from './BarChart'

const bars: BarFigure = {
  kind: 'bars',
  id: 'b',
  title: '',
  caption: '',
  axis: { label: 'time', unit: 'ms' },
  parts: [
    { id: 'one', label: 'one', hue: 'device' },
    { id: 'two', label: 'two', hue: 'wait' },
  ],
  bars: [
    {
      label: 'a',
      parts: { one: { value: 10, low: 9, high: 11 }, two: { value: 30, low: 20, high: 40 } },
      total: { value: 40, low: 38, high: 50 },
    },
    { label: 'b', parts: { two: { value: -0.5, low: -1, high: 0 } }, total: null },
  ],
  thresholds: [{ value: 20, low: null, high: null, label: 'limit' }],
}

it('draws parts in proportion, none of negative length; the whole, where it was measured, is a figure', () => {
  const markup = renderToStaticMarkup(<BarChart figure={bars} label="" />)
  const widths = [
    ...markup.matchAll(/class="figure-(?:part" data-hue="(\w+)|limit)" style="[^"]*inline-size:([\d.]+)%/g),
  ]
  expect(widths.map(([, hue, width]) => [hue, Number(width)])).toEqual([
    ['device', 20],
    ['wait', 60],
    ['wait', 0],
    [undefined, 40],
  ])
  expect(markup).toContain('inset-inline-start:76%;inline-size:24%')
  expect([...markup.matchAll(/class="number">([^<]*)/g)].map(([, text]) => text)).toEqual([
    '40 ms',
    '',
    '20 ms',
  ])
})
