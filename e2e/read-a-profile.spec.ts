/**
 * A lesson of recorded profiles, by keyboard, in a browser that gives the page no GPU: nothing of a
 * profile before the prediction, the line found in two of six, and the way to a profile of one's
 * own. What is right is read off the page's own answers and off the files, never off the lesson.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { lessonIds, lessonWords } from './lesson-folders'
import { recordingPath } from './recordings'

const LESSON = lessonIds.find((id) => lessonWords(id).kind === 'profiles') ?? ''
const words = lessonWords(LESSON)
if (words.kind !== 'profiles') throw new Error('No lesson is of profiles.')

const clicksText = (clicks: number) => `${String(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`
const feedback = (page: Page) => page.getByTestId('feedback')
const profileLink = (page: Page, number: number) =>
  page
    .getByRole('navigation', { name: 'Profiles' })
    .getByRole('link', { name: new RegExp(`Profile ${String(number)}`) })

async function openProfile(page: Page, number: number): Promise<void> {
  await profileLink(page, number).press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: `Profile ${String(number)}` })).toBeVisible()
  await expect(page.getByTestId('timeline').locator('canvas').first()).toBeVisible()
}

/** One answer after the other, a wrong one first. Returns how many it took. */
async function find(page: Page): Promise<number> {
  const lines = page.getByTestId('find-game').locator('.find-line')
  await expect(lines.first()).toBeEnabled()
  let clicks = 0
  for (const line of await lines.all()) {
    await line.press('Enter')
    clicks += 1
    await expect(feedback(page)).toHaveCount(1)
    if ((await feedback(page).getAttribute('data-right')) === 'true') break
    await expect(feedback(page)).toContainText('Not this one.')
    await expect(page.getByTestId('verdict-sentence')).toHaveCount(0)
    // Causes are written at gaps only once the line was found.
    await expect(page.getByTestId('finding')).toHaveCount(0)
  }
  await expect(feedback(page)).toHaveAttribute('data-right', 'true')
  return clicks
}

/** All six are pictures and scripts of one kind; the analysis of each: vite/read-profile.test. */
const FOUND = 2

test('from the prediction to the reader’s own profile', async ({ lab, page }) => {
  test.slow()
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  const profilesFetched = () => fetched.filter((url) => new URL(url).pathname.endsWith('.json.gz'))

  await test.step('nothing of the profile is opened before the prediction', async () => {
    await lab.openLesson(LESSON)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.question)
    await lab.openLesson(LESSON, { screen: 'see' })
    await expect(page.getByText('has not been opened yet')).toBeVisible()
    await page.getByRole('link', { name: 'To the question' }).press('Enter')
    expect(profilesFetched()).toEqual([])
    await lab.predict()
    await page.keyboard.press('Enter')
  })

  await test.step('the share that was work, who was late and why', async () => {
    await expect(page.getByTestId('headline-number')).toHaveText(/^\d+\s?%$/)
    expect(profilesFetched().length).toBe(2)
    const share = Number(/\d+/.exec(await page.getByTestId('headline-number').innerText())?.[0])
    expect(share).toBeLessThan(50)
    await expect(page.getByTestId('headline')).toContainText(/Recorded on NVIDIA .+\d{4}/)
    await expect(page.getByTestId('prediction-result')).toContainText('you said')
    await expect(page.getByTestId('verdict')).toContainText(/Rank \d is late by/)
    await expect(page.locator('[data-late]')).toHaveCount(1)
    await expect(page.getByTestId('timeline').locator('canvas').first()).toBeVisible()
    // The line is for the reader to find.
    await expect(page.getByRole('article')).not.toContainText('.py(')
  })

  await test.step('profiles, each with its line', async () => {
    await page.getByRole('link', { name: 'Find the line at fault' }).press('Enter')
    const links = page.getByRole('navigation', { name: 'Profiles' }).getByRole('link')
    await expect(links).toHaveCount(6)
    const sentences = new Set<string>()
    for (let number = 1; number <= FOUND; number += 1) {
      await openProfile(page, number)
      // Neither names nor causes give it away.
      await expect(page.locator('.find-picture')).not.toContainText('.json.gz')
      await expect(page.getByTestId('finding')).toHaveCount(0)
      const clicks = await find(page)
      await expect(feedback(page)).toContainText(`found in ${clicksText(clicks)}`)
      await expect(feedback(page).getByRole('link', { name: /^Lesson \d/ })).toHaveCount(1)
      sentences.add(await page.getByTestId('verdict-sentence').innerText())
      await expect(profileLink(page, number)).toContainText(`found in ${clicksText(clicks)}`)
    }
    expect(sentences.size).toBe(FOUND)
  })

  await test.step('kept over a reload: the clicks, what was found', async () => {
    const links = page.getByRole('navigation', { name: 'Profiles' }).getByRole('link')
    // One by one: Firefox 153 crashes (SIGSEGV) where its BiDi is asked for all of these links at
    // once.
    const texts = async () => await Promise.all((await links.all()).map((link) => link.innerText()))
    const before = await texts()
    const sentence = await page.getByTestId('verdict-sentence').innerText()
    await page.reload()
    await expect(page.getByTestId('verdict-sentence')).toHaveText(sentence)
    expect(await texts()).toEqual(before)
  })

  await test.step('why, quoting the profiles', async () => {
    await lab.openLesson(LESSON, { screen: 'why' })
    await expect(page.getByTestId('explanation')).toContainText(/are recorded: NVIDIA/)
    await expect(page.getByTestId('explanation').locator('.card')).toHaveCount(words.explanation.length)
    await expect(page.getByTestId('explanation')).not.toContainText(/[{}]/)
    for (const [index, { options }] of words.quiz.entries()) {
      const item = page.locator('.quiz-item').nth(index)
      if (index > 0) await item.locator('summary').press('Enter')
      await item
        .locator('.quiz-button')
        .nth(options.findIndex(({ correct }) => correct))
        .press('Enter')
    }
    await page
      .getByRole('navigation', { name: 'Next' })
      .getByRole('link', { name: /Open your own/ })
      .press('Enter')
  })

  await test.step('one’s own', async () => {
    await expect(page.getByRole('heading', { level: 2, name: 'Now one of your own' })).toBeVisible()
    await page.getByLabel('Choose files').setInputFiles(recordingPath('torch-sync-stalls-stalled.json.gz'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('torch-sync-stalls-stalled.json.gz')
    await expect(page.getByTestId('trace-verdict').first()).toBeVisible()
    await lab.open('/')
    await expect(page.locator(`[data-lesson="${LESSON}"]`)).toContainText('begun')
  })
})

test('a profile of another day: wrong lines, the right one, a result to paste', async ({ lab, page }) => {
  await lab.open('/find/1')
  await expect(page.locator('.find-line')).toHaveCount(6)
  const clicks = await find(page)
  await expect(page.getByTestId('verdict-sentence')).toContainText('times as fast')
  const result = `find the line #1: found in ${clicksText(clicks)}`
  const text = page.getByTestId('find-game').locator('pre')
  await expect(text).toHaveText(new RegExp(`${result}\\nhttp.*/find/#1$`))
  await page.reload()
  await expect(text).toContainText(result)
  await page.getByRole('link', { name: 'The next profile' }).press('Enter')
  await expect(page.getByRole('heading', { name: /^Profile #2/ })).toBeVisible()
})
