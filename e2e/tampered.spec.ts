/** No verdict says 'shown' where a WebGPU leaves out work or uploads, or stamps nonsense. One page for the file: its device is measured once. */
import type { Page } from '@playwright/test'
import type { Report } from '../src/trace/report'
import { expect, test } from './fixtures'
import { LabPage, shortSettings } from './lab'
import { installTampering, tamper, type Tampering } from './tamper'

let page: Page
let lab: LabPage
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage()
  await installTampering(page)
  lab = new LabPage(page)
  await lab.openRun('async-submission')
  await lab.environment(true)
})
test.afterAll(async () => {
  await page.close()
})

/** @throws Error where no report came of it */
async function reportOf(experiment: string, tampering: Tampering): Promise<Report> {
  await tamper(page, tampering)
  const outcome = await lab.runBare(experiment, shortSettings(experiment))
  if (outcome.status !== 'done' || !outcome.report)
    throw new Error(`${experiment}: ${JSON.stringify(outcome)}`)
  return outcome.report
}

test('a valid run where nothing was tampered with', async () => {
  const { validity, verification } = await reportOf('async-submission', 'none')
  expect(validity).toEqual({ valid: true, reasons: [] })
  expect(verification.failed).toBe(0)
})

/** One of each kind: src/site/worker/injected.test leaves work out of each, on a fake device. */
for (const [id, tampering, why] of [
  ['async-submission', 'work-skipped', 'every second dispatch is skipped'],
  ['kernel-ladder', 'work-skipped', 'every second dispatch is skipped'],
  ['staging-buffers', 'uploads-dropped', 'no upload arrives'],
] as const)
  test(`${id}: invalid where ${why}`, async () => {
    const { verdict, verification } = await reportOf(id, tampering)
    expect(verification.failed).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'run-invalid' })
  })

/** Each of the three once: one clock refuses them all (src/trace/clock.test and place.test). */
for (const [id, tampering] of [
  ['async-submission', 'stamps-zero'],
  ['tensor-residence', 'stamps-swapped'],
  ['kernel-ladder', 'stamps-frozen'],
] as const)
  test(`${id}: claims nothing of the device's clock with ${tampering}`, async () => {
    const { verdict, metrics, clock } = await reportOf(id, tampering)
    // With stamps in steps of 65.5 µs a pass that is shorter has no length either way round, and a
    // run of such passes looks the same.
    test.skip(
      tampering === 'stamps-swapped' && test.info().project.name === 'gpu' && clock.state === 'fitted',
      'the passes are too short for the clock’s steps: swapped, their stamps are as before',
    )
    expect(clock.state).not.toBe('fitted')
    for (const { name, variant, origin, value } of metrics)
      if (origin === 'device-clock') expect(value, `${name} ${variant}`).toBeNull()
    // These are worked out from the time of passes.
    for (const { name, variant, value } of metrics)
      if (/^(kernel-share|not-kernel-share|rest-ms|completion-lag-ms)$/.test(name))
        expect(value, `${name} ${variant}`).toBeNull()
    expect(verdict.text).not.toMatch(/device was busy|it started ran|NaN|Infinity/)
    // It compares kernels by the device's clock alone.
    if (id === 'kernel-ladder') expect(verdict.outcome, verdict.text).not.toBe('shown')
  })
