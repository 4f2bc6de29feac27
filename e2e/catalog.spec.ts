/**
 * Every lesson with a small run on the real queue, and all that its pages show of the run held
 * against what the page would save. In short one lesson alone goes on to its instrument and a step.
 * What one page does with every run alike: replay.spec, by-keyboard.spec (questions, the way on),
 * round-trips.spec.
 */
import { experiments, findExperiment } from '../cli/catalog'
import { idleTotals } from '../src/analysis/idle-totals'
import { findGaps } from '../src/analysis/gaps'
import { explain } from '../src/experiments/testing/explained-by'
import type { Asked } from '../src/lessons/lesson'
import { CAUSES } from '../src/trace/gap-causes'
import { placeTrace } from '../src/trace/place'
import type { SavedRun } from '../src/trace/codec'
import { planOf } from '../src/site/ui/lesson/step-plan'
import { findMetric, type Metric, type Report } from '../src/trace/report'
import { ANYWHERE, expect, IS_LONG, test } from './fixtures'
import { RUN_TIMEOUT_MS, shortSettings } from './lab'
import { experimentLessonIds, experimentWords, lessonIds, lessonWords, verdictRules } from './lesson-folders'
import { expectFigure, expectFigureIn, figuresIn, flat } from './read-figures'
import { LABEL_PX } from './replay'
import { sharing } from './shared-page'
import { expectReport, expectTraceEvents } from './run-files'

function reportOf({ report }: SavedRun): Report {
  if (!report) throw new Error('The saved run holds no report.')
  return report
}

/** What a device with these features is asked. */
const askedOf = (id: string, { environment }: Report): Asked => {
  const { withoutTimestamps, ...asked } = experimentWords(id).prediction
  return withoutTimestamps && !environment.features.includes('timestamp-query') ? withoutTimestamps : asked
}

