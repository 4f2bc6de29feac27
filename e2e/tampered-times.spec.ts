/** No verdict says 'shown' where the effect was taken out by a WebGPU that blocks, or gathers what is submitted. */
import type { Report } from '../src/trace/report'
import { expect, LONG, test } from './fixtures'
import { shortSettings, type Settings } from './lab'
import { onTamperedPage } from './tampered-page'

/** Experiments whose effect is that submit() returns before the work is done. */
const NEED_ASYNCHRONY = ['async-submission', 'sync-stalls', 'overlapped-uploads', 'stay-on-device']

const reportOf = onTamperedPage()

/** A read's own latency, most of a millisecond, is left in: the kernel is to be longer, or waiting for it is half of a step after all. */
const LONGER: Readonly<Record<string, Settings>> = { 'sync-stalls': { kernelMs: '6' } }

// In short one that blocks and one that gathers: evidence of ranks and collectives without the effect is in their unit tests.
for (const id of NEED_ASYNCHRONY)
  test(
    `${id}: not shown where submit() blocks for the time of the kernel`,
    id === 'async-submission' ? {} : LONG,
    async () => {
      const { verdict, metrics } = await reportOf(id, 'submit-blocks', {
        ...shortSettings(id),
        ...LONGER[id],
      })
      expect(verdict.outcome, verdict.text).not.toBe('shown')
      const free = metrics.filter(({ name }) => name === 'host-free-ratio').map(({ value }) => value ?? 1)
      expect(Math.min(...free), 'submit() did block').toBeLessThan(0.6)
    },
  )

test('command-queue: not shown where submits are gathered into one', async () => {
  // A step's kernels are as many as are gathered: each submit is then one of the variant with command buffers of their own.
  const settings = { ...shortSettings('command-queue'), kernels: '16', steps: '8', repeats: '6' }
  const { verification, verdict } = await reportOf('command-queue', 'submits-gathered', settings)
  expect(verification.failed).toBe(0)
  expect(verdict.outcome, verdict.text).not.toBe('shown')
})

const valueOf = ({ metrics }: Report, name: string, variant: string): number =>
  metrics.find((metric) => metric.name === name && metric.variant === variant)?.value ?? Number.NaN

test('ranks: not shown where a rank that is alone hears late of its rows', LONG, async () => {
  const report = await reportOf('ranks', 'alone-slow')
  expect(report.verification.failed).toBe(0)
  expect(report.verdict.outcome, report.verdict.text).not.toBe('shown')
  expect(valueOf(report, 'speedup', 'two-ranks'), 'it did wait').toBeGreaterThan(1)
})

test(
  'collectives: not shown where messages cost so much that bytes cost nothing beside it',
  LONG,
  async () => {
    // A message of more than one piece costs more of them.
    const report = await reportOf('collectives', 'messages-slow', { sizes: '1,16,64', repeats: '3' })
    expect(report.verification.failed).toBe(0)
    expect(report.verdict.outcome, report.verdict.text).not.toBe('shown')
    expect(valueOf(report, 'message-us', 'pair-2x1'), 'each did cost so much').toBeGreaterThan(2000)
  },
)
