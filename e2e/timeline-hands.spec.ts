/**
 * Folded lanes and scrolled rows, on an import of many threads. What the canvas shows is read where
 * it is also said.
 */
import { expect, test } from './fixtures'
import { passes } from './in-page'

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

test('many threads: starts folded, unfolds by key, scrolls inside', async ({ page, timeline }) => {
  await timeline.openFile({ name: 'threads.json', mimeType: 'application/json', buffer: threads(40) })
  await expect.poll(() => timeline.height()).toBeGreaterThan(300)
  // 40 threads of 6 rows would be thousands of pixels; the window is 900.
  expect(await timeline.height()).toBeLessThan(700)
  await timeline.press('ArrowDown', 'ArrowDown')
  await timeline.press('h')
  await expect(timeline.handsAnnouncer).toContainText(/unfolded$/)

  // The wheel over the names scrolls the rows and leaves the page where it is, until they are at
  // their end.
  await timeline.scrollIntoView()
  await timeline.pointAtPx(40, (await timeline.height()) / 2)
  const pageAt = () => page.evaluate(() => window.scrollY)
  const before = await pageAt()
  await timeline.wheel(100)
  await passes(page, 300)
  expect(await pageAt()).toBe(before)
})
