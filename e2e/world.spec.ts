/**
 * Ranks in workers of their own: right results, each with its lanes; hangs that are found and
 * drawn, on either wire; all of it ended with the run.
 */
import { serveSite } from '../cli/static-server.mjs'
import { SPAN_ROLES } from '../src/trace/schema'
import { expect, test } from './fixtures'
import { shortSettings, type LabPage } from './lab'
import { test as onOnePage, watchWorkers } from './shared-page'

const ID = 'ranks'
/** From its file, or from the blob of a prefix. */
const SCRIPT = /rank-worker|^blob:/

async function expectRun(lab: LabPage, also: string, isolated = true) {
  const outcome = await lab.runBare(ID, { ...shortSettings(ID), also, repeats: '1' })
  expect(outcome).toMatchObject({ status: 'done', report: { validity: { valid: true, reasons: [] } } })
  const { trace, report } = await lab.savedRun()
  expect(report?.verification.failed).toBe(0)
  expect(report?.verification.checked).toBeGreaterThan(100)
  expect(report?.derived).toMatchObject({ ranksStarted: 4, sharesMemory: isolated ? 1 : 0 })
  expect(trace.rejected).toEqual({})
  for (const kind of ['host', 'device'])
    for (const rank of [0, 1, 2, 3])
      expect(trace.lanes.map(({ name }) => name)).toContain(`rank ${String(rank)} · ${kind}`)
  const roles = new Set([...trace.spans.role].map((role) => SPAN_ROLES[role]))
  expect(roles).toContain('send')
  expect(roles).toContain('recv')
  return { trace, report }
}

onOnePage(
  'one product on one, two and four ranks; two that both send first are found and drawn',
  async ({ lab, page }) => {
    const ranks = watchWorkers(page, SCRIPT)
    await lab.openRun(ID)
    const { report } = await expectRun(lab, 'both-send')
    const valueOf = (name: string, variant: string) =>
      report?.metrics.find((metric) => metric.name === name && metric.variant === variant)?.value
    for (const variant of ['two-ranks', 'four-ranks']) expect(valueOf('speedup', variant)).toBeGreaterThan(0)
    // Believed when it has stood for a second.
    expect(valueOf('found-ms', 'both-send')).toBeGreaterThan(900)
    expect(report?.derived['waits both-send']).toBe('0 send 1, 1 send 0')
    const figure = page.getByTestId('figure-waits-both-send')
    await expect(figure.locator('.figure-edge')).toHaveCount(2)
    await expect(figure.locator('.figure-node')).toHaveCount(2)
    await expect.poll(ranks, 'the ranks ended with the run').toBe(0)
  },
)

test('a number that decides hangs; without isolation the wire is message channels', async ({ lab, page }) => {
  const site = await serveSite({ base: '/some/where/', isolated: false })
  try {
    await page.goto(`${site.url}run/${ID}/`)
    const { report } = await expectRun(lab, 'item-decides', false)
    expect(report?.derived['hang item-decides']).toMatch(/rank 0 in send to rank 1.*rank 1 has returned/)
    const sums = report?.metrics.find(({ name }) => name === 'sums-ratio')
    expect(sums?.value, 'all but the last').toBeCloseTo(1 - 1 / Number(report?.derived['steps']), 6)
  } finally {
    // The page is shared: it is not left on a site that is gone.
    await page.goto('about:blank')
    await site.close()
  }
})

onOnePage('Cancel ends ranks that hang', async ({ lab, page }) => {
  const ranks = watchWorkers(page, SCRIPT)
  await lab.openRun(ID, { ...shortSettings(ID), also: 'both-send', repeats: '15', seconds: '60' })
  await lab.run()
  await lab.waitMeasuring()
  await expect.poll(ranks).toBe(4)
  await lab.cancelButton.click()
  await lab.waitEnded()
  await expect.poll(ranks).toBe(0)
})
