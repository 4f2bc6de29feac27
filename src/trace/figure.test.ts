import { expect, it } from 'vitest'
import {
  isBarFigure,
  isGraphFigure,
  isPointFigure,
  tableOfFigure,
  type BarFigure,
  type GraphFigure,
  type ReportFigure,
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
  const check = (figures: unknown) => problemIn(reportShape, { ...without, figures }, 'report')
  expect(check(own)).toBeNull()
  expect(problemIn(reportShape, without)).toBeNull()
  expect(check([graph])).toBeNull()
  expect(check([{ ...graph, nodes: [{ label: 'rank 0', state: 'sleeps' }] }])).toContain('figures[0]')
  expect(check([{ ...points, series: [{ id: 'x' }] }])).toContain('figures[0]')
  expect(check([{ ...bars, bars: 'many' }])).toContain('figures[0]')
  expect(check([{ ...bars, kind: 'pie' }])).toContain('figures[0]')
})
