import { expect, it } from 'vitest'
import {
  isBarFigure,
  isGraphFigure,
  isPointFigure,
  tableOfFigure,
  type BarFigure,
  type GraphFigure,
  type ReportFigure,
  RECORDED_HUES,
  type Figure,
  withReference,
} from './figure'
import { problemIn } from '../base/shape'
import { headerShape } from './file-shape'
import { sampleReport } from './testing/sample-report'

const [points, bars] = sampleReport.figures as readonly [ReportFigure, BarFigure]

const graph: GraphFigure = {
  kind: 'graph',
  id: 'waits',
  title: 'Who waits',
  caption: 'As found.',
  nodes: [
    { label: 'rank 0', state: 'waits' },
    { label: 'rank 1', state: 'returned' },
  ],
  edges: [{ from: 0, to: 1, label: 'waits in send' }],
}

it('gives every rank of a graph a row: whom it waits for, or that it has returned', () => {
  expect(tableOfFigure(graph, String).rows).toEqual([
    ['rank 0', 'waits', 'rank 1: waits in send'],
    ['rank 1', 'has returned', ''],
  ])
})

it('gives every point, part and threshold a row or a cell, with its interval', () => {
  expect(tableOfFigure(points, String)).toEqual({
    columns: ['', '', 'Intensity, flop/byte', 'Rate, GFLOP/s', 'Interval'],
    rows: [
      ['Kernels', 'naive', '8', '100', '90 to 110'],
      ['ridge', '', '4', '', ''],
    ],
  })
  expect(tableOfFigure(bars, String)).toEqual({
    columns: ['', 'Kernel', 'Whole: Time, ms'],
    rows: [
      ['naive', '3 · 2 to 4', '5'],
      ['no kernel', '', '2 · 1 to 3'],
    ],
  })
})

it('shows a part that was not measured as nothing, not as zero', () => {
  const without = { ...bars, bars: [{ label: 'naive', parts: {}, total: null }], thresholds: [] }
  expect(tableOfFigure(without, String).rows).toEqual([['naive', '', '']])
})

it('tells bars from points', () => {
  expect([points, bars, graph].map(isBarFigure)).toEqual([false, true, false])
  expect([points, bars, graph].map(isGraphFigure)).toEqual([false, false, true])
  expect([points, bars, graph].map(isPointFigure)).toEqual([true, false, false])
})

it('is checked in files: a figure of either kind, and nothing else', () => {
  const { figures: own, ...without } = sampleReport
  const { report: reportShape } = headerShape(0, 0).entries
  const check = (figures: unknown) => problemIn(reportShape, { ...without, figures })
  expect(check(own)).toBeNull()
  expect(problemIn(reportShape, without)).toBeNull()
  expect(check([graph])).toBeNull()
  expect(check([{ ...graph, nodes: [{ label: 'rank 0', state: 'sleeps' }] }])).toContain('figures.0')
  expect(check([{ ...points, series: [{ id: 'x' }] }])).toContain('figures.0')
  expect(check([{ ...bars, bars: 'many' }])).toContain('figures.0')
  expect(check([{ ...bars, kind: 'pie' }])).toContain('figures.0')
})

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
    { y: 'waitMs', label: 'waits' },
    { y: 'idleMs', label: 'idles' },
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
      hue: 'recorded-1',
      marks: 'points',
      points: [
        { x: 1, y: 1.03, low: null, high: null, label: '' },
        { x: 2, y: 2.03, low: null, high: null, label: '' },
      ],
    },
  ])
})

it('gives each series a hue of its own, which means nothing else, whatever was added before', () => {
  const points = [{ kernelMs: 1, waitMs: 1, idleMs: 2 }]
  const recorded = { device: 'Some GPU', date: '2026-01-01', points }
  const twice = withReference(withReference(figure, reference, recorded), reference, recorded)
  expect(twice.series.map(({ hue }) => hue)).toEqual(RECORDED_HUES)
})

it.each([null, [], {}, { points: 1 }, { device: 1, date: '', points: [] }])(
  'leaves the figure as it is for %j',
  (bad) => expect(withReference(figure, reference, bad)).toBe(figure),
)

it('takes points of one operation, on so many ranks, with their intervals; bytes are KiB, too', () => {
  const of = { operation: 'all_reduce', ranks: 4 }
  const wanted = {
    figure: 'f',
    file: 'f.json',
    x: 'kib',
    of,
    series: [{ y: 'hostMs', label: 'own' }],
  } as const
  const points = [
    { operation: 'all_reduce', bytes: 2048, hostMs: { median: 2, low: 1, high: 3 } },
    { operation: 'all_reduce', bytes: 4096, hostMs: { median: 'two' } },
    { operation: 'broadcast', bytes: 2048, hostMs: 5 },
  ]
  const origin = { device: 'cpu', cpu: 'Some CPU', date: '2026-01-01' }
  const drawn = (recorded: unknown) => withReference(figure, wanted, recorded).series
  const series = drawn({
    ...origin,
    worlds: [
      { ranks: 2, points: [] },
      { ranks: 4, points },
    ],
  })
  expect(series).toMatchObject([
    { label: 'own (Some CPU, recorded 2026-01-01)', points: [{ x: 2, y: 2, low: 1, high: 3 }] },
  ])
  expect(series[0]?.points).toHaveLength(1)
  expect(drawn({ ...origin, ranks: 4, points })).toEqual(series)
  expect(drawn({ ...origin, ranks: 2, points })).toEqual([])
  expect(drawn({ ...origin, worlds: [{ ranks: 2, points }] })).toEqual([])
})
