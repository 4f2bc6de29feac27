/** For teachers: objectives, links with settings, frames and sheets to print. */
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { lessonIds } from './lesson-folders'

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

test('a plain link opens a step with the settings that were chosen; an assignment’s link of before opens its lesson', async ({
  lab,
  page,
}) => {
  await lab.open('/teachers')
  const links = page.getByRole('region', { name: 'A link for your class' })
  await links.getByLabel('It opens').selectOption('longer')
  await links.getByText(/^Settings:/).click()
  await links.getByRole('spinbutton', { name: 'Steps', exact: true }).fill('7')
  await links.getByText(/^Settings: 1 changed/).waitFor()
  const link = await links.getByLabel('The link for your class').inputValue()
  expect(link).toMatch(/lessons\/sync-stalls\/#change\/longer\?steps=7$/)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  expect(page.url()).toBe(link)

  for (const [old, now] of [
    [
      'assignment/#?lesson=sync-stalls&title=Week+3&steps=matrix&locked=1&set.steps=7',
      'lessons/sync-stalls/#?steps=7',
    ],
    ['assignment/', 'teachers/'],
    ['class/', 'teachers/'],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(old)
    await expect(page).toHaveURL(new RegExp(`${now.replaceAll(/[?.]/g, '\\$&')}$`))
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Not found')
  }
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
