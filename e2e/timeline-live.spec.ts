/** The timeline of a run that goes on: it is followed, and announced. */
import { expect, test } from './fixtures'

test('it follows a run that goes on, lets go when one zooms, and comes back on a key', async ({
  lab,
  timeline,
}) => {
  await lab.openRun('async-submission', { steps: '64', repeats: '15', kernelMs: '4' })
  await lab.run()
  await lab.waitMeasuring()
  const follow = timeline.viewButton('Follow')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await timeline.press('w')
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await timeline.press('F')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await lab.cancelButton.click()
  await lab.waitEnded()
})

test('a live run is announced as begun and as done, once each, and not in a stream', async ({
  lab,
  page,
}) => {
  // Long enough for all that is announced: a run that is over before the timeline's code has come is not.
  await lab.openRun('async-submission', { steps: '16', repeats: '10', kernelMs: '4' })
  await page.evaluate(() => {
    const heard: { text: string; atMs: number }[] = []
    Object.assign(globalThis, { heard })
    new MutationObserver(() => {
      const text = document.querySelector('[data-testid="run-announcer"]')?.textContent ?? ''
      if (text !== '' && heard.at(-1)?.text !== text) heard.push({ text, atMs: performance.now() })
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await lab.run()
  await lab.waitEnded()
  await expect(page.getByTestId('run-announcer')).toHaveText(/^The run is done: [\d\s,]+ spans?, /)
  const heard = await page.evaluate(
    () => (globalThis as typeof globalThis & { heard: { text: string; atMs: number }[] }).heard,
  )
  expect(heard[0]?.text).toBe('The run has begun.')
  expect(heard.filter(({ text }) => text.startsWith('The run is done'))).toHaveLength(1)
  for (const [at, { atMs }] of heard.entries())
    if (at > 0) expect(atMs - (heard[at - 1]?.atMs ?? 0)).toBeGreaterThan(900)
})
