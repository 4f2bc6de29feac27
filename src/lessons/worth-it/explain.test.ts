/** What this lesson says of the processor it measured against, and of the size it was asked about. */
import { describe, expect, it } from 'vitest'
import { explainRun } from '../explain-run'
import { explained, lessonOf, metaOf } from '../testing/explained'
import { fakeQuote, fakeReport, quoted } from '../testing/fake-quote'

const lesson = lessonOf('worth-it')

describe('worth-it', () => {
  const withDerived = (derived: Readonly<Record<string, string | number>>) => {
    const report = fakeReport(lesson, metaOf(lesson), { reason: 'rule-holds', value: () => 0.5 })
    return explainRun(lesson, metaOf(lesson), fakeQuote({ ...report, derived })).join('\n')
  }

  it('says against which processor the device was measured, and where that was a poor one', () => {
    const good = { processorLibrary: 'a library', processorThreads: 8, processorNote: '', sizesLeftOut: '' }
    expect(withDerived(good)).toContain('with a library, on 8 threads')
    expect(withDerived(good)).not.toContain('too low')
    const poor = withDerived({
      ...good,
      processorThreads: 1,
      processorNote: 'plain code',
      sizesLeftOut: '1536 2048',
    })
    expect(poor).toContain('one thread')
    expect(poor).toContain('plain code), so every crossover here lies too low')
    expect(poor).toContain('n = 1536, 2048')
  })

  it('speaks of the size that was asked about, or of the next one that was run', () => {
    const text = (sizes: readonly string[]) =>
      explained(lesson, { reason: 'rule-holds', value: () => 0.5, values: { sizes } }).text
    expect(text(['64', '128', '512'])).toContain(quoted('kernel-share', 'round-trip-128'))
    expect(text(['64', '512', '1024'])).toContain(quoted('kernel-share', 'round-trip-512'))
    expect(text(['32', '64'])).toContain(quoted('kernel-share', 'round-trip-64'))
  })
})
