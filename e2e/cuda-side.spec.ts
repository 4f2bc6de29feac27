/** The CUDA side of the lessons: recorded profiles in the same lanes, figures worked out from the files, and beside them the reader's run. */
import { violations } from './axe'
import { expect, LONG, test } from './fixtures'
import { experimentLessonIds, experimentWords } from './lesson-folders'
import { profilesOf, recordedOn } from './recordings'

/** It has most to say; each file's figures are held in src/site/state and cli/lab-analyze.test. */
const SHORT = 'overlapped-uploads'
for (const id of experimentLessonIds.filter((each) => experimentWords(each).cuda)) {
  const details = id === SHORT ? {} : LONG
  test(`${id}: profiles are drawn, with figures from their files`, details, async ({ lab, page }) => {
    const adapters = [...new Set(await Promise.all(profilesOf(id).map(recordedOn)))]
    await lab.openLesson(id, { screen: 'why' })
    await page.locator('summary').filter({ hasText: 'The same in PyTorch on CUDA' }).click()
    const section = page.getByRole('region', { name: 'The same in PyTorch on CUDA' })
    await section.getByRole('button', { name: 'Open the recorded profiles' }).click()
    const side = page.getByTestId('cuda-side')
    const profiles = side.getByRole('group', { name: 'Which recording is drawn' }).getByRole('button')
    await expect(profiles.first()).toBeVisible()
    for (const profile of await profiles.all()) {
      await profile.click()
      await expect(side.getByText(new RegExp(`^recorded on (${adapters.join('|')})`))).toBeVisible()
      await expect(side.getByText(/PyTorch \d+\.\d+\S*, CUDA \d+\.\d+, as the file says/)).toBeVisible()
      await expect(side.getByTestId('cuda-findings')).toContainText(/Kernels ran[\d.]+\s%/)
    }
    if (id === 'overlapped-uploads')
      await expect(side.getByTestId('cuda-findings')).toContainText(/HtoD pinned.*GB\/s/)
    const table = side.getByTestId('cuda-beside')
    await expect(table.getByRole('row')).toHaveCount((await profiles.count()) + 1)
    // The uploads of PyTorch's recordings overlap otherwise than any variant's.
    const withoutOwn = id === 'overlapped-uploads' ? 'no variant does the same' : 'not measured yet'
    await expect(table).toContainText(withoutOwn)
    await expect(side).toContainText(/Run the experiment above.*the table fills\./)
    await side.getByText('What is in view, as a table').click()
    await expect(side.getByRole('cell', { name: /stream 7/ }).first()).toBeVisible()
    expect(await violations(page, { within: '[data-testid=cuda-side]' })).toEqual([])
  })
}

test('a run of the reader’s own stands beside the recording', async ({ lab, page }) => {
  await lab.playRecording('sync-stalls')
  await lab.openLesson('sync-stalls', { screen: 'why' })
  await page.locator('summary').filter({ hasText: 'The same in PyTorch on CUDA' }).click()
  await page.getByRole('button', { name: 'Open the recorded profiles' }).click()
  const table = page.getByTestId('cuda-beside')
  await expect(table).not.toContainText('not measured yet')
  await expect(table.getByRole('row', { name: /stalled/ })).toContainText(/every-step\s*[\d.]+\s%/)
  await expect(page.getByTestId('cuda-side')).toContainText(
    'With every-step, the device of this run computed for',
  )
})
