/**
 * The page 'Record your own page': recorder.js records a program on the lab itself, and the lab's
 * own viewer shows its waits.
 */
import { existsSync } from 'node:fs'
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { recordingPath } from './recordings'

test('the trial is recorded on the page: lanes, verdict, and a wait with its line', async ({ lab, page }) => {
  await lab.open('/trace')
  await page.getByRole('link', { name: 'Record your own page' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Record your own page')
  const text = await page.getByTestId('trial').locator('.code').innerText()
  const [, line = ''] = /(\d+)\s+await readback/.exec(text) ?? []
  expect(Number(line)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Run and record it' }).click()
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  const findings = page.getByTestId('page-findings')
  // The line of the awaited mapAsync, and what comes of it.
  await expect(findings.locator('code').first()).toHaveText(/\/trial[^/]*\.js:\d+ \(trial\)$/)
  await expect(findings).toContainText(`:${line} (trial)`)
  await expect(findings).toContainText(
    /^What the page’s scripts doWithout reading results back, the recorded work would take/,
  )
  await expect(page.getByTestId('verdict-sentence')).toBeInViewport()
  // Host, queue, staging and device.
  await expect(page.getByTestId('trace-facts')).toContainText(/[4-9] lanes/)
  // Everything is as before: it can be run once more.
  await page.goBack()
  await page.getByRole('button', { name: 'Run and record it' }).click()
  await expect(findings).toContainText(`:${line} (trial)`)
})

test('a trial that computes something else is not shown', async ({ lab, page }) => {
  await page.route(/\/trial[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('+= 1.0', '+= 2.0') })
  })
  await lab.open('/record')
  await page.getByRole('button', { name: 'Run and record it' }).click()
  await expect(page.getByRole('alert')).toContainText('The last number is 19 instead of 15')
  await expect(page.getByTestId('page-findings')).toHaveCount(0)
})

test('the kept recording opens, and is what the command’s words are of', async ({ lab, page }) => {
  await lab.open('/record')
  const printed = await page.locator('pre.record-printed').innerText()
  const libraries = page.getByTestId('record-libraries').getByRole('link')
  const kept = await libraries.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(kept.length).toBeGreaterThan(1)
  for (const address of kept)
    expect(existsSync(recordingPath(`libraries/${address.split('library-')[1] ?? ''}.hdl.gz`)), address).toBe(
      true,
    )
  await page.getByRole('button', { name: 'Open a recording' }).click()
  const sentence = page.getByTestId('page-findings').locator('li p').first()
  await expect(sentence).not.toHaveText('')
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
  expect(plain(printed)).toContain(plain(await sentence.innerText()))
  await noViolationInAnyLook(page)
})
