/**
 * Finding spans, going along their arrows, the critical path: on a recorded run, so that the data
 * are the same on every machine, by keys. What is drawn is checked on the canvas' own pixels.
 */
import { expect, test } from './fixtures'
import { awaitedSubmission } from './recordings'

test('spans are found, led from one to the next, and let go', async ({ timeline }) => {
  await timeline.openRecordedRun()

  await test.step('spans are found by name, stepped through, marked, and let go', async () => {
    const before = await timeline.picture()
    await timeline.press('/')
    await expect(timeline.searchField).toBeFocused()
    await timeline.write('MATMUL')
    await expect(timeline.searchCount).toHaveText(/^[\d\s,.]+ found$/)
    expect(await timeline.picture()).not.toBe(before)
    await timeline.pressHere('Enter')
    await expect(timeline.searchCount).toHaveText(/^[\d\s,.]+ of [\d\s,.]+$/)
    await expect(timeline.selection).toContainText('matmul')
    const first = await timeline.searchCount.innerText()
    await timeline.pressHere('Enter')
    await expect(timeline.searchCount).not.toHaveText(first)
    await timeline.pressHere('Shift+Enter')
    await expect(timeline.searchCount).toHaveText(first)
    // On the canvas the keys go on.
    await timeline.press('F3')
    await expect(timeline.searchCount).not.toHaveText(first)
    await timeline.press('Shift+F3')
    await expect(timeline.searchCount).toHaveText(first)
    await timeline.searchField.focus()
    await timeline.pressHere('Escape')
    await expect(timeline.canvas).toBeFocused()
    await expect(timeline.searchField).toHaveValue('')
    await expect(timeline.searchCount).toHaveText('')
  })
  await timeline.letGo('One round')

  await test.step('a search that ends leaves no mark, and one that finds nothing says so', async () => {
    const before = await timeline.picture()
    await timeline.press('Control+f')
    await expect(timeline.searchField).toBeFocused()
    await timeline.write('no span is called so')
    await expect(timeline.searchCount).toHaveText('none found')
    await timeline.pressHere('Enter')
    await expect(timeline.selection).toBeHidden()
    await timeline.press('Escape')
    await expect(timeline.searchField).toHaveValue('')
    expect(await timeline.picture()).toBe(before)
  })
  await timeline.letGo('One round')

  await test.step('kinds, lanes and submissions are found too', async () => {
    const all = await timeline.find('host waiting')
    expect(all).toBeGreaterThan(10)
    // One submission: encoded, submitted, queued, its pass, and perhaps the wait for it.
    const submission = await awaitedSubmission('sync-stalls.hdl.gz', 'every-step')
    const one = await timeline.find(submission)
    expect(one).toBeGreaterThanOrEqual(3)
    expect(one).toBeLessThan(10)
    await timeline.searchField.press('Enter')
    await expect(timeline.announcer).toContainText(`submission ${submission.slice(1)}`)
    await timeline.press('Escape')
    expect(await timeline.find('queue')).toBeGreaterThan(10)
  })
  await timeline.letGo('One round')

  await test.step('one goes from cause to effect and back', async () => {
    await timeline.searchField.fill(await awaitedSubmission('sync-stalls.hdl.gz', 'every-step'))
    await timeline.searchField.press('Enter')
    // Its first span is the encoding, its last the wait: the submit() leads to the pass, the pass
    // to the wait.
    await timeline.press('.')
    await expect(timeline.selection).toContainText('submit()')
    await timeline.press('e')
    await expect(timeline.selection).toContainText('compute pass')
    await timeline.press('e')
    await expect(timeline.selection).toContainText('host waiting')
    await timeline.press('E', 'E')
    await expect(timeline.selection).toContainText('submit()')
  })
  await timeline.letGo('One round')

  await test.step('the critical path of a run is drawn, told and taken away', async () => {
    await timeline.picture()
    const toggle = timeline.button('Critical path')
    await toggle.click()
    await expect(toggle).toHaveAttribute('aria-pressed', 'true')
    await expect(timeline.criticalPath.getByRole('listitem')).toHaveCount(3)
    await expect(timeline.criticalPath).toContainText(/every-step, repeat \d/)
    await expect(timeline.announcer).toContainText(/Critical path of .*notice \d/)
    await expect(timeline.legend).toContainText('critical path')
    const zoom = timeline.criticalPath.getByRole('button', { name: /of every-step/ })
    await zoom.click()
    const drawn = await timeline.picture()
    await timeline.press('k')
    await expect(toggle).toHaveAttribute('aria-pressed', 'false')
    await expect(timeline.criticalPath).toBeHidden()
    expect(await timeline.picture()).not.toBe(drawn)
  })
})

test('an opened profile has its critical path, followed by the reader of the file', async ({ timeline }) => {
  await timeline.openProfile('torch-sync-stalls-stalled')
  await timeline.press('k')
  await expect(timeline.criticalPath.getByText(/^notice \d/)).toBeVisible()
})
