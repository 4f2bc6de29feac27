/** What this lesson says of the rungs: the fastest, those that went backwards, those left out. */
import { describe, expect, it } from 'vitest'
import { explainRun } from '../explain-run'
import { explained, lessonOf, metaOf } from '../testing/explained'
import { fakeQuote, fakeReport, quoted, type FakeOptions } from '../testing/fake-quote'

const lesson = lessonOf('kernel-ladder')

describe('kernel-ladder', () => {
  /** Kernel times by rung; everything else 1, intervals of ±10 %. */
  const kernels = (byRung: Record<string, number>, more: Partial<FakeOptions> = {}): string =>
    explained(lesson, {
      reason: 'transfers-take-over',
      value: (name, variant) => (name === 'kernel-ms' ? (byRung[variant] ?? 1) : 1),
      spread: 0.1,
      ...more,
    }).text

  it('speaks of the fastest rung, whichever it is', () => {
    expect(kernels({ naive: 9, tiled: 0.5 })).toContain(`**tiled** took ${quoted('kernel-ms', 'tiled')}`)
    expect(kernels({ naive: 0.5 })).toContain('No kernel was faster than the first, **naive**')
  })

  it('names rungs that went backwards, only where the intervals are apart, and why on software', () => {
    const slower = { naive: 1, coalesced: 1, tiled: 5, 'register-blocked': 1 }
    expect(kernels(slower)).toContain('**tiled** took')
    expect(kernels(slower)).toContain('longer than the rung before it, **coalesced**')
    expect(kernels(slower)).not.toContain('On a software adapter that is normal')
    expect(kernels(slower, { environment: { isSoftware: true } })).toContain(
      'On a software adapter that is normal',
    )
    expect(kernels({ tiled: 1.1 })).not.toContain('longer than the rung before it')
  })

  it('says what was left out', () => {
    const report = fakeReport(lesson, metaOf(lesson), { reason: 'ladder-climbs', value: () => 0.5 })
    const derived = { leftOut: 'subgroups: it needs a feature.' }
    expect(explainRun(lesson, metaOf(lesson), fakeQuote({ ...report, derived })).join('\n')).toContain(
      'subgroups: it needs',
    )
  })
})
