/** What the intervals allow this lesson to say. */
import { describe, expect, it } from 'vitest'
import { explained, lessonOf } from '../testing/explained'
import { quoted, VERDICT_TEXT, type FakeOptions } from '../testing/fake-quote'

const lesson = lessonOf('sync-stalls')

describe('sync-stalls', () => {
  it('a kernel ran later, not slower, unless its own time says otherwise', () => {
    const kernel = (every: number): Pick<FakeOptions, 'value' | 'spread'> => ({
      value: (name, variant) => (name === 'kernel-ms' && variant === 'every-step' ? every : 1),
      spread: 0.1,
    })
    const reason = 'stall-dominates'
    expect(explained(lesson, { reason, ...kernel(1) }).text).toContain('it ran later')
    expect(explained(lesson, { reason, ...kernel(3) }).text).toContain('took longer too')
    expect(explained(lesson, { reason, ...kernel(0.2) }).text).toContain('took less time')
  })

  it('does not speak of a spread where there was nothing to compare', () => {
    const reason = 'intervals-overlap'
    const only = explained(lesson, { reason, value: () => 1, values: { every: ['never'] } })
    expect(only.text).toBe(VERDICT_TEXT)
  })

  it('never blames the shape', () => {
    const { text } = explained(lesson, { reason: 'host-bound', value: () => 0.5, values: { read: 'shape' } })
    expect(text).toContain('The shape cannot be the cause')
  })

  it('falls back on the variant that reads most often among those run', () => {
    const { text } = explained(lesson, {
      reason: 'stall-dominates',
      value: () => 0.5,
      values: { every: ['never', 'every-16', 'every-64'] },
    })
    expect(text).toContain(quoted('device-busy-ratio', 'every-16'))
    expect(text).toContain(quoted('step-ms', 'every-64'))
    expect(text).not.toContain('every-step')
  })
})
