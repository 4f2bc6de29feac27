/** The kernel 'tuned' through the whole page: chosen by trials, said in the report, kept in the browser, found again, forgotten. */
import { expect, IS_LONG, LONG, test } from './fixtures'
import { shortSettings, type Lab, type Settings } from './lab'
import { QUANTUM_NS, quantizeTimestamps } from './quantize-timestamps'
import { withoutTimestamps } from './without-timestamps'

const EXPERIMENT = 'async-submission'
const SETTINGS = { ...shortSettings(EXPERIMENT), kernel: 'tuned', repeats: '1' }

/** A size of its own, so that every run asks for the same trials. */
const FIXED = { ...SETTINGS, matrixSize: '100' }

async function tunedRun(lab: Lab, settings: Settings) {
  const { status, report, fault } = await lab.runBare(EXPERIMENT, settings)
  if (!report) throw new Error(`The run ended as ${status}: ${fault?.message ?? ''}`)
  expect(report.validity).toEqual({ valid: true, reasons: [] })
  expect(report.verification.failed).toBe(0)
  expect(report.verification.checked).toBeGreaterThan(0)
  return report.derived
}

test('the fastest kernel is found by trials, kept, and forgotten when the visitor says so', async ({
  lab,
  page,
}) => {
  await lab.openRun(EXPERIMENT, FIXED)
  const forget = page.getByRole('contentinfo').getByRole('button', { name: 'Forget the trials' })
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(forget).toBeHidden()

  const first = await tunedRun(lab, FIXED)
  expect(first).toMatchObject({
    kernelOrigin: 'measured',
    matrixSize: 100,
    kernelTrialShape: '100 × 100 × 100',
  })
  expect(String(first['kernel'])).toMatch(/^[A-Z][\w-]+ \d+×\d+/)
  expect(Number(first['kernelTrials'])).toBeGreaterThan(0)

  // Kept beyond the page, in the browser.
  await page.reload()
  await expect(forget).toBeVisible()
  expect(await tunedRun(lab, FIXED)).toMatchObject({
    kernelOrigin: 'remembered',
    kernel: first['kernel'],
    kernelTrials: 0,
  })

  page.once('dialog', (dialog) => {
    dialog.accept().catch(() => undefined)
  })
  await forget.click()
  await expect(forget).toBeHidden()
  // Nothing that a run could remember; in short the runs above are the trials.
  await page.reload()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await lab.environment()
  await expect(forget).toBeHidden()
  if (IS_LONG) expect(await tunedRun(lab, FIXED)).toMatchObject({ kernelOrigin: 'measured' })
})

// In short kernels.spec tries the trials.
test('a visitor who leaves size and kernel to the lab gets both', LONG, async ({ lab, page }) => {
  await lab.openRun(EXPERIMENT, SETTINGS)
  await lab.run()
  await lab.waitDone()
  const { report } = await lab.savedRun()
  expect(report?.verification.failed).toBe(0)
  expect(report?.derived).toMatchObject({ kernelOrigin: 'measured' })
  await expect(page.getByTestId('run-provenance')).toContainText(
    `${String(report?.derived['kernel'])} chosen for ${String(report?.derived['kernelTrialShape'])} by trials`,
  )
  // The trials' own passes stand in the trace as warm-ups, outside of every window.
  const { trace } = await lab.savedRun()
  expect(trace.strings).toContain('tuning')
  await expect(page.getByRole('button', { name: 'Forget the trials' })).toBeVisible()
})

test(
  'trials work with the coarse clock of an ordinary visitor, and with none',
  LONG,
  async ({ lab, page }) => {
    await test.step('timestamps in steps of 65.536 µs', async () => {
      await quantizeTimestamps(page)
      await lab.openRun(EXPERIMENT, FIXED)
      expect(await tunedRun(lab, FIXED)).toMatchObject({ kernelOrigin: 'measured' })
      expect((await lab.environment(true)).environment?.deviceClockStepNs).toBe(QUANTUM_NS)
    })
    await test.step('no timestamps: the host’s clock', async () => {
      await page.unroute(/worker-[^/]*\.js$/)
      await withoutTimestamps(page)
      await page.reload()
      const settings = { ...FIXED, matrixSize: '90' }
      const derived = await tunedRun(lab, settings)
      expect(derived).toMatchObject({ kernelOrigin: 'measured' })
      expect(Number(derived['kernelTrials'])).toBeGreaterThan(0)
      expect((await lab.environment(true)).environment?.deviceClockStepNs).toBeNull()
    })
  },
)

test('overlapped uploads take a tuned kernel too', LONG, async ({ lab }) => {
  const settings = { ...shortSettings('overlapped-uploads'), kernel: 'tuned' }
  await lab.openRun('overlapped-uploads', settings)
  const { report, fault } = await lab.runBare('overlapped-uploads', settings)
  expect(fault?.message ?? '').toBe('')
  expect(report?.verification.failed).toBe(0)
  expect(report?.derived).toMatchObject({ kernelOrigin: 'measured' })
})
