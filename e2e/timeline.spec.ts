/**
 * Moving in the timeline, seen through its table twin: what is in view is what the table lists. On
 * a recorded run, so that the data are the same on every machine. Following a run that goes on:
 * timeline-live.spec.
 */
import { MARKS } from '../src/timeline/marks'
import { expect, test } from './fixtures'

test('what is in view is what the table lists', async ({ page, timeline }) => {
  await timeline.openRecordedRunAsTable()

  await test.step('keys zoom in and out, and back to the whole run; the wheel zooms with Ctrl, and without it the page scrolls', async () => {
    const whole = await timeline.countInView()
    await timeline.press('w', 'w', 'w', 'w')
    await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
    const zoomed = await timeline.settled(() => timeline.countInView())
    await timeline.press('s', 's')
    await expect.poll(() => timeline.countInView()).toBeGreaterThan(zoomed)
    await timeline.press('0')
    await expect.poll(() => timeline.countInView()).toBe(whole)

    await timeline.scrollIntoView()
    await timeline.pointAt(0.6, 0.5)
    await timeline.wheel(-600, 'Control')
    await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
    const wheeled = await timeline.settled(() => timeline.countInView())
    const scrolledBefore = await page.evaluate(() => window.scrollY)
    await timeline.pointAt(0.6, 0.5)
    await timeline.wheel(300)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolledBefore)
    expect(await timeline.countInView()).toBe(wheeled)
  })
  await timeline.letGo('Whole run')

  await test.step('dragging and keys pan; an area is summed up, and no share passes the whole', async () => {
    await timeline.sortBy('start') // latest first
    await timeline.press('w', 'w', 'w', 'w', 'w')
    const before = await timeline.settled(() => timeline.firstStart())
    await timeline.press('d', 'd', 'd')
    await expect.poll(() => timeline.firstStart()).not.toBe(before)
    await timeline.press('a', 'a', 'a')
    await expect.poll(() => timeline.firstStart()).toBe(before)
    await timeline.scrollIntoView()
    await timeline.drag(0.8, 0.3)
    await expect.poll(() => timeline.firstStart()).not.toBe(before)

    await timeline.press('0')
    await timeline.settled(() => timeline.countInView())
    await timeline.scrollIntoView()
    await timeline.drag(0.3, 0.7, 'Shift')
    const { area } = timeline
    await expect(area.getByRole('table')).toBeVisible()
    const shares = await area.locator('tbody tr td:nth-child(4)').allInnerTexts()
    expect(shares.length).toBeGreaterThan(0)
    for (const share of shares) expect(Number.parseFloat(share), share).toBeLessThanOrEqual(100)
    await area.getByRole('button', { name: 'Clear' }).click()
    await expect(area).toBeHidden()
  })
  await timeline.letGo('Whole run')

  await test.step('gaps are stepped through, each with its cause and evidence', async () => {
    await timeline.press('g')
    await expect(timeline.selection).toBeVisible()
    await expect(timeline.announcer).toContainText(/idle|gap/i)
    const first = await timeline.announcer.innerText()
    await timeline.viewButton('Next gap').click()
    await expect(timeline.announcer).not.toHaveText(first)
    await expect(timeline.selection).toContainText(/await|launch|submitted|waited|overhead|unknown/i)
    await timeline.viewButton('Previous gap').click()
    await expect(timeline.announcer).toHaveText(first)
  })
  await timeline.letGo('Whole run')

  await test.step('a span picked in the table is selected, stepped from, zoomed to and let go', async () => {
    const all = await timeline.countInView()
    await timeline.viewButton('One round').click()
    await expect.poll(() => timeline.countInView()).toBeLessThan(all)
    const pass = timeline.rowsOf('device', MARKS.compute.label).first().getByRole('button')
    const name = await pass.innerText()
    await pass.click()
    await expect(timeline.selection).toContainText(name)
    const picked = await timeline.announcer.innerText()
    await timeline.press('.')
    await expect(timeline.announcer).not.toHaveText(picked)
    await timeline.press(',')
    await expect(timeline.announcer).toHaveText(picked)
    const whole = await timeline.countInView()
    await timeline.press('Enter')
    await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
    await timeline.press('Escape')
    await expect(timeline.selection).toBeHidden()
  })
  await timeline.letGo('Whole run')

  await test.step('the help opens by its key', async () => {
    await timeline.press('?')
    await expect(timeline.keyHelp).toBeVisible()
    await timeline.pressHere('Escape')
    await expect(timeline.keyHelp).toBeHidden()
  })
})

test.describe('on a display of two device pixels a CSS pixel', () => {
  test.use({ deviceScaleFactor: 2 })
  test('the picture is crisp, and is one', async ({ timeline }) => {
    await timeline.openRecordedRun()
    await timeline.picture()
    const seen = await timeline.sharpness()
    expect(seen.scale).toBeCloseTo(2, 1)
    expect(seen.colours).toBeGreaterThan(10)
  })
})
