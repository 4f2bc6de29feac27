import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scaleBar } from './export-image'
import { wrap } from './text'

it('has a scale bar of a round length that fits, whatever the scale', () =>
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 10, noNaN: true }), (pxPerNs) => {
      const { lengthNs, widthPx } = scaleBar(pxPerNs)
      expect(widthPx).toBeLessThanOrEqual(150.001)
      expect(widthPx).toBeGreaterThanOrEqual(48)
      expect(Number(lengthNs.toPrecision(3)).toExponential()).toMatch(/^[125]e/)
    }),
  ))

it('breaks lines between words, loses none, and cuts only what is longer than a line', () => {
  const widthOf = (text: string): number => text.length
  expect(wrap('one two three', 8, widthOf)).toEqual(['one two', 'three'])
  expect(wrap('abcdefgh', 3, widthOf)).toEqual(['abc', 'def', 'gh'])
  expect(wrap('', 3, widthOf)).toEqual([])
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 20 }), (words, room) => {
      const text = words.join(' ')
      const lines = wrap(text, room, widthOf)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.max(1, room))
    }),
  )
})
