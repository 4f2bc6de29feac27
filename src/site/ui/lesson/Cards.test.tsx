/** A flow in a card, from its markup: each way has what was measured on it, with its interval, and no other. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../../text/card'
import { bytes, metric, us } from '../../../text/define-figures'
import type { Figure } from '../../../text/figure'
import { experimentLessons } from '../../../lessons/testing/catalog'
import type { RunState } from '../../state/run-store'
import type { ReportFigure } from '../../../trace/figure'
import { NO_READING } from '../../../text/passage'
import { Cards } from './Cards'

const gflops = (value: number): Figure => ({ is: 'number', value, low: value, high: value, unit: 'GFLOP/s' })
const RING = metric('step-ms')('ring-2').figure
const ms = (value: number, low = value, high = value): Figure => ({
  is: 'number',
  value,
  low,
  high,
  unit: 'ms',
})

const cardOf = (values: readonly (Figure | null)[]): Card => ({
  text: '**An idea.** Its words.',
  more: [],
  picture: {
    kind: 'flow',
    from: 'Array',
    ways: values.map((value, at) => ({
      label: `[[host:way]] ${String(at)}`,
      value,
      to: `place ${String(at)}`,
    })),
  },
})
const drawn = (...values: readonly (Figure | null)[]): string =>
  renderToStaticMarkup(<Cards cards={[cardOf(values)]} reading={NO_READING} />)
const itemsOf = (markup: string): readonly string[] =>
  (/<ol class="card-flow[^"]*">(.*?)<\/ol>/.exec(markup)?.[1] ?? '').split('<li').slice(1)
const textOf = (markup: string): string =>
  markup
    .replace(/^[^>]*>/, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('\u2009', ' ')

describe('a flow', () => {
  it('has a figure with its interval on each way that was measured, and none on another', () => {
    const items = itemsOf(drawn({ is: '/', of: [bytes(8e6).figure, ms(4, 3.9, 4.1)] }, null, RING))
    expect(items).toHaveLength(4)
    expect(items.map((item) => /data-measured="(\w+)"/.exec(item)?.[1])).toEqual([
      undefined,
      'true',
      'false',
      'false',
    ])
    expect(items.map((item) => item.includes('<strong>'))).toEqual([false, true, false, false])
    expect(items.map(textOf)[0]).toBe('Array')
    expect(items.map(textOf)[1]).toMatch(/way 02\.00 GB\/s ± 0\.06place 0$/)
    expect(items[1]).toContain('--hue:var(--host)')
  })

  it('is not drawn where nothing of it was measured', () => {
    expect(drawn(RING, null)).not.toContain('card-flow')
    expect(drawn(RING, null)).toContain('Its words.')
  })
})

describe('bars', () =>
  it('are as long as their times, whatever units these are said in', () => {
    const bars = [us(5).figure, ms(2)].map((value, at) => ({ label: String(at), value }))
    const card: Card = { text: '**An idea.** Its words.', more: [], picture: { kind: 'bars', bars } }
    const markup = renderToStaticMarkup(<Cards cards={[card]} reading={NO_READING} />)
    const widths = [...markup.matchAll(/class="bar-length"[^>]* width="([\d.]+)%"/g)].map(([, width]) =>
      Number(width),
    )
    expect(widths).toEqual([0.25, 100])
  }))

it('folds all but the first few of many cards, and says what they are of', () => {
  const cards = ['A.', 'B.', 'C.', 'D.', 'E?'].map((idea): Card => ({
    text: `**${idea}** Words.`,
    more: [],
    picture: null,
  }))
  const draw = (count: number) =>
    renderToStaticMarkup(<Cards cards={cards.slice(0, count)} reading={NO_READING} areFolded />)
  expect(draw(5)).toMatch(/C\..*<summary[^>]*>2 more: D · E\?<\/summary>.*D\./)
  expect(draw(4)).not.toContain('<details')
})

describe('units', () => {
  const units = (...values: readonly Figure[]): string =>
    renderToStaticMarkup(
      <Cards
        cards={[
          {
            text: '**An idea.** Its words.',
            more: [],
            picture: {
              kind: 'units',
              units: values.map((value, at) => ({
                count: at === 0 ? 8 : 10_000,
                label: `[[host:units]] ${String(at)}`,
                value,
              })),
            },
          },
        ]}
        reading={NO_READING}
      />,
    )
  /** What its strokes cover: of each row its length, times its width. */
  const inkOf = (path: string): number => {
    const width = Number(/stroke-width="([^"]*)"/.exec(path)?.[1])
    const [dash = 0, gap = 0] = (/stroke-dasharray="([^"]*)"/.exec(path)?.[1] ?? '').split(' ').map(Number)
    const rows = [...path.matchAll(/h([\d.]+)/g)].map(([, length]) => Number(length))
    return (width * rows.reduce((sum, length) => sum + length, 0) * dash) / (dash + gap)
  }

  it('cover as much as they do together', () => {
    const markup = units(gflops(80), gflops(8000))
    const [few, many] = [...markup.matchAll(/<path[^>]*>/g)].map(([path]) => inkOf(path))
    expect((many ?? 0) / (few ?? 0)).toBeCloseTo(100, 0)
    expect(textOf(markup)).toContain('8 units')
    expect(textOf(markup)).toContain('10,000 units')
    expect(textOf(markup)).toMatch(/10(\.0)? GFLOP\/s each/)
  })
  it('are not drawn where one of them was not measured', () =>
    expect(units(gflops(80), metric('gflops')('none').figure)).not.toContain('<path'))
})

describe('a chart of a step', () => {
  const figure: ReportFigure = {
    kind: 'graph',
    id: 'waits',
    title: 'Who waits',
    caption: '',
    nodes: [{ label: 'rank 0', state: 'waits' }],
    edges: [],
  }
  const [lesson] = experimentLessons
  const chart = (own: ReportFigure | null): string => {
    if (!lesson) throw new Error('There is no lesson.')
    const run = { report: own && { figures: [own] } } as unknown as RunState
    return renderToStaticMarkup(
      <Cards
        cards={[
          {
            text: '**An idea.** Its words.',
            more: [],
            picture: {
              kind: 'chart',
              figure: 'waits',
              step: 'a-step',
              recorded: { device: 'A GPU', date: '2026-11-24', figure },
            },
          },
        ]}
        reading={NO_READING}
        runs={{ lesson, runOf: (step) => (step === 'a-step' ? run : null) }}
      />,
    )
  }
  it('is of its recording, and says so, where the reader has none', () =>
    expect(chart(null)).toMatch(/rank 0.*Recorded on A GPU/))
  it('is of the reader’s own run', () => {
    const own = chart({ ...figure, nodes: [{ label: 'rank 7', state: 'returned' }] })
    expect(own).toContain('rank 7')
    expect(own).not.toContain('Recorded')
  })
})
