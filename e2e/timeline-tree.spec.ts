/** The timeline as a tree, with the keyboard alone: what it has, and where the selection goes. */
import { expect, test } from './fixtures'
import { openRecording } from './recordings'

test('arrows walk groups, lanes, spans and gaps; the canvas goes along, both ways', async ({ timeline }) => {
  const { lanes } = (await openRecording('sync-stalls.hdl.gz')).trace
  const groups = new Set(lanes.map(({ group }) => group))
  const ofDevice = lanes.filter(({ group }) => group === 'device').length
  await timeline.openProfile('sync-stalls')
  await timeline.press('t')
  await expect(timeline.tree).toBeFocused()
  await expect(timeline.tree).toBeInViewport()
  await expect(timeline.tree.getByRole('treeitem')).toHaveCount(groups.size + lanes.length)

  await timeline.pressHere('Home', 'ArrowRight')
  await expect(await timeline.activeRow()).toHaveAttribute('aria-level', '2')
  await timeline.pressHere('ArrowRight')
  await expect(await timeline.activeRow()).toHaveAttribute('aria-expanded', 'true')
  await timeline.pressHere('ArrowRight')
  const first = await timeline.activeRow()
  await expect(first).toHaveAttribute('aria-level', '3')
  await expect(first).toHaveAttribute('aria-posinset', '1')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(timeline.announcer).toHaveText((await first.textContent()) ?? '-')
  const size = Number(await first.getAttribute('aria-setsize'))
  expect(size).toBeGreaterThan(100)
  // Windowed: some dozens of rows, whatever there is.
  expect(await timeline.tree.getByRole('treeitem').count()).toBeLessThan(50)

  await timeline.pressHere('PageDown', 'ArrowDown')
  await expect(await timeline.activeRow()).toHaveAttribute('aria-posinset', '12')
  await expect(timeline.announcer).toHaveText((await (await timeline.activeRow()).textContent()) ?? '-')
  await timeline.pressHere('ArrowLeft')
  await expect(await timeline.activeRow()).toHaveAttribute('aria-level', '2')
  await timeline.pressHere('ArrowLeft', 'ArrowLeft')
  await expect(await timeline.activeRow()).toHaveAttribute('aria-level', '1')
  await timeline.pressHere('d')
  await expect(await timeline.activeRow()).toHaveText(
    `device, ${String(ofDevice)} lane${ofDevice === 1 ? '' : 's'}`,
  )

  // The other way: a gap that is stepped to on the canvas is where the tree goes on.
  await timeline.pressHere('Escape')
  await expect(timeline.canvas).toBeFocused()
  await timeline.pressHere('g')
  await expect(timeline.announcer).toHaveText(/^device idle for/)
  const said = await timeline.announcer.textContent()
  await timeline.pressHere('t')
  await expect.poll(async () => (await timeline.activeRow()).textContent()).toBe(said)
  // Enter zooms to it: then there is little else in view.
  await timeline.pressHere('Enter')
  await expect
    .poll(async () => Number(await (await timeline.activeRow()).getAttribute('aria-setsize')))
    .toBeLessThan(10)
  await expect(await timeline.activeRow()).toHaveText(said ?? '-')
})

test('it can be kept in sight, and a hand can open and pick', async ({ page, timeline }) => {
  const { lanes, spans, strings } = (await openRecording('torch-sync-stalls-stalled.json.gz')).trace
  const thread = lanes.find(({ kind }) => kind === 'host')
  const names = new Set<string>()
  for (let at = 0; at < spans.length; at += 1)
    if (spans.lane[at] === thread?.id) names.add(strings[spans.name[at] ?? -1] ?? '')
  await timeline.openProfile('torch-sync-stalls-stalled')
  const toggle = page.getByRole('button', { name: 'Browse as a tree' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(timeline.tree).toBeFocused()
  const lane = timeline.tree.getByRole('treeitem', { name: thread?.name ?? '-' })
  await expect(lane).toHaveAttribute('aria-expanded', 'false')
  await lane.click()
  const span = timeline.tree.getByRole('treeitem', { level: 3 }).nth(2)
  const label = (await span.textContent()) ?? '-'
  // The longest, since one name may be a part of another.
  const [name = ''] = [...names].filter((each) => label.includes(each)).sort((a, b) => b.length - a.length)
  expect(name).not.toBe('')
  await span.click()
  await expect(timeline.announcer).toHaveText(label)
  await expect(timeline.selection).toContainText(name)
  await toggle.click()
  await page.mouse.move(0, 0)
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
})