test('the home page asks the first question, and leads to every lesson and to no other', async ({
  lab,
  page,
}) => {
  await lab.open('/')
  const [first] = lessonIds.map(lessonWords).toSorted((a, b) => a.number - b.number)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.question ?? '')
  await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'open')
  await expect(page.getByTestId('headline-number')).toHaveCount(0)
  const links = page.getByRole('main').locator('a[href^="./lessons/"]')
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const linked = new Set(hrefs.map((href) => href.replace(/^\.\/lessons\/|\/(#.*)?$/g, '')))
  expect([...linked].sort()).toEqual([...lessonIds].sort())
})

test('every experiment is run here, by its lesson', () => {
  const run = new Set(experimentLessonIds.map((id) => experimentWords(id).experiment))
  expect([...run].sort()).toEqual(experiments.map(({ id }) => id).sort())
})

const WHOLE = 'sync-stalls'
/** Each run is another lesson's, so that each finds its question open. */
const onOnePage = sharing()

for (const id of experimentLessonIds) {
  const isWhole = IS_LONG || id === WHOLE
  const words = experimentWords(id)
  const meta = findExperiment(words.experiment)
  if (!meta) throw new Error(`${id} names no known experiment.`)
  const settings = shortSettings(words.experiment)

  const testOne = isWhole ? test : onOnePage
  testOne(`${id}: from the question to the explanation of its run`, async ({ lab, page }) => {
    test.setTimeout(2 * RUN_TIMEOUT_MS + 120_000)
    const main = page.getByRole('main')
    const excerpt = page.getByTestId('strips')
    const strips = excerpt.locator('.strips-strip')

    await test.step('the question, and nothing of its answer', async () => {
      await lab.openLesson(id, { settings })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.question)
      await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'open')
      for (const answer of ['headline', 'verdict', 'excerpt', 'prediction-result', 'stage'])
        await expect(page.getByTestId(answer)).toHaveCount(0)
      expect(flat(await main.innerText())).not.toContain(flat(words.prediction.result))
    })

    const predicted = await test.step('predict and run', async () => {
      await lab.predict()
      const position = Number(await page.locator('#prediction-slider').inputValue())
      const value = words.prediction.doublings ? 2 ** position : position
      // The states that the stage goes through, however short each.
      const states = await page.evaluateHandle(() => {
        const seen: string[] = []
        new MutationObserver(() => {
          const state = document.querySelector<HTMLElement>('[data-testid=stage]')?.dataset['calibrating']
          if (state !== undefined && seen.at(-1) !== state) seen.push(state)
        }).observe(document.body, { subtree: true, childList: true, attributes: true })
        return seen
      })
      await lab.run()
      expect(page.url()).toContain(`/lessons/${id}/#see`)
      await lab.waitDone()
      const seen = await states.jsonValue()
      if (isWhole) expect(seen[0], 'begins with a calibration').toBe('true')
      expect(seen.at(-1), 'and ends with the measurement').toBe('false')
      return value
    })

    const saved = await lab.savedRun()
    const report = reportOf(saved)
    const asked = askedOf(id, report)
    const metric = findMetric(report.metrics, asked.metric.name, asked.metric.variant)

    await test.step('the run is valid, its results are right, its figures those of the passes in its trace', async () => {
      expect(report.validity.reasons).toEqual([])
      const isGpu = test.info().project.name === 'gpu'
      expectReport(report, { id: words.experiment, settings, isGpu })
      expectTraceEvents(await lab.traceEventJson(), report)
    })

    await test.step('one number, huge, and the prediction beside it', async () => {
      const headline = page.getByTestId('headline')
      const number = page.getByTestId('headline-number')
      const result = page.getByTestId('prediction-result')
      await expect(result).toContainText('you said')
      expect(figuresIn(await result.locator('strong').innerText(), { unit: 'count' })).toEqual([predicted])
      if (['inconclusive', 'invalid'].includes(report.verdict.outcome)) {
        await expect(number).toHaveText(/^not (decided|valid)$/)
        return
      }
      if (metric?.value == null) {
        // A device may have no answer, and then the page says why.
        await expect(number).toHaveText('not measured')
        await expect(page.getByTestId('headline-own')).toContainText(/\w/)
        await expect(result).not.toContainText('for this browser')
        return
      }
      expectFigure(await number.innerText(), metric)
      const size = (locator: typeof headline) =>
        locator.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
      expect(await size(headline.locator('.headline-number strong'))).toBeGreaterThan(
        2.5 * (await size(page.getByTestId('verdict'))),
      )
    })

    await test.step('the verdict is the report’s', async () => {
      const verdict = page.getByTestId('verdict')
      await expect(verdict).toHaveAttribute('data-outcome', report.verdict.outcome)
      expect(flat(await verdict.innerText())).toContain(flat(report.verdict.text))
    })

    await test.step('a strip for each variant of the plan, the device’s idle time filled and accounted for', async () => {
      const placed = placeTrace(saved.trace)
      const measured = new Set(report.metrics.map(({ variant }) => variant))
      const planned = words.excerpt.variants.filter((variant) => measured.has(variant))
      expect(planned).not.toEqual([])
      expect(
        await strips.evaluateAll((all) => all.map((strip) => strip.getAttribute('data-variant'))),
      ).toEqual(planned)
      const totals = new Map(
        idleTotals(placed.trace, findGaps(placed)).map((total) => [total.variant, total] as const),
      )
      for (const variant of planned) {
        const strip = excerpt.locator(`[data-variant="${variant}"]`)
        // A name stands alone if it was not measured, for example on too few cores.
        const figure = findMetric(report.metrics, words.excerpt.figure, variant)
        await expect(strip.locator('.strips-name')).toContainText(
          figure?.value == null ? variant : words.excerpt.words,
        )
        await expect(strip.locator('.strips-bar').first()).toBeAttached()
        const total = totals.get(variant)
        const [cause] = total?.causes ?? []
        const stretches = await strip.locator('.strips-idle').evaluateAll((all) =>
          all.map((rect) => ({
            width: Number(rect.getAttribute('width')),
            fill: getComputedStyle(rect).fill,
          })),
        )
        for (const { fill } of stretches) expect(fill).not.toMatch(/^(none|transparent|rgba\(.*, 0\))$/)
        const widest = Math.max(0, ...stretches.map(({ width }) => width))
        if (!total || !cause || widest < LABEL_PX) continue
        const share = total.idleNs / total.extentNs
        const labels = (await strip.locator('.strips-label').allTextContents()).filter((label) =>
          label.includes('%'),
        )
        expect(labels).toHaveLength(share >= 0.02 ? 1 : 0)
        for (const label of labels) {
          const [shown = Number.NaN] = figuresIn(label, { unit: 'ratio' })
          expect(Math.abs(shown - share), `${label} for ${String(share)}`).toBeLessThan(0.006)
          expect(flat(label)).toMatch(new RegExp(`^idle [\\d.]+ %$|${CAUSES[cause.cause].label}$`))
        }
      }
    })

    const expectExplanation = async () => {
      await lab.openLesson(id, { screen: 'why' })
      const explanation = page.getByTestId('explanation')
      // The words of a lesson are a chunk of their own, loaded when they are shown.
      await expect(explanation.locator('.card').first()).toBeVisible()
      await expect(explanation).not.toContainText(/undefined|NaN|\[object|Infinity/)
      const quoted = new Set<Metric>()
      const declaration = { ...meta, rules: await verdictRules(meta.id) }
      explain(declaration, { report, origin: 'live' }, (metric) => {
        if (metric.value !== null) quoted.add(metric)
        return ''
      })
      // What is folded is no part of innerText.
      await explanation.locator('details').evaluateAll((folded: HTMLDetailsElement[]) => {
        for (const each of folded) each.open = true
      })
      const text = await explanation.innerText()
      // A factor is a figure of two metrics, and is no metric itself.
      if (report.verdict.outcome === 'shown' && quoted.size === 0)
        expect(flat(text)).toMatch(/\d (times|%|[nµm]?s\b)/)
      for (const each of quoted) expectFigureIn(text, each)
      await expect(page.getByTestId('quiz').locator('.quiz-item')).toHaveCount(words.quiz.length)
    }
    await test.step('the explanation quotes this run', expectExplanation)

    if (!isWhole) return

    await test.step('every figure, with all controls', async () => {
      await page.getByRole('main').getByRole('link', { name: 'All controls' }).last().click()
      await expect(lab.timeline.locator('canvas').first()).toBeVisible()
      const table = page.getByTestId('metrics')
      for (const { name } of meta.metricKeys(report.params)) await expect(table).toContainText(name)
    })

    const step = words.steps.find(({ action }) => action !== undefined)
    if (!step) throw new Error(`${id} has no step that runs.`)
    await test.step(`a step, before and after: ${step.heading}`, async () => {
      await lab.runStep(id, step.id, settings)
      const after = reportOf(await lab.savedRun())
      expect(after.params).not.toEqual(report.params)
      const figures = step.compare.length > 0 ? step.compare : [asked.metric]
      const planned = planOf(words, step).variants
      // The trace has all versions: the page also draws those that have no metric.
      const { spans, strings } = saved.trace
      const measured = new Set(Array.from(spans.variant, (index) => strings[index] ?? ''))
      const counterpart = (variant: string) => step.before?.[planned.indexOf(variant)] ?? variant
      const isBefore = (variant: string) => measured.has(counterpart(variant))
      const both = async () => {
        const strips = (names: string) => page.getByTestId('before-after').locator(`[data-variant]${names}`)
        const before = strips('[data-variant$=", before"]').locator('.strips-bar')
        const own = strips(':not([data-variant$=", before"])')
        await expect(own.locator('.strips-bar').first()).toBeVisible()
        const names = await own.evaluateAll((all) =>
          all.map((strip) => strip.getAttribute('data-variant')?.replace(/, after$/, '') ?? ''),
        )
        // A hang is in the step's own run alone, and drawn without one before.
        if (step.before?.length === 0) await expect(before).toHaveCount(0)
        else if (names.some(isBefore)) await expect(before.first()).toBeVisible()
        else await expect(page.getByText('The earlier run has none of these versions.')).toBeVisible()
        const rows = page.locator('.before-after-figures tbody tr')
        await expect(rows).toHaveCount(figures.length)
        const columns = await rows.first().locator('td').count()
        for (const [index, { name, variant }] of figures.entries()) {
          const earlier =
            findMetric(report.metrics, name, counterpart(variant)) ??
            findMetric(report.metrics, name, variant)
          const shown = [earlier, findMetric(after.metrics, name, variant)].slice(-columns)
          for (const [column, metric] of shown.entries())
            expectFigure(await rows.nth(index).locator('td').nth(column).innerText(), metric)
        }
      }
      await both()
      await page.reload()
      await both()
    })

    await test.step('the explanation quotes the lesson’s run, not the step’s', expectExplanation)
  })
}

test('a skipped prediction runs, and is not scored', ANYWHERE, async ({ lab, page }) => {
  // Long enough to be cancelled, once the device is measured too.
  const settings = { ...shortSettings('async-submission'), steps: '64', repeats: '15', kernelMs: '4' }
  await lab.openLesson('async-submission', { settings })
  await page.getByRole('button', { name: 'Skip the prediction' }).click()
  await expect(lab.stage).toBeVisible()
  await lab.cancelButton.click()
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(lab.stage).toBeVisible()
  await lab.cancelButton.click()
  await lab.waitEnded()
  await lab.openLesson('async-submission', { screen: 'predict' })
  await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'skipped')
})

