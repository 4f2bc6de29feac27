/**
 * The charts of a saved run: every figure of the report drawn, named, and repeated in a table, in
 * every look. What is drawn is compared with the report that the page would save.
 */
import { isBarFigure, isPointFigure, type ReportFigure } from '../src/trace/figure'
import { LOOKS, expectNoOverflow, setLook, violations } from './a11y'
import { expect, test } from './fixtures'
import type { LabPage } from './lab'
import { recordingPath } from './recordings'

const countOf = (figure: ReportFigure): number =>
  isBarFigure(figure)
    ? figure.bars.reduce((sum, { parts }) => sum + Object.keys(parts).length, 0)
    : isPointFigure(figure)
      ? figure.series
          .filter(({ marks }) => marks !== 'line')
          .reduce((sum, { points }) => sum + points.filter(({ x, y }) => x > 0 && y > 0).length, 0)
      : figure.edges.length

async function openRecorded(lab: LabPage, experiment: string, file: string): Promise<void> {
  await lab.openRun(experiment)
  await lab.page.getByLabel('Open a saved run').setInputFiles(recordingPath(file))
  await expect(lab.page.getByTestId('ribbon')).toContainText('Imported')
}

async function expectFigures(lab: LabPage, ids: readonly string[]): Promise<void> {
  const { report } = await lab.savedRun()
  const figures = report?.figures ?? []
  expect(figures.map(({ id }) => id)).toEqual(ids)
  for (const figure of figures) {
    const drawn = lab.page.getByTestId(`figure-${figure.id}`)
    await expect(drawn.getByRole('img')).toHaveAccessibleName(`${figure.title}. ${figure.caption}`)
    const marks = drawn.locator(isBarFigure(figure) ? '.figure-part' : '.figure-svg .figure-point')
    await expect(marks).toHaveCount(countOf(figure))
    const numbers = await drawn
      .getByRole('img')
      .evaluate((picture) => picture.outerHTML.match(/NaN|undefined|Infinity/g) ?? [])
    expect(numbers).toEqual([])
    await drawn.getByText('As a table').click()
    const names = isBarFigure(figure)
      ? figure.bars.map(({ label }) => label)
      : isPointFigure(figure)
        ? figure.series.flatMap(({ points }) => points.map(({ label }) => label).filter(Boolean))
        : figure.nodes.map(({ label }) => label)
    for (const name of names) await expect(drawn.getByRole('table')).toContainText(name)
  }
}

test('every figure is drawn whole, and told again as a table', async ({ lab, page }) => {
  await openRecorded(lab, 'streams-and-events', 'streams-and-events/race.hdl.gz')
  await expectFigures(lab, ['answers'])
  await openRecorded(lab, 'kernel-ladder', 'kernel-ladder.hdl.gz')
  await expectFigures(lab, ['roofline'])

  for (const look of LOOKS)
    await test.step(look.name, async () => {
      await setLook(page, look)
      expect(await violations(page, { within: '.figures', rules: look.rules })).toEqual([])
      // Drawn anew for the width there is: nothing sticks out, and letters keep their size.
      await expectNoOverflow(page)
      const scale = await page
        .locator('.figure-svg')
        .first()
        .evaluate((svg: SVGSVGElement) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)
      expect(Math.abs(scale - 1)).toBeLessThan(0.02)
    })
})
