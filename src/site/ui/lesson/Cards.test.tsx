/**
 * A flow in a card, from its markup: each way has what was measured on it, with its interval, and
 * no other.
 */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../../text/card'
import { bytes, metric, us } from '../../../text/define-figures'
import type { Figure } from '../../../text/figure'
import { NO_READING } from '../../../text/template'
import { Cards } from './Cards'

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
