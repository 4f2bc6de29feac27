import { describe, expect, it } from 'vitest'
import { TextRuler } from './frame'

describe('TextRuler', () => {
  const ruler = () => new TextRuler((text) => text.length * 6)

  it('gives all, a beginning that says something, or nothing; never wider than the room', () => {
    const text = 'await onSubmittedWorkDone()'
    for (let room = 0; room < 200; room += 1) {
      const fitted = ruler().fit(text, room)
      expect(fitted.length * 6).toBeLessThanOrEqual(room)
      if (fitted !== '' && fitted !== text) expect(fitted.length).toBeGreaterThan(6)
    }
    expect(ruler().fit(text, 1000)).toBe(text)
  })

  it('cuts names in the middle, so that numbered ones still differ', () => {
    const ruler = new TextRuler((text) => text.length)
    expect(ruler.fitMiddle('pool worker 16', 14)).toBe('pool worker 16')
    expect(ruler.fitMiddle('pool worker 16', 10)).toBe('pool w… 16')
    expect(ruler.fitMiddle('pool worker 16', 2)).toBe('')
  })

  it('takes the longest wording given first', () => {
    expect(ruler().first(['a long wording', 'short'], 40)).toBe('short')
    expect(ruler().first(['a long wording', 'short'], 10)).toBe('')
  })
})
