/** The kernel 'tuned' through the whole page: chosen by trials, said in the report, kept in the browser, found again, forgotten. */
import { expect, LONG, test } from './fixtures'
import { shortSettings, type Lab } from './lab'

const EXPERIMENT = 'async-submission'
/** A size of its own, so that every run asks for the same trials. */
const FIXED = { ...shortSettings(EXPERIMENT), kernel: 'tuned', repeats: '1', matrixSize: '100' }

async function tunedRun(lab: Lab) {
  const { status, report, fault } = await lab.runBare(EXPERIMENT, FIXED)
  if (!report) throw new Error(`The run ended as ${status}: ${fault?.message ?? ''}`)
  expect(report.validity).toEqual({ valid: true, reasons: [] })
  expect(report.verification.failed).toBe(0)
  expect(report.verification.checked).toBeGreaterThan(0)
  return report.derived
}

// Trials, and what is remembered of them: kernels.spec.
test(
  'the fastest kernel is found by trials, kept, and forgotten when the visitor says so',
  LONG,
  async ({ lab, page }) => {
    await lab.openRun(EXPERIMENT, FIXED)
    const forget = page.getByRole('contentinfo').getByRole('button', { name: 'Forget the trials' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    await expect(forget).toBeHidden()

    const first = await tunedRun(lab)
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
    expect(await tunedRun(lab)).toMatchObject({
      kernelOrigin: 'remembered',
      kernel: first['kernel'],
      kernelTrials: 0,
    })

    page.once('dialog', (dialog) => {
      dialog.accept().catch(() => undefined)
    })
    await forget.click()
    await expect(forget).toBeHidden()
    // A run has nothing left to remember.
    await page.reload()
    await expect(page.getByRole('contentinfo')).toBeVisible()
    await lab.environment()
    await expect(forget).toBeHidden()
  },
)
