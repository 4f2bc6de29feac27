import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Annotation } from '../trace/schema'
import { flagAt, noteFlags } from './notes'
import { makeScale } from './scale'
import { TextRuler } from './text'

const ruler = new TextRuler((text) => text.length * 6)
const note = (startNs: number, endNs = startNs, text = 'a note of some words'): Annotation => ({
  startNs,
  endNs,
  lane: null,
  text,
  createdAt: '2026-01-02T03:04:05Z',
})
const scale = makeScale({ startNs: 0, endNs: 1000 }, 100, 1100)

describe('noteFlags', () => {
  it('says every note in view once, in flags that do not lie on each other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -300, max: 1300 }), fc.nat(400)), { maxLength: 60 }),
        (given) => {
          const notes = given
            .map(([start, length]) => note(start, start + length))
            .toSorted((a, b) => a.startNs - b.startNs)
          const flags = noteFlags(notes, scale, ruler)
          const inView = notes.flatMap(({ startNs, endNs }, index) =>
            endNs >= 0 && startNs <= 1000 ? [index] : [],
          )
          expect(flags.flatMap((flag) => [...flag.notes])).toEqual(inView)
          for (const [index, { leftPx, widthPx }] of flags.entries()) {
            expect(leftPx).toBeGreaterThanOrEqual(scale.leftPx)
            expect(leftPx + widthPx).toBeLessThanOrEqual(flags[index + 1]?.leftPx ?? scale.rightPx)
          }
        },
      ),
    )
  })

  it('joins flags that collide and counts them', () => {
    const flags = noteFlags([note(500), note(502), note(505), note(700)], scale, ruler)
    expect(flags.map(({ text }) => text)).toEqual(['3 notes', 'a note of some words'])
    expect(flagAt(flags, flags[0]?.leftPx ?? 0)?.notes).toEqual([0, 1, 2])
    expect(flagAt(flags, 300)).toBeNull()
  })

  it('cuts a text to its room', () => {
    const [first] = noteFlags([note(500), note(580)], scale, ruler)
    expect(first?.text.endsWith('…')).toBe(true)
    expect(first?.widthPx).toBeLessThanOrEqual(80)
  })
})

describe('the text of a flag', () => {
  it('is one line of many, and ends direction marks with the text', () => {
    const shown = (text: string) => noteFlags([{ ...note(500), text }], scale, ruler)[0]?.text
    expect(shown(' two\n\tlines ')).toBe('two lines')
    expect(shown('a\u202eb')).toBe('\u2068a\u202eb\u2069')
  })
})
