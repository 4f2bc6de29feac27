/**
 * A lesson in a frame of another site's page: nothing is measured before a press in it, what it
 * tells, and that no other page can be framed.
 */
import type { FrameLocator, Page } from '@playwright/test'
import { FRAME_HEIGHT } from '../src/site/ui/embed/frame'
import { serveSite, type SiteServer } from '../cli/static-server.mjs'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { lessonWords } from './lesson-folders'
import { serving } from './serving'

/** Of the frame, as it told the page round it. */
type Told = readonly Readonly<Record<string, unknown>>[]

let withHeaders: SiteServer | undefined
let plain: SiteServer | undefined

test.beforeAll(async () => {
  withHeaders = await serveSite()
  plain = await serveSite({ base: '/some/where/', isolated: false })
})
test.afterAll(async () => {
  await Promise.all([withHeaders?.close(), plain?.close()])
})

/** Another site than `localhost`, whatever its port. */
const outside = serving((request, response) => {
  const asked = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams
  const address = asked.get('frame') ?? ''
  const numberIn = (name: string) => String(Number(asked.get(name)))
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><html lang="en"><title>A page of a course</title><h1>A page of a course</h1>
      <script>globalThis.told = []; addEventListener('message', (event) => told.push(event.data))</script>
      <iframe title="A lesson" width="${numberIn('width')}" height="${numberIn('height')}" src="${address.replaceAll('"', '')}"></iframe>`)
})

async function framed(
  page: Page,
  address: string,
  { width, height } = { width: 320, height: 1600 },
): Promise<FrameLocator> {
  const query = new URLSearchParams({ frame: address, width: String(width), height: String(height) })
  await page.goto(`http://127.0.0.1:${String(outside())}/?${query.toString()}`)
  return page.frameLocator('iframe')
}
const told = (page: Page): Promise<Told> =>
  page.evaluate(() => (globalThis as unknown as { told: Told }).told)
const typesOf = async (page: Page) => [...new Set((await told(page)).map(({ type }) => type))]

test('a frame asks, runs by a press in it, and tells the page round it', async ({ page }) => {
  test.slow()
  const query = new URLSearchParams({ ...shortSettings('sync-stalls') }).toString()
  const frame = await framed(page, `${plain?.url ?? ''}embed/sync-stalls/#predict?${query}`)
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('My GPU is at 30 %. Why?')
  await expect(frame.getByTestId('runs-on')).toContainText('Nothing is measured before you press')
  await expect(frame.locator('.site-header, .site-footer, .skip-link')).toHaveCount(0)
  await expect(frame.getByTestId('embed-device')).toContainText('coarsens')
  expect(await frame.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(320)
  expect(await typesOf(page)).toEqual(['hdl:height'])

  await frame.locator('#prediction-slider').press('ArrowRight')
  await frame.getByRole('button', { name: /^Predict .* and run$/ }).click()
  await expect(frame.getByTestId('result')).toBeVisible({ timeout: 90_000 })
  await expect(frame.getByTestId('embed-device')).toContainText('the host’s clock steps by')
  await expect.poll(() => typesOf(page)).toEqual(['hdl:height', 'hdl:completed'])
  // Nothing in it says what was predicted, how long anything took, or on which device.
  for (const { type, lesson, version, ...rest } of await told(page)) {
    expect({ type: String(type).slice(0, 4), lesson, version }).toEqual({
      type: 'hdl:',
      lesson: 'sync-stalls',
      version: 1,
    })
    expect(Object.keys(rest).filter((name) => name !== 'height')).toEqual([])
  }
  expect(await frame.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(320)
  // What the frame has no room for opens a tab.
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'All controls' }).click(),
  ])
  await expect(tab).toHaveURL(/run\/sync-stalls\/#/)
  await expect(frame.getByTestId('result')).toBeVisible()
})

test('a lesson of profiles stays in its frame', async ({ page }) => {
  const frame = await framed(page, `${plain?.url ?? ''}embed/read-a-profile/`)
  await frame.getByRole('button', { name: /^Predict .* and open the profile$/ }).click()
  await expect(frame.getByTestId('result')).toBeVisible()
  await expect.poll(() => typesOf(page)).toContain('hdl:completed')
})

/** The lesson with most figures, and the other kind of lesson. */
for (const id of ['kernel-ladder', 'read-a-profile'])
  test(`${id} does not scroll in a frame as its code asks for it, and tells how high it is`, async ({
    page,
  }) => {
    const fits = async (what: string, most = FRAME_HEIGHT) => {
      for (const width of [700, 1100]) {
        await page
          .locator('iframe')
          .evaluate((element, px) => element.setAttribute('width', String(px)), width)
        const size = () =>
          frame.locator('html').evaluate(({ scrollWidth }) => ({
            width: scrollWidth,
            height: Math.ceil(document.querySelector('.embed')?.getBoundingClientRect().height ?? 0),
          }))
        // Both at once: a frame that has just become wider is not laid out yet.
        const tooHigh = async () => {
          const said = (await told(page)).findLast(({ type }) => type === 'hdl:height')
          return Number(said?.['height']) - (await size()).height
        }
        await expect.poll(tooHigh, what).toBe(0)
        const shown = await size()
        expect(shown.width, `${what}, ${String(width)} px`).toBeLessThanOrEqual(width)
        expect(shown.height, `${what}, ${String(width)} px`).toBeLessThanOrEqual(most)
      }
    }
    const address = `${plain?.url ?? ''}embed/${id}/`
    const frame = await framed(page, address, { width: 700, height: FRAME_HEIGHT })
    await expect(frame.getByTestId('prediction')).toBeVisible()
    await fits('the question')
    if (lessonWords(id).kind === 'profiles') {
      await frame.getByRole('button', { name: /^Predict .* and / }).click()
      await expect(frame.getByTestId('prediction-result')).toBeVisible()
    } else {
      await framed(page, `${address}#see`, { width: 700, height: FRAME_HEIGHT })
      await frame.getByRole('button', { name: 'Play a recorded run' }).click()
      await expect(frame.getByTestId('headline')).toBeVisible()
      await frame.getByRole('button', { name: 'Less' }).click()
      await fits('the result')
      await frame.getByRole('button', { name: 'Look closer' }).click()
    }
    await fits('all of the result', Infinity)
  })

test('any other page is framed by nobody: by header, and where there is none, by itself', async ({
  page,
  errors,
}) => {
  errors.allow(/frame-ancestors/)
  const refused = await framed(page, `${withHeaders?.url ?? ''}lessons/sync-stalls/`)
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  await expect(refused.getByTestId('prediction')).toHaveCount(0)
  const shown = await framed(page, `${plain?.url ?? ''}lessons/sync-stalls/`)
  await expect(shown.getByTestId('framed')).toContainText('embed/sync-stalls/')
  await expect(shown.getByTestId('prediction')).toHaveCount(0)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    shown.getByRole('link', { name: 'Open it in a tab of its own' }).click(),
  ])
  await expect(tab.getByTestId('prediction')).toBeVisible()
})
