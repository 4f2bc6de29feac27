/** Collectives among workers of their own, and the messages drawn. All operations on all numbers of ranks: src/experiments/collectives/programs.test. */
import { expect, test } from './fixtures'
import { shortSettings, type LabPage, type Settings } from './lab'
import { Replay } from './replay'
import { test as onOnePage } from './shared-page'

const ID = 'collectives'

async function expectRun(lab: LabPage, settings: Settings) {
  const { status, report } = await lab.runBare(ID, { ...shortSettings(ID), ...settings })
  expect(status).toBe('done')
  expect(report?.validity).toEqual({ valid: true, reasons: [] })
  expect(report?.verification.failed).toBe(0)
  expect(report?.verification.checked).toBeGreaterThan(10_000)
  expect(report?.derived).toMatchObject({ sharesMemory: 1 })
  const valueOf = (name: string, variant: string) =>
    report?.metrics.find((metric) => metric.name === name && metric.variant === variant)?.value
  return { report, valueOf }
}

onOnePage('with tensors on the GPU the way down and up is a share of it', async ({ lab }) => {
  await lab.openRun(ID)
  const { valueOf } = await expectRun(lab, { tensors: 'gpu' })
  for (const kib of [1, 16, 64, 256]) {
    expect(valueOf('collective-ms', `gpu-4x${String(kib)}`)).toBeGreaterThan(0)
    const share = valueOf('way-ratio', `gpu-4x${String(kib)}`) ?? -1
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThan(1)
  }
})

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
