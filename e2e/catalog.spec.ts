/**
 * Every lesson from its link to its last question, with a small run on the real queue: predict, run, compare, explain, answer. The run
 * is checked by its own report, read back from what the page would save.
 */
import { findExperiment } from '../cli/catalog'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { lessonIds } from './lesson-folders'

test('the home page leads to every lesson, and to no other', async ({ lab, page }) => {
  await lab.open('/')
  const links = page.getByRole('main').locator('a[href^="#/lessons/"]')
  await expect(links.first()).toBeVisible()
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const linked = new Set(hrefs.map((href) => href.replace(/^#\/lessons\/|\?.*$/g, '')))
  expect([...linked].sort()).toEqual([...lessonIds].sort())
})

for (const id of lessonIds) {
  test(`${id}: predicted, run, verified, explained`, async ({ lab, page }) => {
    await lab.openLesson(id, shortSettings(id))

    await test.step('Run waits for a prediction, and says so', async () => {
      await expect(page.getByText(/predict first/i).first()).toBeVisible()
      await lab.runInVain()
    })
    await test.step('predict and run', async () => {
      await lab.predict()
      await expect(lab.runButton).toHaveAttribute('aria-disabled', 'false')
      await lab.run()
      await lab.waitDone()
    })
    await test.step('prediction against measurement', async () => {
      const result = page.getByTestId('prediction-result')
      await expect(result).toContainText('You said')
      await expect(result).toContainText('Measured')
    })
    await test.step('the run is valid and its results are right', async () => {
      const { report } = await lab.savedRun()
      if (!report) throw new Error('The saved run holds no report.')
      expect(report.validity).toEqual({ valid: true, reasons: [] })
      expect(report.verification.checked).toBeGreaterThan(0)
      expect(report.verification.failed).toBe(0)
      expect(report.environment.isSoftware).toBe(test.info().project.name !== 'gpu')
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-outcome', report.verdict.outcome)
    })
    await test.step('all figures are there', async () => {
      await page.getByRole('tab', { name: 'All figures' }).click()
      const table = page.getByTestId('metrics')
      for (const { name } of findExperiment(id)?.metrics ?? []) await expect(table).toContainText(name)
    })
    await test.step('the explanation quotes this run', async () => {
      const explanation = page.getByTestId('explanation')
      await expect(explanation).not.toContainText('It is written once there is one')
      await expect(explanation).toContainText(/\d/)
      await expect(explanation).not.toContainText(/undefined|NaN|\[object|Infinity/)
    })
    await test.step('every question answers back', async () => {
      const items = page.getByTestId('quiz').locator('.quiz-item')
      expect(await items.count()).toBeGreaterThanOrEqual(3)
      for (const item of await items.all()) {
        const options = item.getByRole('button')
        for (const option of await options.all()) {
          if ((await option.getAttribute('aria-disabled')) === 'false') await option.click()
        }
        // Once the right one is found, each option has its explanation.
        await expect(item.locator('.quiz-explanation')).toHaveCount(await options.count())
        await expect(item.getByText('Right', { exact: true })).toBeVisible()
      }
    })
  })
}

test('a skipped prediction lets run, and stays known as skipped', async ({ lab, page }) => {
  await lab.openLesson('async-submission', shortSettings('async-submission'))
  await page.getByRole('button', { name: 'Skip the prediction' }).click()
  await lab.run()
  await lab.waitDone()
  await expect(page.getByTestId('prediction-result')).toContainText('You skipped the prediction')
  await page.reload()
  await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'skipped')
})

test('a word of the glossary opens from the keyboard, and closes on Escape', async ({ lab, page }) => {
  await lab.openLesson('sync-stalls')
  const word = page.getByRole('main').locator('.definition').first()
  const note = page.getByRole('note').filter({ visible: true })
  await word.focus()
  await page.keyboard.press('Enter')
  await expect(note).toContainText('In PyTorch:')
  await page.keyboard.press('Escape')
  await expect(note).toHaveCount(0)
  await expect(word).toBeFocused()
})

test('a lesson step runs with the one dial that it is about', async ({ lab, page }) => {
  await lab.openLesson('sync-stalls')
  await page.getByRole('button', { name: 'Skip the prediction' }).click()
  const step = page
    .locator('.step')
    .filter({ has: page.getByRole('button') })
    .nth(1)
  const before = page.url()
  await step.getByRole('button').last().click()
  await expect(lab.cancelButton).toBeVisible()
  expect(page.url()).not.toBe(before)
  await lab.cancelButton.click()
  await lab.waitEnded()
})

for (const id of lessonIds) {
  test(`${id}: a run is saved, and the bench opens it again`, async ({ lab, page }) => {
    await lab.openRun(id)
    await lab.run()
    await lab.waitDone()
    const saved = await lab.savedRun()
    const base64 = await page.evaluate(() => globalThis.hostDeviceLab?.runBytes())
    await page.reload()
    await page.getByLabel('Open a saved run').setInputFiles({
      name: 'run.hdl.gz',
      mimeType: 'application/gzip',
      buffer: Buffer.from(base64 ?? '', 'base64'),
    })
    await expect(page.getByTestId('ribbon')).toContainText('Imported')
    const again = await lab.savedRun()
    expect(again.report).toEqual(saved.report)
    expect(again.trace.spans).toEqual(saved.trace.spans)
  })
}
