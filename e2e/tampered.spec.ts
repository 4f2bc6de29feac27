/**
 * No verdict says 'shown' where the effect was taken out: under the experiments lies a WebGPU that blocks, leaves out work or uploads, or
 * stamps nonsense. One page for all of it, so that the device is opened and measured once.
 */
import type { Page } from '@playwright/test'
import { experiments } from '../cli/catalog'
import type { Report } from '../src/trace/report'
import { expect, test } from './fixtures'
import { Lab, shortSettings } from './lab'
import { installTampering, tamper, type Tampering } from './tamper'

/** Experiments whose effect is that submit() returns before the work is done. */
const NEED_ASYNCHRONY = ['async-submission', 'sync-stalls', 'overlapped-uploads', 'stay-on-device']
/** Experiments that compare kernels by the device's clock alone. */
const NEED_STAMPS = ['kernel-ladder']
/** Their programs run in workers that a worker starts, whose scripts Playwright does not route: what lies below them is the browser's own. */
const ON_RANKS = ['collectives', 'ranks']
const ALL = experiments.map(({ id }) => id).filter((id) => !ON_RANKS.includes(id))
/** Those that have staging buffers: their metrics name an upload, a fill or a transfer. */
const UPLOADING = experiments
  .filter(({ metrics }) => metrics.some(({ name }) => /^(fill|upload|transfer|host-copy)-/.test(name)))
  .map(({ id }) => id)

test.describe.configure({ mode: 'serial' })
let page: Page
let lab: Lab
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage()
  await installTampering(page)
  lab = new Lab(page)
  await lab.openRun('async-submission')
  await lab.environment(true)
})
test.afterAll(async () => {
  await page.close()
})

async function reportOf(experiment: string, tampering: Tampering): Promise<Report> {
  await tamper(page, tampering)
  const outcome = await lab.runBare(experiment)
  if (outcome.status !== 'done' || !outcome.report)
    throw new Error(`${experiment}: ${JSON.stringify(outcome)}`)
  return outcome.report
}

test('a WebGPU that was not tampered with gives a valid run', async () => {
  const { validity, verification } = await reportOf('async-submission', 'none')
  expect(validity).toEqual({ valid: true, reasons: [] })
  expect(verification.failed).toBe(0)
})

for (const id of NEED_ASYNCHRONY)
  test(`${id}: not shown where submit() blocks for the time of the kernel`, async () => {
    const { verdict, metrics } = await reportOf(id, 'submit-blocks')
    expect(verdict.outcome, verdict.text).not.toBe('shown')
    const free = metrics.filter(({ name }) => name === 'host-free-ratio').map(({ value }) => value ?? 1)
    expect(Math.min(...free), 'submit() did block').toBeLessThan(0.6)
  })

test('command-queue: not shown where submits are gathered into one', async () => {
  await tamper(page, 'submits-gathered')
  const settings = { ...shortSettings('command-queue'), steps: '8', repeats: '6' }
  const { report } = await lab.runBare('command-queue', settings)
  expect(report?.verification.failed).toBe(0)
  expect(report?.verdict.outcome, report?.verdict.text).not.toBe('shown')
})

for (const id of ALL)
  test(`${id}: invalid where every second dispatch is skipped`, async () => {
    const { verdict, verification } = await reportOf(id, 'work-skipped')
    expect(verification.failed).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'run-invalid' })
  })

test('more than one experiment uploads', () => {
  expect(UPLOADING.length).toBeGreaterThan(1)
})
for (const id of UPLOADING)
  test(`${id}: invalid where no upload arrives`, async () => {
    const { verdict, verification } = await reportOf(id, 'uploads-dropped')
    expect(verification.failed).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'run-invalid' })
  })

for (const tampering of ['stamps-zero', 'stamps-swapped', 'stamps-frozen'] as const)
  for (const id of ALL)
    test(`${id}: claims nothing of the device's clock with ${tampering}`, async () => {
      const { verdict, metrics, clock } = await reportOf(id, tampering)
      // With stamps in steps of 65.5 µs a pass that is shorter has no length either way round, and a run of such passes looks the same.
      test.skip(
        tampering === 'stamps-swapped' && test.info().project.name === 'gpu' && clock.state === 'fitted',
        'the passes are too short for the clock’s steps: swapped, their stamps are as before',
      )
      expect(clock.state).not.toBe('fitted')
      for (const { name, variant, origin, value } of metrics)
        if (origin === 'device-clock') expect(value, `${name} ${variant}`).toBeNull()
      // What these are worked out from is the time of passes.
      for (const { name, variant, value } of metrics)
        if (/^(kernel-share|not-kernel-share|rest-ms|completion-lag-ms)$/.test(name))
          expect(value, `${name} ${variant}`).toBeNull()
      expect(verdict.text).not.toMatch(/device was busy|it started ran|NaN|Infinity/)
      if (NEED_STAMPS.includes(id)) expect(verdict.outcome, verdict.text).not.toBe('shown')
    })
