/** What starts ranks, in a Firefox as a visitor has it: lessons from their question to a step's before and after, first runs, and mends. */
import { expect } from '@playwright/test'
import { failuresOf } from '../cli/testing/firefox-report'
import { findMetric, type Report } from '../src/trace/report'
import type { SavedRun } from '../src/trace/codec'
import { gradePrograms } from './grade-programs'
import { RUN_TIMEOUT_MS, shortSettings } from './lab'
import { experimentWords } from './lesson-folders'
import { expectFigure, flat } from './read-figures'
import { GRADING_TIMEOUT_MS } from './mends'
import { expectReport, expectTraceEvents } from './run-files'
import { RUN_ATTACHMENT } from './runs-reporter'
import { test } from './undriven-firefox'
import { UNDRIVEN_LESSONS } from './undriven-lessons'
import { watchedRun } from './watched-run'

function reportOf({ report }: SavedRun): Report {
  if (!report) throw new Error('The saved run holds no report.')
  return report
}

for (const id of UNDRIVEN_LESSONS)
  test(`${id}: from the question to a step, before and after`, async ({ undriven }) => {
    const words = experimentWords(id)
    const settings = shortSettings(words.experiment)
    await undriven.openLesson(id, { screen: 'predict', settings })
    await expect.poll(() => undriven.texts('h1')).toEqual([words.question])
    await undriven.call(() => {
      const slider = document.querySelector<HTMLInputElement>('[data-testid=prediction] input[type=range]')
      slider?.stepUp()
      slider?.dispatchEvent(new Event('input', { bubbles: true }))
      slider?.dispatchEvent(new Event('change', { bubbles: true }))
    }, null)
    await undriven.run()

    const report = reportOf(await undriven.savedRun())
    expect(report.validity.reasons).toEqual([])
    expectReport(report, { id: words.experiment, settings, isGpu: false })
    expectTraceEvents(await undriven.traceEventJson(), report)
    expect(flat((await undriven.texts('[data-testid=verdict]')).join(' '))).toContain(
      flat(report.verdict.text),
    )
    const { metric: asked } = words.prediction
    const metric = findMetric(report.metrics, asked.name, asked.variant)
    const [number = ''] = await undriven.texts('[data-testid=headline-number]')
    if (metric?.value == null) expect(number).toBe('not measured')
    else expectFigure(number, metric)

    const step = words.steps.find(({ action }) => action !== undefined)
    if (!step?.action) throw new Error(`${id} has no step that runs.`)
    const own = step.action.values
    const others = Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in own)))
    await undriven.openLesson(id, { screen: 'change', step: step.id, settings: others })
    await undriven.run()
    const after = reportOf(await undriven.savedRun())
    expect(after.params).not.toEqual(report.params)
    const figures = step.compare.length > 0 ? step.compare : [asked]
    const both = async (): Promise<void> => {
      await expect
        .poll(() => undriven.texts('.before-after-figures tbody td'), { timeout: 30_000 })
        .toHaveLength(2 * figures.length)
      const cells = await undriven.texts('.before-after-figures tbody td')
      for (const [index, { name, variant }] of figures.entries())
        for (const [column, each] of [report, after].entries())
          expectFigure(cells[2 * index + column] ?? '', findMetric(each.metrics, name, variant))
    }
    await both()
    await undriven.reload()
    await both()
  })

for (const id of UNDRIVEN_LESSONS)
  test(`${id}: its first run`, async ({ undriven }, info) => {
    await undriven.environment()
    const run = await undriven.call(watchedRun, experimentWords(id).experiment, RUN_TIMEOUT_MS)
    await info.attach(RUN_ATTACHMENT, { body: JSON.stringify(run), contentType: 'application/json' })
    expect(failuresOf(run)).toEqual([])
  })

for (const id of UNDRIVEN_LESSONS)
  test(`${id}: its mend, in three programs`, async ({ undriven }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await gradePrograms((source, options) => undriven.grade(id, source, options), id, { wrong: 1, right: 0 })
  })
