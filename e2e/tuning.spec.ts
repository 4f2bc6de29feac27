/** The kernel 'tuned' through the whole page: chosen by trials, said in the report, kept in the browser, found again, forgotten. */
import { expect, test } from './fixtures'
import { shortSettings, type Lab } from './lab'

const EXPERIMENT = 'async-submission'
const SETTINGS = { ...shortSettings(EXPERIMENT), kernel: 'tuned', repeats: '1' }

async function tunedRun(lab: Lab) {
  const { status, report, fault } = await lab.runBare(EXPERIMENT, SETTINGS)
  if (!report) throw new Error(`The run ended as ${status}: ${fault?.message ?? ''}`)
  expect(report.verification.failed).toBe(0)
  expect(report.verification.checked).toBeGreaterThan(0)
  return report.derived
}

test('the fastest kernel is found by trials, kept, and forgotten when the visitor says so', async ({
  lab,
  page,
}) => {
  await lab.openRun(EXPERIMENT, SETTINGS)
  const footer = page.getByRole('contentinfo')
  const forget = footer.getByRole('button', { name: 'Forget the trials' })
  await expect(forget).toBeHidden()

  const first = await tunedRun(lab)
  expect(first).toMatchObject({ kernelOrigin: 'measured' })
  expect(String(first['kernel'])).toMatch(/^[A-Z][\w-]+ \d+×\d+/)
  expect(Number(first['kernelTrials'])).toBeGreaterThan(0)
  await expect(forget).toBeVisible()

  // Kept beyond the page. The size may differ from run to run; what was tuned near it serves.
  await page.reload()
  await expect(forget).toBeVisible()
  const again = await tunedRun(lab)
  if (again['kernelTrialShape'] === first['kernelTrialShape']) {
    expect(again).toMatchObject({ kernelOrigin: 'remembered', kernel: first['kernel'], kernelTrials: 0 })
  }

  page.once('dialog', (dialog) => {
    dialog.accept().catch(() => undefined)
  })
  await forget.click()
  await expect(forget).toBeHidden()
})

test('a size that was asked for is tuned exactly, and remembered', async ({ lab }) => {
  await lab.openRun(EXPERIMENT, SETTINGS)
  const settings = { ...SETTINGS, matrixSize: '100' }
  const origins: unknown[] = []
  for (let run = 0; run < 2; run += 1) {
    const { report } = await lab.runBare(EXPERIMENT, settings)
    expect(report?.derived).toMatchObject({ matrixSize: 100, kernelTrialShape: '100 × 100 × 100' })
    expect(report?.verification.failed).toBe(0)
    origins.push(report?.derived['kernelOrigin'])
  }
  expect(origins).toEqual(['measured', 'remembered'])
})

test('overlapped uploads take a tuned kernel too', async ({ lab }) => {
  const settings = { ...shortSettings('overlapped-uploads'), kernel: 'tuned' }
  await lab.openRun('overlapped-uploads', settings)
  const { report, fault } = await lab.runBare('overlapped-uploads', settings)
  expect(fault?.message ?? '').toBe('')
  expect(report?.verification.failed).toBe(0)
  expect(report?.derived).toMatchObject({ kernelOrigin: 'measured' })
})
