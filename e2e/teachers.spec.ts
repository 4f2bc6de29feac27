/** A teacher's way: an assignment by link, a learner who does it and gets a code, and the class's codes in a table, a file and a histogram. */
import { readFile } from 'node:fs/promises'
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { lessonIds } from './lesson-folders'
import { writeCode, type Completion } from '../src/teaching/completion-code'

test('the page names every lesson with its objectives and its sheet', async ({ lab, page }) => {
  await lab.open('/teachers')
  const lessons = page.locator('.teachers-lessons [data-lesson]')
  await expect(lessons).toHaveCount(lessonIds.length)
  for (const lesson of await lessons.all()) {
    expect(await lesson.locator('li').count()).toBeGreaterThan(1)
    await expect(lesson.getByRole('link', { name: /^Sheet to print/ })).toHaveAttribute(
      'href',
      /^\.\/teachers\//,
    )
  }
  await noViolationInAnyLook(page)
})

test('a frame for another page is made, with what it leaves out', async ({ lab, page, baseURL }) => {
  await lab.open('/teachers')
  const frames = page.getByRole('region', { name: 'In your own page' })
  await frames.getByLabel('Lesson').selectOption('command-queue')
  await frames.getByLabel('the code beside it').check()
  await expect(frames.getByLabel('For your page')).toHaveValue(
    new RegExp(`src="${baseURL ?? ''}embed/command-queue/#\\?hide=code"`),
  )
})

test('a link sets a task; the learner does it, with locked settings, and hands in a code that the class page reads', async ({
  lab,
  page,
}) => {
  test.slow()
  await lab.open('/teachers')
  const task = page.getByRole('region', { name: 'Set a class a task' })
  await task.getByLabel('What your class calls it').fill('Week 3')
  await task.getByLabel('Read the whole matrix').check()
  await task.getByText(/^Settings:/).click()
  const short = shortSettings('sync-stalls')
  await task.getByRole('spinbutton', { name: 'Steps', exact: true }).fill(short['steps'] ?? '')
  await task.getByText(/^Settings: 1 changed/).waitFor()
  const link = await task.getByLabel('The link for your class').inputValue()
  expect(link).toMatch(
    /assignment\/#\?lesson=sync-stalls&title=Week\+3&steps=matrix&locked=1&set\.steps=\d+$/,
  )

  // The learner.
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Week 3')
  await expect(page.getByTestId('assignment-items').locator('[data-done=true]')).toHaveCount(0)
  await expect(page.getByTestId('set-by-teacher').getByRole('spinbutton', { name: 'Steps' })).toBeDisabled()
  await noViolationInAnyLook(page)
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByTestId('assignment-bar')).toContainText('0 of 3 done')
  await lab.predict()
  await lab.run()
  await lab.waitDone()
  await expect(page.getByTestId('assignment-bar')).toContainText('2 of 3 done')
  // The step's own run has what the teacher set, whatever the address asks for.
  await lab.openLesson('sync-stalls', { screen: 'change', step: 'longer', settings: { steps: '64' } })
  await expect(page.locator('.change-action').getByRole('slider')).toBeDisabled()
  await expect(page.locator('.change-action')).toContainText('Set by your teacher')
  await lab.openLesson('sync-stalls', { screen: 'change', step: 'matrix' })
  await lab.run()
  await lab.waitDone()
  await expect(page.getByTestId('assignment-bar')).toContainText('3 of 3 done')
  await page.getByRole('link', { name: 'Get your code' }).click()
  await page.getByLabel(/^Your name/).fill('Grace')
  await page.getByRole('button', { name: 'Make the code' }).click()
  const code = await page.getByLabel('Your completion code').inputValue()
  expect(code).toMatch(/^HDL1(-[0-9A-Z]{1,5})+$/)

  // The class.
  await lab.open('/class')
  await page.getByLabel('Codes, or numbers').fill(`${code}\n${code.slice(0, -1)}\n${code}`)
  await page.getByLabel('The link of your assignment').fill(link)
  const table = page.getByTestId('class-table')
  const first = table.locator('[data-line="1"]')
  await expect(first).toContainText('Grace')
  await expect(first).toContainText('3 of 3')
  await expect(first).toHaveAttribute('data-flagged', 'false')
  await expect(first).toContainText('software, on the CPU')
  await expect(table.locator('[data-line="2"]')).toContainText('does not check')
  await expect(table.locator('[data-line="3"]')).toContainText('the same code as line 1')
  await page.getByLabel('The link of your assignment').fill(link.replace('Week+3', 'Week+4'))
  await expect(first).toContainText('of another assignment')
})

