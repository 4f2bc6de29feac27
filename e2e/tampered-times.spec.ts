/** No verdict says 'shown' where the effect was taken out by a WebGPU that blocks, or gathers what is submitted. */
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { onTamperedPage } from './tampered-page'

/** Experiments whose effect is that submit() returns before the work is done. */
const NEED_ASYNCHRONY = ['async-submission', 'sync-stalls', 'overlapped-uploads', 'stay-on-device']

const reportOf = onTamperedPage()

for (const id of NEED_ASYNCHRONY)
  test(`${id}: not shown where submit() blocks for the time of the kernel`, async () => {
    const { verdict, metrics } = await reportOf(id, 'submit-blocks')
    expect(verdict.outcome, verdict.text).not.toBe('shown')
    const free = metrics.filter(({ name }) => name === 'host-free-ratio').map(({ value }) => value ?? 1)
    expect(Math.min(...free), 'submit() did block').toBeLessThan(0.6)
  })

test('command-queue: not shown where submits are gathered into one', async () => {
  const settings = { ...shortSettings('command-queue'), steps: '8', repeats: '6' }
  const { verification, verdict } = await reportOf('command-queue', 'submits-gathered', settings)
  expect(verification.failed).toBe(0)
  expect(verdict.outcome, verdict.text).not.toBe('shown')
})
