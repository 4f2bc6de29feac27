/** What the intervals allow this lesson to say. */
import { describe, expect, it } from 'vitest'
import { explained, lessonOf, stepTimes } from '../testing/explained'
import { VERDICT_TEXT } from '../testing/fake-quote'

const lesson = lessonOf('overlapped-uploads')

describe('overlapped-uploads', () => {
  it('does not speak of a spread where there was nothing to compare', () => {
    const reason = 'intervals-overlap'
    const nothing = explained(lesson, { reason, value: () => null })
    expect(nothing.text).toBe(VERDICT_TEXT)
  })

  it('a ring of one gains nothing, or something, as measured', () => {
    const reason = 'overlap'
    const alike = explained(lesson, { reason, ...stepTimes({}) }).text
    expect(alike).toContain('gained nothing that can be told from serial')
    const split = explained(lesson, {
      reason,
      ...stepTimes({ serial: 9 }),
      values: { submission: 'split' },
    }).text
    expect(split).toContain('Even a ring of one beat serial')
  })

  it('says that serial took more than the sum only where it did', () => {
    const reason = 'overlap'
    const sum = (serial: number) => explained(lesson, { reason, ...stepTimes({ serial }) }).text
    expect(sum(9)).toContain('more than the sum')
    expect(sum(2)).not.toContain('more than the sum')
  })

  it('names the ring it speaks of, also where only deep ones were run', () => {
    const { text } = explained(lesson, { reason: 'overlap', value: () => 1, values: { rings: ['4'] } })
    expect(text).toContain('a ring of 4')
    expect(text).not.toContain('ring-2')
  })
})