test('an assignment whose link is spoilt is refused in words, and nothing of it is shown', async ({
  lab,
  page,
}) => {
  for (const [query, why] of [
    ['lesson=nothing', "no lesson 'nothing'"],
    ['lesson=sync-stalls&steps=backwards', "no step 'backwards'"],
    ['lesson=sync-stalls&set.kernelMs=1e99', "'kernelMs' must be"],
    ['lesson=sync-stalls&paint=red', "no 'paint'"],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(`assignment/#?${query}`)
    await expect(page.getByRole('alert')).toContainText(why)
    await expect(page.getByRole('button', { name: 'Begin' })).toHaveCount(0)
  }
  await lab.open('/assignment')
  await expect(page.getByRole('main')).toContainText('Open the link that your teacher gave you')
})

const completion = (index: number, change: Partial<Completion>): string =>
  writeCode({
    lesson: 'sync-stalls',
    assignment: 0,
    predicted: 40 + (index % 6) * 10,
    measured: { value: 9 + (index % 4), low: 8 + (index % 4), high: 10 + (index % 4) },
    unit: '%',
    outcome: 'shown',
    adapter: 'discrete',
    mended: 'mended',
    done: 3,
    asked: 3,
    day: '2026-11-23',
    name: `Learner ${String(index)}`,
    ...change,
  })

test('a class’s codes become a table, a histogram with its twin, and a file', async ({ lab, page }) => {
  await lab.open('/class')
  const adapters = ['discrete', 'integrated', 'software'] as const
  const codes = Array.from({ length: 24 }, (_, index) =>
    completion(index, { adapter: adapters[index % 3] ?? 'unknown' }),
  )
  await page.getByLabel('Codes, or numbers').fill([...codes, 'nonsense'].join('\n'))
  await expect(page.getByTestId('class-table').locator('tbody tr')).toHaveCount(25)
  await expect(page.getByText('24 of 25 lines count.')).toBeVisible()
  const chart = page.getByTestId('class-chart')
  await expect(chart.locator('svg[role=img] rect.figure-part').first()).toBeVisible()
  await expect(page.getByTestId('class-medians')).toContainText('Measured: integrated GPU')
  await chart.getByText('The histogram as a table').click()
  const counts = await page.getByTestId('class-bins').locator('td').allInnerTexts()
  expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(48)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(26)
  await noViolationInAnyLook(page)
  // Plain numbers too.
  await page.getByLabel('Codes, or numbers').fill('75 %; 9 %\n60 %; 11 %')
  await expect(page.getByTestId('class-medians')).toContainText('67.5')
})

for (const id of ['sync-stalls', 'read-a-profile'])
  test(`the sheet of ${id} is printed with its answers on a page of their own, or without`, async ({
    lab,
    page,
  }) => {
    await lab.open(`/teachers/${id}`)
    await expect(page.getByRole('heading', { name: 'After this you can' })).toBeVisible()
    await noViolationInAnyLook(page)
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.site-header', '.site-footer', '.sheet-tools'])
      await expect(page.locator(hidden)).toBeHidden()
    const answers = page.getByTestId('sheet-answers')
    expect(await answers.evaluate((each) => getComputedStyle(each).breakBefore)).toBe('page')
    // No question gives its answer away before.
    expect(await page.locator('.sheet-part [data-correct]').count()).toBe(0)
    for (const format of ['A4', 'Letter']) {
      const whole = await page.pdf({ format, preferCSSPageSize: false })
      expect(whole.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(1)
    }
    await page.emulateMedia({ media: 'screen' })
    await page.getByLabel('With the answers').uncheck()
    await expect(answers).toHaveCount(0)
  })
