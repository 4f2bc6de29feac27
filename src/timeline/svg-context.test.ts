import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SvgContext } from './svg-context'
import { escapeXml, paintAttributes } from './svg-text'

/** Every letter 6 px wide: enough to see what is written down of it. */
const measurer = {
  font: '',
  measureText: (text: string) =>
    ({ width: 6 * text.length, fontBoundingBoxAscent: 10, fontBoundingBoxDescent: 4 }) as TextMetrics,
}
const make = (mostNodes = 1000): SvgContext => new SvgContext(measurer, mostNodes)

it('joins boxes of one style that follow each other, and no others', () => {
  const context = make()
  context.fillStyle = 'rgb(255 0 0)'
  context.fillRect(0, 0, 10, 5)
  context.fillRect(10, 0, 10, 5)
  context.fillStyle = 'rgb(0 0 255 / 0.5)'
  context.fillRect(20, 0, 10, 5)
  expect(context.finish().body.split('\n')).toEqual([
    '<path d="M0 0h10v5h-10zM10 0h10v5h-10z" fill="#ff0000"/>',
    '<path d="M20 0h10v5h-10z" fill="#0000ff" fill-opacity="0.5"/>',
  ])
  expect(context.nodes).toBe(2)
})

it('keeps triangles apart: joined to boxes that turn the other way they would leave holes', () => {
  const context = make()
  context.fillRect(0, 0, 10, 10)
  context.beginPath()
  context.moveTo(5, 5)
  context.lineTo(5, 9)
  context.lineTo(9, 5)
  context.fill()
  context.fillRect(0, 0, 1, 1)
  expect(context.nodes).toBe(2)
  expect(context.finish().body.split('\n')).toHaveLength(3)
})

it('works a translation into the numbers, and takes it and the style back on restore', () => {
  const context = make()
  context.fillStyle = 'rgb(1 2 3)'
  context.save()
  context.translate(5, -2)
  context.fillStyle = 'rgb(9 9 9)'
  context.fillRect(1, 2, 3, 4)
  context.restore()
  context.fillRect(1, 2, 3, 4)
  expect(context.finish().body.split('\n')).toEqual([
    '<path d="M6 0h3v4h-3z" fill="#090909"/>',
    '<path d="M1 2h3v4h-3z" fill="#010203"/>',
  ])
})

it('nests clips in groups that end with their save, and writes equal outlines once', () => {
  const context = make()
  for (let turn = 0; turn < 2; turn += 1) {
    context.save()
    context.beginPath()
    context.rect(0, 0, 8, 8)
    context.clip()
    context.clip()
    context.fillRect(0, 0, 1, 1)
    context.restore()
  }
  const { body, clips } = context.finish()
  expect(clips.match(/<clipPath/g)).toHaveLength(1)
  expect(body.match(/<g clip-path="url\(#clip-1\)">/g)).toHaveLength(4)
  expect(body.match(/<\/g>/g)).toHaveLength(4)
})

it('puts text where a canvas would, with its width written down', () => {
  const context = make()
  context.font = '500 12px "A b", sans-serif'
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  context.fillText('ab', 100, 20)
  expect(context.finish().body).toBe(
    '<text x="100" y="23" text-anchor="end" textLength="12" lengthAdjust="spacingAndGlyphs" font-family="&quot;A b&quot;, sans-serif" font-size="12" font-weight="500" fill="#000000">ab</text>',
  )
})

it('draws a whole turn as two halves, and leaves out what has no place', () => {
  const context = make()
  context.beginPath()
  context.arc(10, 10, 2, 0, 2 * Math.PI)
  context.fill()
  context.fillRect(NaN, 0, 1, 1)
  context.fillRect(Infinity, 0, 1, 1)
  expect(context.finish().body).toBe('<path d="M12 10A2 2 0 0 1 8 10A2 2 0 0 1 12 10" fill="#000000"/>')
})

it('writes no more nodes than allowed, counts the rest, and still closes its groups', () => {
  const context = make(2)
  context.save()
  context.beginPath()
  context.rect(0, 0, 8, 8)
  context.clip()
  for (let at = 0; at < 5; at += 1) context.fillText(`t${at}`, 0, at)
  context.restore()
  const { body } = context.finish()
  expect([context.nodes, context.omitted]).toEqual([2, 3])
  expect(body.match(/<text/g)).toHaveLength(2)
  expect(body.endsWith('</g>')).toBe(true)
})

it('leaves markup in names as text, whatever they hold', () => {
  expect(escapeXml('<script>&"')).toBe('&lt;script&gt;&amp;&quot;')
  expect(escapeXml('a\u0000b\ud800c\ufffe')).toBe('a\ufffdb\ufffdc\ufffd')
  expect(escapeXml('😀')).toBe('😀')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeXml(text)
      expect(escaped).not.toMatch(/[<>"]/)
      expect(escaped).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
      // Halves of a pair that stand alone would not survive the way through UTF-8.
      expect(new TextDecoder().decode(new TextEncoder().encode(escaped))).toBe(escaped)
    }),
  )
})

it('writes colours that readers of SVG 1.1 know', () => {
  expect(paintAttributes('stroke', 'rgb(0 114 178 / 0.35)')).toBe('stroke="#0072b2" stroke-opacity="0.35"')
  expect(paintAttributes('fill', 'url(#tile-1)')).toBe('fill="url(#tile-1)"')
})
