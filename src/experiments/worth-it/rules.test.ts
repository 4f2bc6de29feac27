/** What the explanation says of the CPU that was measured against, of the size that was asked about, and of the two rules of thumb. */
import { describe, expect, it } from 'vitest'
import { explain } from '../testing/explain'
import { explained, lessonOf, metaOf } from '../../lessons/testing/explained'
import { fakeQuote, fakeReport, quoted } from '../../lessons/testing/fake-quote'

const lesson = lessonOf('worth-it')

describe('worth-it', () => {
  const withDerived = (derived: Readonly<Record<string, string | number>>) => {
    const report = fakeReport(lesson, metaOf(lesson), { reason: 'rule-holds', value: () => 0.5 })
    return explain(metaOf(lesson), fakeQuote({ ...report, derived })).join('\n')
  }

  it('says against which CPU the device was measured, and where that was a poor one', () => {
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
    expect(poor).toContain('plain code), and every crossing here is too low')
    expect(poor).toContain('Left out at n = 1536, 2048')
    expect(withDerived(good)).not.toContain('Left out')
  })

  it('speaks of the size that was asked about, or of the next one that was run', () => {
    const text = (sizes: readonly string[]) =>
      explained(lesson, { reason: 'cpu-always-wins', value: () => 0.5, values: { sizes } }).text
    expect(text(['64', '128', '512'])).toContain(quoted('kernel-share', 'round-trip-128'))
    expect(text(['64', '512', '1024'])).toContain(quoted('kernel-share', 'round-trip-512'))
    expect(text(['32', '64'])).toContain(quoted('kernel-share', 'round-trip-64'))
  })

  it('says which sizes there was no time for', () => {
    expect(withDerived({ sizesSkipped: '' })).not.toContain('Skipped')
    expect(withDerived({ sizesSkipped: '32 64' })).toContain('Skipped for lack of time: n = 32, 64.')
    const both = withDerived({ sizesSkipped: '32 512', sizesLeftOut: '512' })
    expect(both, 'no size is given two reasons').toContain('Skipped for lack of time: n = 32.')
  })

  it('names each rule of thumb', () => {
    const { text } = explained(lesson, { reason: 'rule-holds', value: () => 1.2 })
    for (const rule of ['rule-n', 'rule-compute-n', 'rule-latency-n'])
      expect(text).toContain(quoted(rule, 'round-trip'))
  })
})
