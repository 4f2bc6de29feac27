/** A picture as SVG is opened by whatever opens files: a browser among them, with the rights of the page that shows it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SvgContext } from './svg-context'
import { escapeXml } from './svg-text'

const measurer = {
  font: '',
  measureText: (text: string) =>
    ({ width: 6 * text.length, fontBoundingBoxAscent: 10, fontBoundingBoxDescent: 4 }) as TextMetrics,
}

/** What the context writes of elements and attributes; nothing that runs, loads or links. */
const ELEMENTS = new Set(['text', 'path', 'g', 'clipPath'])
const ATTRIBUTES = new Set([
  'x',
  'y',
  'd',
  'id',
  'fill',
  'stroke',
  'text-anchor',
  'textLength',
  'lengthAdjust',
  'clip-path',
  'font-family',
  'font-size',
  'font-weight',
  'fill-opacity',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
])
/** XML 1.0 §2.2. */
const NOT_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const TAG = /<(\/?)([A-Za-z]+)((?: [A-Za-z-]+="[^"<>]*")*)\/?>/g

/** Takes the markup apart; throws where what is left is not text. */
function markupOf(svg: string): {
  readonly elements: readonly string[]
  readonly attributes: readonly string[]
} {
  const [elements, attributes]: [string[], string[]] = [[], []]
  const text = svg.replace(TAG, (_, close: string, element: string, rest: string) => {
    if (close === '') elements.push(element)
    for (const [, attribute = '', value = ''] of rest.matchAll(/ ([A-Za-z-]+)="([^"]*)"/g)) {
      attributes.push(attribute)
      // The name of a face is looked up among the faces there are, and never loaded.
      if (attribute !== 'font-family') expect(value).not.toMatch(/javascript:|data:|https?:|url\((?!#)/i)
      expect(value).toMatch(/^(?:[^&]|&(?:amp|lt|gt|quot);)*$/)
    }
    return ''
  })
  expect(text).not.toMatch(/[<>]/)
  expect(text).toMatch(/^(?:[^&]|&(?:amp|lt|gt|quot);)*$/)
  return { elements, attributes }
}

function picture(name: string): string {
  const context = new SvgContext(measurer, 1000)
  context.font = `400 12px ${name}, sans-serif`
  context.save()
  context.beginPath()
  context.rect(0, 0, 100, 100)
  context.clip()
  context.fillRect(0, 0, 10, 10)
  context.fillText(name, 1, 2)
  context.restore()
  const { body, clips } = context.finish()
  return `${clips}${body}`
}

const NAMES = [
  '<script>alert(1)</script>',
  '</text><script href="https://example.org/x.js"/>',
  '"><image href="javascript:alert(1)" onload="alert(1)"/>',
  "' onload='alert(1)",
  ']]><!--<?xml-stylesheet href="x"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;',
  '\u0000\u0007\u001b[31m\ud800\uffff\ud83d\ude00',
]

it.each(NAMES)('whatever a span is called, it is text: %j', (name) => {
  const svg = picture(name)
  expect(svg).not.toMatch(NOT_CHARACTERS)
  const { elements, attributes } = markupOf(svg)
  expect(elements).toEqual(['clipPath', 'path', 'g', 'path', 'text'])
  expect(elements.every((element) => ELEMENTS.has(element))).toBe(true)
  expect(attributes.filter((attribute) => !ATTRIBUTES.has(attribute))).toEqual([])
})

it('whatever it is called at all', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      '/',
      '=',
      ';',
      ':',
      '!',
      '-',
      '[',
      ']',
      ' ',
      'script',
      'on',
      '\u0000',
      '\ud800',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (parts) => {
      const name = parts.join('')
      const svg = picture(name)
      expect(svg).not.toMatch(NOT_CHARACTERS)
      expect(markupOf(svg).elements.filter((element) => element === 'text')).toHaveLength(name === '' ? 0 : 1)
      expect(markupOf(`<text x="1">${escapeXml(name)}</text>`).elements).toEqual(['text'])
    }),
    { numRuns: 500 },
  )
})
