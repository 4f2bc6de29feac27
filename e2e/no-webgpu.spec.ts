/**
 * A page without WebGPU: every lesson still completes, on recordings that say that they are, and
 * mends on the model. Chromium has no flag left that takes navigator.gpu away; a page that is no
 * secure context (plain http, not localhost) really has none, in the page and in its worker.
 */
import { exerciseText } from '../src/exercises/testing/programs'
import { findMetric } from '../src/trace/report'
import { expect, LONG, test } from './fixtures'
import type { LabPage } from './lab'
import { experimentWords, lessonIds } from './lesson-folders'
import { GRADING_TIMEOUT_MS } from './mends'
import { expectFigure } from './read-figures'
import { isRecorded } from './recordings'
import { Replay } from './replay'
import { onInsecureHost } from './no-gpu-page'

onInsecureHost()

const RECORDED = /recorded on .+\d{4}/i
/** What only a run of this machine may say of itself. */
const OWN = /on this machine|measured on/i

const atEnd = async ({ moment }: Replay): Promise<void> => {
  await moment.press('End')
  await expect(moment).toHaveValue('1000')
}

/**
 * The whole lesson on recordings, each of its steps too: its own replayed by itself, the others at
 * their end, with figures, marked as recorded and never as the visitor's own machine.
 */
async function playsRecordings(lab: LabPage, id: string): Promise<void> {
  const { page } = lab
  const { prediction, steps } = experimentWords(id)
  await page.emulateMedia({ reducedMotion: 'no-preference' })

  await test.step('the lesson’s own recording', async () => {
    await lab.openLesson(id)
    await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
    await lab.predict()
    await expect(lab.runButton).toHaveText(/^Predict .+ and play the recording$/)
    await lab.runButton.click()
    await expect(page.getByTestId('headline-own')).toContainText(RECORDED)
    await expect(page.getByTestId('headline')).not.toContainText(OWN)
    await expect(page.getByTestId('prediction-result')).toContainText('you said')
    await expect(page.getByTestId('verdict')).not.toContainText(OWN)
    await expect(lab.runButton).toHaveText('Play the recording')
    const { trace, report } = await lab.savedRun()
    expect(trace.spans.length).toBeGreaterThan(0)
    expect(report?.validity.valid).toBe(true)
    // The point of a recording is a real GPU.
    expect(report?.environment.isSoftware).toBe(false)
    const { name, variant } = prediction.metric
    expectFigure(
      await page.getByTestId('headline-number').innerText(),
      findMetric(report?.metrics ?? [], name, variant),
    )
    await atEnd(new Replay(page))
  })

  for (const step of steps)
    await test.step(step.heading, async () => {
      await lab.openLesson(id, { screen: 'change', step: step.id })
      await expect(page.getByRole('heading', { level: 2, name: step.heading })).toBeVisible()
      if (!step.action) {
        await atEnd(new Replay(page))
        return
      }
      // Nothing here could be set: the recording is of one setting.
      const guess = page.getByTestId('guess')
      const sliders = step.guess?.slider ? 1 : 0
      await expect(page.locator('.change-action input[type=range]')).toHaveCount(sliders)
      await expect(lab.runButton).toHaveText('Play the recording')
      if (sliders > 0) await guess.getByRole('slider').press('ArrowRight')
      else if (step.guess) await guess.getByRole('radio').nth(1).check()
      await lab.runButton.click()
      if (!isRecorded(`${id}/${step.id}`)) {
        await expect(page.getByRole('alert')).toContainText('There is no recording of this yet.')
        await expect(page.getByTestId('before-after')).toHaveCount(0)
        return
      }
      await expect(page.getByTestId('before-after')).toBeVisible()
      // One column where the lesson's own run has none of the step's figures.
      const [, ...headings] = await page.locator('.before-after-figures thead th').all()
      expect(headings.length).toBeGreaterThan(0)
      for (const heading of headings) {
        await expect(heading).toContainText(RECORDED)
        await expect(heading).not.toContainText(OWN)
      }
      await atEnd(new Replay(page))
      await expect(page.getByTestId('verdict')).not.toContainText(OWN)
      const { report } = await lab.savedRun()
      expect(report?.validity.valid).toBe(true)
      expect(report?.params).toMatchObject(step.action.values)
      if (step.guess) {
        await expect(page.getByTestId('guess-result')).toContainText(
          sliders > 0 ? /You expected \d.*It is .*\d/ : `You expected ${step.guess.answers?.same ?? '?'}`,
        )
      }
      const figures = step.compare.length > 0 ? step.compare : [prediction.metric]
      const rows = page.locator('.before-after-figures tbody tr')
      await expect(rows).toHaveCount(figures.length)
      for (const [index, { name, variant }] of figures.entries())
        expectFigure(
          await rows.nth(index).locator('td').last().innerText(),
          findMetric(report?.metrics ?? [], name, variant),
        )
    })

  await test.step('the explanation is of the recorded machine', async () => {
    await lab.openLesson(id, { screen: 'why' })
    const explanation = page.getByTestId('explanation')
    await expect(explanation).toContainText(/\d/)
    const disclaimer = 'They are not your machine’s.'
    const text = (await explanation.innerText()).replaceAll("'", '’')
    expect(text).toMatch(/These figures are from a run recorded on .+\./)
    expect(text).toContain(disclaimer)
    expect(text.replace(disclaimer, '')).not.toMatch(/your (own )?(machine|device|GPU)/i)
  })
}

