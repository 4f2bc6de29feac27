/** What the intervals allow this lesson to say. */
import { describe, expect, it } from 'vitest'
import { explained, lessonOf, stepTimes } from '../testing/explained'

const lesson = lessonOf('async-submission')

describe('async-submission', () => {
  it('awaiting each step costs time only where the intervals are apart', () => {
    const reason = 'host-runs-ahead'
    expect(explained(lesson, { reason, ...stepTimes({ 'await-each': 9 }) }).text).toContain(
      'made a step take',
    )
    expect(explained(lesson, { reason, ...stepTimes({ 'await-each': 1.5 }) }).text).toContain('overlap')
    expect(explained(lesson, { reason, ...stepTimes({ queued: 9 }) }).text).toContain('shorter when')
  })
})
