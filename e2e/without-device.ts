/** What the two kinds of browsers without a device have in common. */
import { processFlags } from '../cli/adapters.mjs'
import { findBrowser } from '../cli/browsers.mjs'
import { expect, test } from './fixtures'
import { INSECURE_HOST } from './site-address'
import type { Lab } from './lab'
import { experimentWords } from './lesson-folders'
import { expectFigure } from './read-figures'
import { isRecorded } from './recordings'
import { LABEL_PX, Replay } from './replay'
import { findMetric } from '../src/trace/report'

const found = await findBrowser()
if (found === null) throw new Error('No Chrome or Chromium found: npm run test:e2e installs one.')
export const executablePath = found

/** A whole spec on an origin that is no secure context, where navigator.gpu does not exist. */
export function onInsecureHost(): void {
  test.use({
    baseURL: `http://${INSECURE_HOST}:${process.env['LAB_E2E_PORT'] ?? ''}/`,
    launchOptions: {
      executablePath,
      args: [...processFlags(), `--host-resolver-rules=MAP ${INSECURE_HOST} localhost`],
    },
  })
  test.beforeEach(({ errors }) => {
    // Chrome's note that an insecure page cannot be isolated.
    errors.allow(/Cross-Origin-Opener-Policy header has been ignored/)
  })
}

const RECORDED = /recorded on .+\d{4}/i
/** What only a run of this machine may say of itself. */
const OWN = /on this machine|measured on/i

/** Replays from the beginning to the end, moving by itself. */
async function replayToEnd(replay: Replay): Promise<void> {
  await replay.speed.selectOption('10')
  await replay.moment.press('Home')
  await replay.play.click()
  await expect(replay.moment).toHaveValue('1000')
  await expect(replay.play).toHaveText('Replay slowly')
}

const atEnd = async ({ moment }: Replay): Promise<void> => {
  await moment.press('End')
  await expect(moment).toHaveValue('1000')
}

/** The whole lesson on recordings, each of its steps too: its own replayed by itself, the others at their end, with figures, marked as recorded and never as the visitor's own machine. */
export async function playsRecordings(lab: Lab, id: string, code: string): Promise<void> {
  const { page } = lab
  const { prediction, steps } = experimentWords(id)
  await page.emulateMedia({ reducedMotion: 'no-preference' })

  await test.step('the lesson’s own recording', async () => {
    await lab.openLesson(id)
    await expect(lab.fault(code)).toContainText('How to get WebGPU')
    await lab.predict()
    await expect(lab.runButton).toHaveText(/^Predict .+ and play the recording$/)
    await lab.runButton.click()
    const headline = page.getByTestId('headline')
    await expect(headline).toContainText(RECORDED)
    await expect(headline).not.toContainText(OWN)
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
    // The picture says for how much of the time the device was idle, wherever there is room to.
    const widths = await page
      .locator('.strips-idle')
      .evaluateAll((all) => all.map((rect) => Number(rect.getAttribute('width'))))
    if (Math.max(0, ...widths) > LABEL_PX)
      await expect(page.locator('.strips-label').filter({ hasText: /\d\s%/ }).first()).toBeVisible()
    await replayToEnd(new Replay(page))
  })

  /** What became of each guess, as its step says. */
  const guessed: string[] = []
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
      else if (step.guess) await guess.getByRole('radio', { name: 'same' }).check()
      await lab.runButton.click()
      if (!isRecorded(`${id}/${step.id}`)) {
        await expect(page.getByRole('alert')).toContainText('There is no recording of this yet.')
        await expect(page.getByTestId('before-after')).toHaveCount(0)
        return
      }
      for (const side of [1, 2]) {
        const heading = page.locator('.before-after-figures thead th').nth(side)
        await expect(heading).toContainText(RECORDED)
        await expect(heading).not.toContainText(OWN)
      }
      await atEnd(new Replay(page))
      await expect(page.getByTestId('verdict')).not.toContainText(OWN)
      const { report } = await lab.savedRun()
      expect(report?.validity.valid).toBe(true)
      expect(report?.params).toMatchObject(step.action.values)
      if (step.guess) {
        const result = page.getByTestId('guess-result')
        await expect(result).toContainText(
          sliders > 0 ? /you expected \d.*It is .*\d/ : 'you expected about the same',
        )
        guessed.push((await result.getAttribute('data-outcome')) ?? '')
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

  await test.step('what was expected, beside what was measured', async () => {
    await lab.openLesson(id, { screen: 'why' })
    const rows = page.getByTestId('expected').locator('tbody tr')
    await expect(rows).toHaveCount(1 + guessed.length)
    await expect(rows.first()).toContainText('The first question')
    await expect(rows.first()).toContainText(/\d/)
    for (const [index, outcome] of guessed.entries())
      await expect(rows.nth(index + 1)).toHaveAttribute('data-became', outcome)
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
