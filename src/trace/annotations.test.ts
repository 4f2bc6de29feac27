import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { annotate, annotationsVersion, annotationText, reviseAnnotation } from './annotations'
import { MAX_ANNOTATION_CHARACTERS, MAX_ANNOTATIONS, type Trace } from './schema'
import { arbitraryTrace, newBuilder } from './testing/arbitrary-trace'

const NOW = '2026-11-21T12:00:00.000Z'
const LATER = '2026-11-21T12:00:01.000Z'
const draft = { startNs: 10, endNs: 20, lane: 0, text: 'here' }
function noted(trace: Trace, more: Partial<typeof draft> = {}, at = NOW): Trace {
  const result = annotate(trace, { ...draft, ...more }, at)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('notes', () => {
  it('have a text of one line, whole and within the limit, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (raw) => {
        const text = annotationText(raw)
        expect(text.length).toBeLessThanOrEqual(MAX_ANNOTATION_CHARACTERS)
        expect(text).not.toMatch(/\p{Cc}|\p{Cs}/u)
        expect(annotationText(text)).toBe(text)
      }),
    )
    expect(annotationText(`${'a'.repeat(499)}🙂`)).toBe('a'.repeat(499))
    expect(annotationText(' <b>a\n\tb</b> ')).toBe('<b>a b</b>')
  })

  it('leave the old trace as it was, and share its columns', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const before = trace.annotations
        const after = noted(trace)
        expect(trace.annotations).toBe(before)
        expect(after.spans).toBe(trace.spans)
        expect(after.annotations).toHaveLength(before.length + 1)
        const starts = after.annotations.map(({ startNs }) => startNs)
        expect(starts).toEqual(starts.toSorted((a, b) => a - b))
      }),
    )
  })

  it('are refused with the reason', () => {
    const trace = newBuilder().freeze()
    const reason = (more: object) => {
      const result = annotate(trace, { ...draft, ...more }, NOW)
      return result.ok ? '' : result.error
    }
    expect(reason({ text: ' \n' })).toContain('text')
    expect(reason({ endNs: 9 })).toContain('axis')
    expect(reason({ startNs: Number.NaN })).toContain('axis')
    expect(reason({ lane: 9 })).toContain('lane')
    let full = trace
    for (let count = 0; count < MAX_ANNOTATIONS; count += 1) full = noted(full)
    const more = annotate(full, draft, NOW)
    expect(more.ok ? '' : more.error).toContain('200')
  })

  it('are changed and taken away, and their mark tells', () => {
    const trace = newBuilder().freeze()
    expect(annotationsVersion(trace)).toBe('')
    const two = noted(noted(trace, { startNs: 15, text: 'second' }), {}, LATER)
    expect(two.annotations.map(({ text }) => text)).toEqual(['here', 'second'])
    const changed = reviseAnnotation(two, 1, 'other', LATER)
    expect(changed.annotations[1]).toMatchObject({ text: 'other', startNs: 15, createdAt: LATER })
    expect(reviseAnnotation(two, 1, 'second', LATER)).toBe(two)
    expect(reviseAnnotation(two, 1, '  ', LATER)).toBe(two)
    expect(reviseAnnotation(two, 7, null, LATER)).toBe(two)
    const one = reviseAnnotation(two, 0, null, LATER)
    expect(one.annotations.map(({ text }) => text)).toEqual(['second'])
    expect(new Set([trace, two, one].map(annotationsVersion)).size).toBe(3)
  })
})
