/**
 * Collectives among workers of their own, and the messages drawn. All operations on all numbers of
 * ranks: src/experiments/collectives/programs.test.
 */
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { Replay } from './replay'

const ID = 'collectives'

test('the picture has an arrow for every message, from its sender’s row to its receiver’s, and says who sends', async ({
  lab,
  page,
}) => {
  await lab.openLesson(ID, { settings: shortSettings(ID) })
  await lab.predict()
  await lab.run()
  await lab.waitDone()
  const arrows = (variant: string) =>
    page.locator(`.strips-strip[data-variant="${variant}"] .strips-message[data-from]`)
  // Three to rank 0 and three back; six rounds of four.
  for (const [variant, count] of [
    ['naive-4x64', 6],
    ['ring-4x64', 24],
  ] as const) {
    const ends = await arrows(variant).evaluateAll((all) =>
      all.map((arrow) => [Number(arrow.getAttribute('data-from')), Number(arrow.getAttribute('data-to'))]),
    )
    // The last one of the longest strip ends with the picture.
    expect(ends.length).toBeGreaterThanOrEqual(count - 1)
    expect(ends.length).toBeLessThanOrEqual(count)
    for (const [from = -1, to = -1] of ends)
      expect(variant.startsWith('ring') ? to === (from + 1) % 4 : from === 0 || to === 0).toBe(true)
  }
  const words = page.locator('.playback').locator('..')
  const replay = new Replay(page)
  await replay.moment.press('Home')
  await page.getByTestId('headline-number').click()
  await replay.stepUntil('.', async () =>
    /under way: rank \d to rank \d, 16 KiB/.test((await words.textContent()) ?? ''),
  )
})
