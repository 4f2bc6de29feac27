/** Where the labels of a scale lie, from its markup, as lesson.css places them on a phone: a letter is 2 % of the axis. */
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
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
interface Label {
  readonly text: string
  readonly row: string
  readonly from: number
  readonly to: number
}
const LETTER = 2

type Values = readonly [measured: number, said: number | null, twin: number | null]

const markupOf = (...[measured, said, twin]: Values): string =>
  renderToStaticMarkup(
    <Scale
      asked={asked}
      measured={{ value: measured, low: measured, high: measured }}
      said={said}
      twin={twin}
    />,
  )

/** Of the axis itself, where they are shown. */
function endsOf(markup: string): readonly Label[] {
  const [, first = '', last = ''] =
    /class="scale-ends[^>]*>(<span[^>]*>[^<]*)<\/span>(<span[^>]*>[^<]*)/.exec(markup) ?? []
  return [first, last].flatMap((tag, end) => {
    const text = tag.slice(tag.lastIndexOf('>') + 1)
    const from = end === 0 ? 0 : 100 - LETTER * text.length
    return tag.includes('hidden') ? [] : [{ text, row: 'line', from, to: from + LETTER * text.length }]
  })
}

function labelsOf(...values: Values): readonly Label[] {
  const markup = markupOf(...values)
  return [...markup.matchAll(/<div class="scale-mark[^>]*>\s*<span>[^<]*/g)].map(([tag]) => {
    const attribute = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    const at = Number(/inset-inline-start:([\d.]+)%/.exec(tag)?.[1])
    const text = tag.slice(tag.lastIndexOf('>') + 1)
    const side = attribute('data-side')
    const end = attribute('data-end')
    const length = LETTER * text.length
    const isBefore = end === 'end' || (end === '' && side === 'before')
    const isAfter = end === 'start' || (end === '' && side === 'after')
    const from = isBefore ? at - length : isAfter ? at : at - length / 2
    return { text, row: side === 'above' || side === 'under' ? side : 'line', from, to: from + length }
  })
}
const percent = fc.integer({ min: 0, max: 200 }).map((half) => half / 2)
const ROUNDING = 1e-6

describe('the labels of a scale', () => {
  it('stay within it, and none lies on another', () =>
    fc.assert(
      fc.property(percent, fc.option(percent), fc.option(percent), (measured, said, twin) => {
        const labels = labelsOf(measured, said, twin)
        expect(labels).toHaveLength(1 + Number(said !== null) + Number(twin !== null))
        for (const { text, from, to } of labels) {
          expect(from, text).toBeGreaterThanOrEqual(-ROUNDING)
          expect(to, text).toBeLessThanOrEqual(100 + ROUNDING)
        }
        const all = [...labels, ...endsOf(markupOf(measured, said, twin))]
        for (const one of all)
          for (const other of all)
            if (one !== other && one.row === other.row)
              expect(
                one.to <= other.from + ROUNDING || other.to <= one.from + ROUNDING,
                JSON.stringify(all),
              ).toBe(true)
      }),
      { numRuns: 2000 },
    ))

  it('at the start of the axis, with all three close by: in three rows', () => {
    const labels = labelsOf(4, 5, 8)
    expect(labels.map(({ text, row }) => [text, row])).toEqual([
      ['browser', 'under'],
      ['you', 'line'],
      ['PyTorch', 'above'],
    ])
  })
})
