/** What the explanation says of the CPU that was measured against, of the size that was asked about, and of the rules of thumb. */
import { expect, it } from 'vitest'
import type { Evidence } from '../run-types'
import { quoted } from '../testing/explain'
import { explainedBy, judging } from '../testing/explained-by'
import { factsOf, fakeMetrics, FakeRun } from '../testing/fake-evidence'
import { worthIt as declared } from './meta'
import { rules } from './verdict.md'

const { experiment } = judging(declared, rules)

/** Every figure is 0.5. */
function text(reason: string, { params = {}, derived = {} }: Partial<Evidence>): string {
  const values = declared.valuesOf(params)
  const metrics = declared.metricKeys(values).map(({ name, variant }) => [`${name} ${variant}`, 0.5] as const)
  const facts = factsOf(
    fakeMetrics(Object.fromEntries(metrics)),
    new FakeRun().evidence({ params: values, derived }),
  )
  return explainedBy(experiment, facts, { reason, outcome: 'shown', text: '' })
}
const withDerived = (derived: Evidence['derived']) => text('rule-holds', { derived })

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

it.each([
  [['64', '128', '512'], 128],
  [['64', '512', '1024'], 512],
  [['32', '64'], 64],
])('of %j, speaks of the size that was asked about, or of the next one that was run', (sizes, asked) =>
  expect(text('cpu-always-wins', { params: { sizes } })).toContain(
    quoted('kernel-share', `round-trip-${String(asked)}`),
  ),
)

it('says which sizes there was no time for', () => {
  expect(withDerived({ sizesSkipped: '' })).not.toContain('Skipped')
  expect(withDerived({ sizesSkipped: '32 64' })).toContain('Skipped for lack of time: n = 32, 64.')
  const both = withDerived({ sizesSkipped: '32 512', sizesLeftOut: '512' })
  expect(both, 'no size is given two reasons').toContain('Skipped for lack of time: n = 32.')
})

it('names each rule of thumb', () => {
  for (const rule of ['rule-n', 'rule-compute-n', 'rule-latency-n'])
    expect(withDerived({})).toContain(quoted(rule, 'round-trip'))
})
