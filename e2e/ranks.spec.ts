/**
 * Profiles of several ranks, opened together on the page 'trace': who is late and why, and all of
 * them on one axis.
 */
import type { Page } from '@playwright/test'
import { ALL_REDUCE, fileName, kinetoOf, type MadeUp } from '../src/analysis/ranks/testing/made-up-ranks'
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { recordingPath } from './recordings'
import { sharing } from './shared-page'
import { TimelinePage } from './timeline-page'

/** Of all ranks; each has its own in its row. */
const sentence = (page: Page) => page.getByTestId('ranks-verdict').getByTestId('verdict-sentence')

/**
 * Each test shows other ranks than the one before it, so that none takes what stands there for its
 * own.
 */
const onOnePage = sharing()
const choose = (page: Page) => page.getByLabel(/^(Choose files|Open another)$/)

const NCCL = [0, 1].map((rank) => recordingPath(`torch-nccl-rank${String(rank)}.json.gz`))

/** Rank 1 computes 12 ms longer from the second step on. */
const LATE: MadeUp = {
  ranks: 3,
  stepsUs: [30_000, 28_000, 33_000, 31_000, 29_000],
  collectives: [ALL_REDUCE],
  transferUs: 3000,
  laterUs: (rank, step) => (rank === 1 && step > 0 ? 12_000 : 0),
  offsetUs: (rank) => rank * 123_456,
  firstStep: 2,
  waits: true,
}
const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(content),
})
const late = () =>
  Array.from({ length: LATE.ranks }, (_, rank) => file(fileName(rank), kinetoOf(LATE, rank).text()))

onOnePage(
  'two recorded ranks, chosen together: none is late, both are on one axis, and a collective is joined',
  async ({ lab, page }) => {
    await lab.open('/trace')
    await choose(page).setInputFiles(NCCL)
    await expect(page.getByRole('heading', { level: 1, name: 'Ranks 0 and 1', exact: true })).toBeVisible()
    await expect(sentence(page)).toHaveText(/^None of these ranks is late/)
    const rows = page.getByTestId('rank-row')
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('torch-nccl-rank0.json.gz')
    await expect(rows.first()).toContainText(/kernels \d+\.\d\s%/)
    await expect(rows.first()).toContainText(/waiting for another rank \d\.\d+\s%/)
    await expect(page.getByTestId('rank-problems')).toContainText('ranks 2, 3 are missing')
    await page.getByText(/how the clocks were aligned/).click()
    await expect(page.getByText(/the ends of 4 collectives agree within/)).toBeVisible()
    const timeline = new TimelinePage(lab)
    await expect(timeline.legend).toContainText('waiting for another rank')
    await expect(timeline.legend).toContainText('the last rank to begin a collective')
    await test.step('the waiting part is a span of its own, told as inferred', async () =>
      expect(await timeline.find('waiting for rank')).toBeGreaterThan(4))
    await test.step('the longest wait, whole, and the last rank’s collective one step back along the arrow', async () => {
      await page.getByRole('button', { name: 'Show the longest wait' }).click()
      await expect(timeline.announcer).toContainText('ncclDevKernel_AllReduce')
      await expect(timeline.selection).toContainText('rank 0 · stream 7')
      await expect(timeline.selection).toContainText('until the last rank began it')
      await timeline.press('E')
      await expect(timeline.selection).toContainText('rank 1 · stream 7')
      await expect(timeline.selection).toContainText('this rank was the last to begin it')
    })
    await test.step('and both ranks’ lanes are in the table', async () => {
      await page.getByText('What is in view, as a table').click()
      for (const lane of ['rank 0 · stream 7', 'rank 1 · stream 7'])
        await expect(timeline.tableRows.filter({ hasText: lane }).first()).toBeVisible()
    })
  },
)

test('a rank that is late: which, in which steps, by how much and why; its row opens what it did', async ({
  lab,
  page,
}) => {
  await lab.open('/trace')
  await choose(page).setInputFiles(late())
  await expect(sentence(page)).toHaveText(
    /^Rank 1 is late by 12\sms a step \(median\), 48\sms in all, in steps 3 to 6, and the others wait for it: its kernels and copies take longer\.$/,
  )
  await expect(page.getByTestId('ranks-verdict')).toHaveAttribute('data-verdict', 'late')
  const rows = page.getByTestId('rank-row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('late')
  await expect(page.locator('[data-testid=rank-row][data-late]')).toHaveCount(1)
  await test.step('with what each change would gain in view, without scrolling', async () => {
    const step = await page.getByTestId('step-figures').boundingBox()
    expect(step?.y ?? Infinity).toBeLessThan(900)
  })
  await rows.nth(0).getByText('What rank 0 spends its time on').click()
  await expect(rows.nth(0).getByTestId('finding').first()).toContainText('The GPU waits for another rank')
  await rows.nth(1).getByText('What rank 1 spends its time on').click()
  await expect(rows.nth(1).getByTestId('trace-verdict')).toBeVisible()
  await expect(rows.nth(1)).not.toContainText('The GPU waits for another rank')
  await test.step('no violation, with all details open', async () => {
    for (const details of await rows.locator('details').all())
      if ((await details.getAttribute('open')) === null) await details.locator('> summary').click()
    await page.getByText(/how the clocks were aligned/).click()
    await noViolationInAnyLook(page)
  })
})

onOnePage(
  'of many ranks the first stand there, the late one too, and the others behind a line',
  async ({ lab, page }) => {
    const many: MadeUp = { ...LATE, ranks: 12, laterUs: (rank) => (rank === 10 ? 9000 : 0) }
    await lab.open('/trace')
    await choose(page).setInputFiles(
      Array.from({ length: many.ranks }, (_, rank) => file(fileName(rank), kinetoOf(many, rank).text())),
    )
    await expect(sentence(page)).toHaveText(/^Rank 10 is late/)
    await expect(page.getByRole('heading', { level: 3, name: /^Rank \d/ })).toHaveCount(9)
    await page.getByText('3 other ranks').click()
    await expect(page.getByRole('heading', { level: 3, name: /^Rank \d/ })).toHaveCount(12)
    await test.step('files that are dropped together are ranks', async () => {
      const data = await page.evaluateHandle(
        (given) => {
          const transfer = new DataTransfer()
          for (const { name, text } of given) transfer.items.add(new File([text], name))
          return transfer
        },
        late().map(({ name, buffer }) => ({ name, text: buffer.toString() })),
      )
      await page.locator('main').dispatchEvent('drop', { dataTransfer: data })
      await expect(page.getByTestId('rank-row')).toHaveCount(3)
    })
  },
)
