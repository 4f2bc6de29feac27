import { describe, expect, it } from 'vitest'
import type { Face } from '../src/strips/marks'
import { summaryPng } from './summary-png'

const PLAIN: Face = { size: 20, isBold: false, isMono: false }
const painted = (text: string, face = PLAIN) => {
  const mark = {
    shape: 'text',
    part: 'label',
    anchor: 'start',
    text,
    x: 4,
    y: 30,
    face,
    fill: { hue: 'text', share: 1 },
  } as const
  return Buffer.from(summaryPng.paint({ width: 80, height: 40, marks: [mark] })).toString('base64')
}

describe('a summary as PNG', () => {
  it('draws text with faces of its own, as wide as it says', () => {
    const styles = [PLAIN, { ...PLAIN, isBold: true }, { ...PLAIN, isMono: true }]
    expect(new Set(styles.map((face) => painted('abc', face))).size).toBe(3)
    expect(summaryPng.widthOf('ii', PLAIN)).toBeLessThan(summaryPng.widthOf('mm', PLAIN))
  })

  it('draws Greek and Cyrillic, and a box for what no face has', () => {
    const [box, other] = [painted('漢'), painted('字')]
    expect(box).toBe(other)
    for (const text of ['Ω', 'Ж', 'ő']) expect(painted(text)).not.toBe(box)
  })
})