test(
  'a step has the one dial that it is about, and an address of its own',
  ANYWHERE,
  async ({ lab, page }) => {
    const step = experimentWords('sync-stalls').steps.find(({ id }) => id === 'longer')
    await lab.openLesson('sync-stalls', { screen: 'change', step: 'longer' })
    await expect(page.locator('[data-screen-start]')).toHaveText(step?.heading ?? '')
    const dial = page.locator('.change-action')
    await expect(dial.getByRole('slider')).toHaveCount(1)
    // Keys, since over BiDi `fill` adds to what a field of numbers holds, and reads the address of
    // the page before.
    await dial.getByRole('spinbutton').press('ControlOrMeta+a')
    await page.keyboard.press('5')
    await expect
      .poll(() => page.evaluate(() => location.href))
      .toContain('/lessons/sync-stalls/#change/longer?kernelMs=5')
    await page.reload()
    await expect(dial.getByRole('spinbutton')).toHaveValue('5')
    await expect(lab.runButton).toHaveText('Run it')
  },
)

test(
  'a word of the glossary opens from the keyboard, and closes on Escape',
  ANYWHERE,
  async ({ lab, page }) => {
    await lab.openLesson('sync-stalls')
    const word = page.getByRole('main').locator('.definition').first()
    const note = page.getByRole('note').filter({ visible: true })
    await word.focus()
    await page.keyboard.press('Enter')
    await expect(note).toContainText('In PyTorch:')
    await page.keyboard.press('Escape')
    await expect(note).toHaveCount(0)
    await expect(word).toBeFocused()
  },
)
