import { describe, expect, it } from 'vitest'
import type { SummarisedDevice, Summary } from '../analysis/summary/summary'
import { summaryImage, type SummaryImage } from './summary-image'
import { estimatedWidth, svgMarks } from './svg'

const device = (over: Partial<SummarisedDevice> = {}): SummarisedDevice => ({
  id: 'device 0',
  name: 'A card',
  busyRatio: 0.5,
  workRatio: null,
  sentence: 'The program waits.',
  parts: [
    { part: 'workUs', label: 'kernels', width: 0.25, share: 0.25 },
    { part: 'idleUs', label: 'idle', width: 0.75, share: 0.75 },
  ],
  causes: [
    {
      share: 0.75,
      without: null,
      title: 'It waits',
      line: { file: 'train.py', line: 42, name: 'step', method: null, share: 1 },
      evidence: '3 gaps.',
      mend: 'Do not.',
    },
  ],
  error: 'Predictions were off by 1 %.',
  ...over,
})
const summaryOf = (...devices: readonly SummarisedDevice[]): Summary => ({
  together: '',
  files: [{ file: 'runs/of me/run.json', devices }],
})
const marksOf = (summary: Summary): SummaryImage['marks'] =>
  summaryImage(summary, estimatedWidth, 'From here').marks
const textsOf = (summary: Summary): readonly string[] =>
  marksOf(summary).flatMap((mark) => (mark.shape === 'text' ? [mark.text] : []))

describe('the image of a summary', () => {
  it('says what the summary says, with its figures', () =>
    expect(textsOf(summaryOf(device()))).toEqual([
      'run.json',
      'A card, device 0',
      'The program waits.',
      '50 %',
      'busy',
      'unknown',
      'work',
      'kernels 25 %',
      'idle 75 %',
      '75 %',
      'It waits',
      'train.py(42): step',
      '3 gaps.',
      'Predictions were off by 1 %.',
      'From here',
    ]))

  it('draws the bar to scale', () => {
    const widths = marksOf(summaryOf(device())).flatMap((mark) =>
      mark.shape === 'box' && mark.height === 36 && mark.width > 1 ? [mark.width] : [],
    )
    expect(widths).toHaveLength(2)
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(3, 6)
  })

  it('begins with the device that loses most, and counts those that it leaves out', () => {
    const named = (name: string, causes = device().causes) => device({ name, causes })
    const texts = textsOf(summaryOf(named('fed', []), named('b'), named('c'), named('d'), named('e', [])))
    expect(texts.filter((text) => text.endsWith(', device 0'))).toEqual(
      ['b', 'c', 'd'].map((name) => `${name}, device 0`),
    )
    expect(texts).toContain('and 2 more devices')
  })

  it('keeps any text within the sheet, and what a file holds from being markup', () => {
    const line = {
      file: `${'folder/'.repeat(500)}train.py`,
      line: 42,
      name: '<step>',
      method: null,
      share: 1,
    }
    const [cause] = device().causes
    if (!cause) throw new Error('a cause')
    const summary = summaryOf(
      device({
        name: '<b>\u202E"&\u001b\uD800',
        sentence: 'word '.repeat(900),
        causes: [{ ...cause, line }],
      }),
    )
    const picture = summaryImage(summary, estimatedWidth, '')
    for (const mark of picture.marks) {
      const width =
        mark.shape === 'text' ? estimatedWidth(mark.text, mark.face) : mark.shape === 'box' ? mark.width : 0
      expect(mark.x + width).toBeLessThanOrEqual(picture.width)
      expect(mark.y).toBeLessThanOrEqual(picture.height)
    }
    const svg = svgMarks(picture.marks, { paintOf: ({ hue }) => hue })
    expect(svg).toContain('train.py(42): &lt;step&gt;')
    expect(svg).toContain('&lt;b&gt; &quot;&amp;  , device 0')
  })

  it('says so where a file holds no device', () =>
    expect(textsOf({ together: 'Two ranks.', files: [{ file: 'a.json', devices: [] }] })).toEqual([
      'a.json',
      'Two ranks.',
      'The file records no GPU work. To record a GPU, add',
      'ProfilerActivity.CUDA (Intel: XPU; Apple: not possible).',
      'From here',
    ]))
})
