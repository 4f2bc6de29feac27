/**
 * Measuring, pinning and folding, by keyboard and by mouse, on a recorded run, and on an import of many threads. What the canvas
 * shows is read where it is also said: the readout, the live region, the table.
 */
import { expect, test } from './fixtures'

/** Threads of nested calls, of which only the first launches anything. */
function threads(count: number): Buffer {
  const traceEvents: object[] = [{ ph: 'M', pid: 1, name: 'process_name', args: { name: 'python' } }]
  for (let tid = 0; tid < count; tid += 1) {
    traceEvents.push({ ph: 'M', pid: 1, tid, name: 'thread_name', args: { name: `worker ${String(tid)}` } })
    for (let step = 0; step < 20; step += 1)
      for (let depth = 0; depth < 6; depth += 1)
        traceEvents.push({
          ph: 'X',
          pid: 1,
          tid,
          cat: 'cpu_op',
          name: `call ${String(depth)}`,
          ts: step * 1000 + depth * 20,
          dur: 800 - depth * 60,
        })
  }
  return Buffer.from(JSON.stringify({ traceEvents }))
}

test('measures and pins', async ({ page, timeline }) => {
  await timeline.openRecordedRun()

  await test.step('measures with the keyboard alone, each reading with its bound', async () => {
    await timeline.press('.', 'm')
    await expect(timeline.ruler).toContainText(/From the begin of .*Step to another bar/)
    await expect(timeline.handsAnnouncer).toContainText(/^Mark at begin of .* Step or point/)
    await timeline.press('.')
    await expect(timeline.ruler).toContainText(
      /±.* from the begin of .* to the begin of .*both edges by one clock/,
    )
    await expect(timeline.handsAnnouncer).toContainText(/±.*, from begin of .* to begin of/)
    const toBegin = await timeline.ruler.innerText()
    await timeline.press(']')
    await expect(timeline.ruler).toContainText('to the end of')
    expect(await timeline.ruler.innerText()).not.toBe(toBegin)
    // To a lane of the host's: another clock.
    await timeline.press('ArrowUp')
    await expect(timeline.ruler).toContainText('edges of two clocks')
    // Enter sums it up.
    await timeline.press('Enter')
    await expect(timeline.ruler).toBeHidden()
    await expect(timeline.area).toBeVisible()
  })
  await timeline.letGo('One round')

  await test.step('puts the ruler away before the selection', async () => {
    await timeline.press('.', 'm', '.', 'Escape')
    await expect(timeline.ruler).toBeHidden()
    await expect(timeline.selection).toBeVisible()
    await timeline.press('Escape')
    await expect(timeline.selection).toBeHidden()
  })
  await timeline.letGo('One round')

  await test.step('measures with the mouse: follows it, and a click holds the reading', async () => {
    await timeline.press('.')
    await timeline.selection.getByRole('button', { name: 'Measure' }).click()
    await expect(timeline.ruler).toContainText('Step to another bar, or point at one')
    await timeline.pointAt(0.7, 0.35)
    await expect(timeline.ruler).toContainText('±')
    const moving = await timeline.ruler.innerText()
    await timeline.pointAt(0.8, 0.35)
    await expect(timeline.ruler).not.toHaveText(moving)
    await timeline.click(0.8, 0.35)
    const held = await timeline.ruler.innerText()
    await timeline.pointAt(0.6, 0.35)
    await page.waitForTimeout(200)
    expect(await timeline.ruler.innerText()).toBe(held)
    await timeline.ruler.getByRole('button', { name: 'Put away' }).click()
    await expect(timeline.ruler).toBeHidden()
  })
  await timeline.letGo('One round')

  await test.step('pins a lane on top by key and by button, and keeps it', async () => {
    await timeline.press('.', 'p')
    await expect(timeline.handsAnnouncer).toContainText(/pinned on top$/)
    await expect(timeline.selection.getByRole('button', { name: 'Unpin lane' })).toBeVisible()
    // The device, last of the lanes before, is the first: under it lies the host, and it stays selected where it moved.
    await expect(timeline.selectedLane).toHaveText('device')
    await timeline.press('ArrowDown')
    await expect(timeline.selectedLane).toHaveText(/^host/)
    await timeline.press('ArrowUp')
    await expect(timeline.selectedLane).toHaveText('device')
    await timeline.selection.getByRole('button', { name: 'Unpin lane' }).click()
    await expect(timeline.handsAnnouncer).toContainText(/unpinned$/)
    // By its header, with the mouse.
    await timeline.scrollIntoView()
    // Down the column of names to the first pin.
    for (let y = 60; y < (await timeline.height()) && !(await timeline.isOnPress()); y += 4)
      await timeline.pointAtPx(104, y)
    expect(await timeline.isOnPress()).toBe(true)
    await page.mouse.down()
    await page.mouse.up()
    await expect(timeline.handsAnnouncer).toContainText(/pinned on top$/)
  })
})

test('many threads: starts folded, unfolds by key, scrolls inside', async ({ page, timeline }) => {
  await timeline.openFile({ name: 'threads.json', mimeType: 'application/json', buffer: threads(40) })
  await expect.poll(() => timeline.height()).toBeGreaterThan(300)
  // 40 threads of 6 rows would be thousands of pixels; the window is 900.
  expect(await timeline.height()).toBeLessThan(700)
  await timeline.press('ArrowDown', 'ArrowDown')
  await expect(timeline.selection.getByRole('button', { name: 'Unfold lane' })).toBeVisible()
  await timeline.press('h')
  await expect(timeline.handsAnnouncer).toContainText(/unfolded$/)
  await expect(timeline.selection.getByRole('button', { name: 'Fold lane' })).toBeVisible()

  // The wheel over the names scrolls the rows and leaves the page where it is, until they are at their end.
  await timeline.scrollIntoView()
  await timeline.pointAtPx(40, (await timeline.height()) / 2)
  const pageAt = () => page.evaluate(() => window.scrollY)
  const before = await pageAt()
  await timeline.wheel(100)
  await page.waitForTimeout(300)
  expect(await pageAt()).toBe(before)
})