test('this page has no navigator.gpu, and the device page says what is missing', async ({ lab, page }) => {
  await lab.open('/device')
  expect(await page.evaluate(() => 'gpu' in navigator)).toBe(false)
  expect(await lab.environment()).toMatchObject({ fault: { code: 'no-webgpu' } })
  await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
})

/** One page plays them all, and offline.spec plays that of ranks. */
const SHORT = ['sync-stalls']
for (const id of lessonIds.filter(isRecorded)) {
  const details = SHORT.includes(id) ? {} : LONG
  test(
    `${id} plays the recording of every step, says what is missing and how to get it`,
    details,
    async ({ lab }) => await playsRecordings(lab, id),
  )
}

test('a mend is run on the model, fails for its reason, is mended, and passes as the model says', async ({
  lab,
  page,
}) => {
  test.setTimeout(4 * GRADING_TIMEOUT_MS)
  // A program's worker is a blob (mend-screen.spec), the site's others are files.
  const started: string[] = []
  page.on('worker', (worker) => started.push(new URL(worker.url()).protocol))
  const program = page.getByRole('textbox', { name: 'Program to mend' })
  const grade = page.getByTestId('grade')
  const gradeIt = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Run and grade/ }).click()
    await expect(page.locator('.mend').getByRole('button', { name: 'Cancel' })).toBeHidden({
      timeout: GRADING_TIMEOUT_MS,
    })
    await expect(grade).toHaveAttribute('data-modelled', 'true')
  }
  await lab.openLesson('sync-stalls', { screen: 'mend', step: '2' })
  await expect(
    page.getByRole('note').filter({ hasText: 'What the model says is no measurement' }),
  ).toBeVisible()

  await test.step('a program that still waits in every step is not mended, and says where', async () => {
    await program.press('ControlOrMeta+a')
    await page.keyboard.insertText(
      (await exerciseText('sync-stalls', 'start')).replace(
        'losses.push(value)',
        'losses.push(Number(value))',
      ),
    )
    await gradeIt()
    await expect(grade).toContainText('The model says: not mended yet.')
    await expect(page.locator('[data-check="ahead"]')).toHaveAttribute('data-outcome', 'no')
    await expect(page.locator('[data-check="output"]')).toHaveAttribute('data-outcome', 'yes')
  })

  await test.step('mended, it passes on the model', async () => {
    await program.press('ControlOrMeta+a')
    await page.keyboard.insertText(await exerciseText('sync-stalls', 'reference'))
    await gradeIt()
    await expect(grade).toContainText('The model says: mended.')
    await expect(page.getByTestId('gain')).toContainText('modelled')
    expect(started).toContain('blob:')
  })

  await test.step('nothing of it is kept as done on this device', async () => {
    await page.reload()
    await expect(program).toContainText('always one batch of steps later')
    await expect(grade).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Exercises' })).not.toContainText('✓')
    await page.getByRole('button', { name: 'Show the lab’s own fix' }).click()
    await expect(page.getByTestId('reference')).toContainText('always one batch of steps later')
  })
})

test('whichever part of a lesson, or bench, is opened first, a recorded run is one press away', async ({
  lab,
  page,
}) => {
  // What one played, another would have: a lesson each.
  for (const [place, shown] of [
    ['/lessons/transfer-cost/see', page.getByTestId('headline')],
    ['/lessons/command-queue/why', page.getByTestId('explanation').locator('.card').first()],
    ['/run/tensor-residence', page.getByTestId('ribbon')],
  ] as const) {
    await lab.open(place)
    await page.getByRole('button', { name: 'Play a recorded run' }).click()
    await expect(shown).toBeVisible()
  }
})
