/** For teachers: objectives, links with settings, frames, and a lesson on paper. */
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { lessonIds } from './lesson-folders'

test('the page names every lesson with its objectives, and makes frames and links', async ({
  lab,
  page,
  baseURL,
}) => {
  await lab.open('/teachers')
  const lessons = page.locator('.teachers-lessons [data-lesson]')
  await expect(lessons).toHaveCount(lessonIds.length)
  for (const lesson of await lessons.all()) {
    expect(await lesson.locator('li').count()).toBeGreaterThan(1)
    await expect(lesson.getByRole('link', { name: /^Lesson to print/ })).toHaveAttribute('href', /#see$/)
  }

  // A frame for another page.
  const frames = page.getByRole('region', { name: 'In your own page' })
  await frames.getByLabel('Lesson').selectOption('command-queue')
  await expect(frames.getByLabel('For your page')).toHaveValue(
    new RegExp(`src="${baseURL ?? ''}embed/command-queue/"`),
  )

  // A plain link opens a step with the settings that were chosen.
  const links = page.getByRole('region', { name: 'A link for your class' })
  await links.getByLabel('It opens').selectOption('longer')
  await links.getByText(/^Settings:/).click()
  await links.getByRole('spinbutton', { name: 'Steps', exact: true }).fill('7')
  await links.getByText(/^Settings: 1 changed/).waitFor()
  const link = await links.getByLabel('The link for your class').inputValue()
  expect(link).toMatch(/lessons\/sync-stalls\/#change\/longer\?steps=7$/)
  await noViolationInAnyLook(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  expect(page.url()).toBe(link)
})

test('a lesson prints on A4: the question, the figure and all words, black on white', async ({
  lab,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await lab.playRecording('transfer-cost')
  const figure = page.locator('.figure-svg').first()
  await expect(figure).not.toHaveAttribute('viewBox', /^0 0 640 /)
  // What a browser does when it prints. Figures are laid out for the sheet, and no layout of it is
  // told to them.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(figure).toHaveAttribute('viewBox', /^0 0 640 /)
  await page.setViewportSize({ width: 672, height: 1000 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of ['.site-header', '.site-footer', '.stepper'])
    await expect(page.locator(hidden)).toBeHidden()
  for (const shown of [page.getByRole('heading', { level: 1 }), figure]) await expect(shown).toBeVisible()
  const words = page.getByRole('article', { name: 'The text of this lesson' })
  await expect(words).toContainText('In PyTorch')
  const paper = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body)
    return { color, backgroundColor, width: document.documentElement.scrollWidth }
  })
  expect(paper).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)', width: 672 })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(words).toHaveCount(0)
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)
  expect(sheets?.length ?? 0).toBeGreaterThan(3)
})
