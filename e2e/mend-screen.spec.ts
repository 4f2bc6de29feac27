/**
 * The screen on which a learner mends a program: written, kept, run and graded when a key is
 * pressed and never before, and what was written is never lost.
 */
import type { Locator, Page } from '@playwright/test'
import { exerciseText } from '../src/exercises/testing/programs'
import { noViolationInAnyLook, violations } from './a11y'
import { ALONE, expect, test } from './fixtures'
import { GRADING_TIMEOUT_MS } from './mends'

const LESSON = 'sync-stalls'
/** The last of its mend. */
const RUNG = '2'

/** In the page, before its scripts: names the workers that programs are started in. */
function noteMends(): void {
  const names: string[] = []
  Object.assign(globalThis, { startedMends: names })
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      if (options?.name === 'mend') names.push(options.name)
    }
  }
}

class ExercisePage {
  readonly page: Page
  readonly program: Locator
  readonly runKey: Locator
  readonly cancelKey: Locator
  readonly grade: Locator
  readonly problems: Locator
  /** Lines with something wrong in them. */
  readonly marked: Locator

  constructor(page: Page) {
    this.page = page
    this.program = page.getByRole('textbox', { name: 'Program to mend' })
    this.runKey = page.getByRole('button', { name: /^Run and grade/ })
    this.cancelKey = page.locator('.mend').getByRole('button', { name: 'Cancel' })
    this.grade = page.getByTestId('grade')
    this.marked = page.locator('.cm-line:has([class*="cm-lintRange"])')
    this.problems = page.getByRole('list', { name: 'Problems in the program' })
  }
  /** Of all pages opened from now on. */
  static async of(page: Page): Promise<ExercisePage> {
    await page.context().addInitScript(noteMends)
    return new ExercisePage(page)
  }
  /** Since the page was loaded. */
  async started(): Promise<readonly string[]> {
    return await this.page.evaluate(
      () => (globalThis as unknown as { readonly startedMends: readonly string[] }).startedMends,
    )
  }
  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }
  check(id: string): Locator {
    return this.page.locator(`[data-check="${id}"]`)
  }
  /** As in the editor; lines that a comparison shows are not among them. */
  /** The editor draws the lines that are in view. */
  async text(): Promise<string> {
    await this.program.evaluate((program) => {
      program.scrollIntoView({ block: 'center' })
    })
    return (await this.program.locator('.cm-line').allTextContents()).join('\n')
  }
  /** Types over the whole program. */
  async write(text: string): Promise<void> {
    await this.program.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }
  async writeFirstLine(text: string): Promise<void> {
    await this.program.press('ControlOrMeta+Home')
    await this.page.keyboard.type(text)
    await this.page.keyboard.press('Enter')
  }
  /** Runs, until a program's worker has started. */
  async runUntilStarted(): Promise<void> {
    const before = (await this.started()).length
    await this.runKey.click()
    await expect
      .poll(async () => (await this.started()).length, { timeout: GRADING_TIMEOUT_MS })
      .toBeGreaterThan(before)
  }
  async waitGraded(): Promise<void> {
    await expect(this.cancelKey).toBeHidden({ timeout: GRADING_TIMEOUT_MS })
    await expect(this.grade).toBeVisible()
  }
}

test('a program is written and kept, and nothing runs before it is to', async ({ lab, page }) => {
  const mend = await ExercisePage.of(page)
  const start = (await exerciseText(LESSON, 'start')).trimEnd()

  await test.step('what is typed is kept over a reload, and nothing runs', async () => {
    await lab.openLesson(LESSON, { screen: 'mend', step: RUNG, settings: { steps: '4' } })
    await expect(mend.program).toBeVisible()
    await expect.poll(async () => (await mend.text()).trimEnd()).toBe(start)
    await mend.writeFirstLine('// mine')
    await expect(page.getByText('Kept on this device.', { exact: true })).toBeVisible()
    await page.reload()
    await expect(mend.program).toContainText('// mine')
    await expect(mend.check('ahead')).toHaveAttribute('data-outcome', 'open')
    await expect(mend.check('ended')).toHaveAttribute('data-outcome', 'open')
    await expect(mend.grade).toHaveCount(0)
    expect(await mend.started()).toEqual([])
  })

  await test.step('it is reset, and undo brings it back', async () => {
    await mend.button('Reset to start').click()
    await expect.poll(async () => (await mend.text()).trimEnd()).toBe(start)
    await mend.button('Undo').click()
    await expect(mend.program).toContainText('// mine')
  })

  await test.step('hints come one after the other, and the lab’s own on request', async () => {
    const hints = page.locator('.hints li')
    await expect(hints).toHaveCount(0)
    for (const [index, name] of [
      'Give me a hint',
      'Another hint (2 left)',
      'Another hint (1 left)',
    ].entries()) {
      await mend.button(name).click()
      await expect(hints).toHaveCount(index + 1)
    }
    await expect(page.locator('.hints').getByRole('button')).toHaveCount(0)
    await expect(page.getByTestId('reference')).toHaveCount(0)
    await mend.button('Show the lab’s own fix').click()
    await expect(page.getByTestId('reference')).toContainText('always one batch of steps later')
  })

  await test.step('in PyTorch each choice plays its recorded run, the wrong one too, in room that was kept', async () => {
    await page.locator('.choices-place').scrollIntoViewIfNeeded()
    const choices = page.getByTestId('choices')
    const wrong = choices.getByRole('button', { name: 'Read a number' })
    const right = choices.getByRole('button', { name: 'Read nothing' })
    const shown = choices.locator('[data-testid=choice-result][data-shown=true]')
    const barsOf = (name: string) => choices.locator(`.strips-strip[data-variant="${name}"] .strips-bar`)
    const heightOf = async () => (await choices.boundingBox())?.height ?? 0
    await expect(choices.locator('.strips-svg')).toHaveCount(3)
    await expect(choices.locator('.strips-bar')).toHaveCount(0)
    await expect(shown).toHaveCount(0)
    const height = await heightOf()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await wrong.press('Enter')
    await expect(wrong).toHaveAttribute('aria-pressed', 'true')
    await expect(shown).toContainText(
      /A step took [\d.]+\sms by itself\. .+ under the profiler: there a step took [\d.]+\sms, and the GPU computed [\d.]+\s% of the time\. Another choice is quicker\./,
    )
    await expect(barsOf('Read a number')).not.toHaveCount(0)
    const halfway = await choices
      .locator('.strips-svg')
      .first()
      .evaluate((picture) => {
        const [played] = picture.getAnimations()
        if (!played) return 'it stands'
        played.currentTime = Number(played.effect?.getComputedTiming().duration) / 2
        return getComputedStyle(picture).clipPath
      })
    expect(halfway).toMatch(/^inset\(0px (49|50)[\d.]*% 0px 0px\)$/)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect(barsOf('Read nothing')).toHaveCount(0)
    await right.press('Space')
    await expect(shown).toContainText('No other choice is measurably quicker.')
    await expect(choices.getByRole('status')).toContainText('No other choice is measurably quicker.')
    await expect(barsOf('Read nothing')).not.toHaveCount(0)
    await expect(wrong).toContainText('your guess')
    expect(Math.abs((await heightOf()) - height)).toBeLessThan(1)
    await expect(shown.getByRole('link', { name: 'Open the whole profile' })).toHaveAttribute(
      'href',
      /trace\/#\?recording=torch-sync-stalls-nothing$/,
    )
    expect(await mend.started()).toEqual([])
    // With the hints and the lab's own open; in all looks below.
    await page.evaluate(() => {
      scrollTo(0, 0)
    })
    expect(await violations(page)).toEqual([])
    const again = await page.context().newPage()
    await again.goto(page.url())
    await again.locator('.choices-place').scrollIntoViewIfNeeded()
    await expect(again.getByRole('button', { name: 'Read a number' })).toContainText('your guess')
    await expect(again.locator('[data-testid=choice-result][data-shown=true]')).toContainText('Read nothing.')
    await again.close()
  })

  await test.step('a mistake of syntax is marked at its line, and no program is started', async () => {
    await mend.program.press('ControlOrMeta+Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('const = 1')
    await expect(mend.problems).toContainText('Line 2: ‘=’ is not expected here.')
    await expect(mend.marked).toHaveText(['const = 1'])
    await mend.runKey.click()
    await mend.waitGraded()
    await expect(mend.grade).toHaveAttribute('data-passed', 'false')
    await expect(mend.check('ended')).toHaveAttribute('data-outcome', 'no')
    await expect(mend.grade).toContainText('Line 2 does not parse.')
    expect(await mend.started()).toEqual([])
    await page.keyboard.press('F8')
    await mend.write(start)
    await expect(mend.problems).toHaveCount(0)
    await expect(page.getByText('You have changed it since it was graded.')).toBeVisible()
  })
})

test('a program is run, cancelled and graded', ALONE, async ({ lab, page }) => {
  test.setTimeout(4 * GRADING_TIMEOUT_MS)
  const mend = await ExercisePage.of(page)

  await test.step('the unchanged program is run and fails for its reason', async () => {
    await lab.openLesson(LESSON, { screen: 'mend', step: RUNG, settings: { steps: '4' } })
    await mend.runKey.click()
    await expect(mend.cancelKey).toBeVisible()
    await mend.waitGraded()
    await expect(mend.grade).toHaveAttribute('data-passed', 'false')
    await expect(mend.check('ahead')).toHaveAttribute('data-outcome', 'no')
    await expect(mend.grade).toContainText('(line 12): the GPU had nothing to do')
    await expect(mend.check('ahead')).not.toContainText('line 12')
    const start = await exerciseText(LESSON, 'start')
    await expect(mend.marked).toHaveText([start.split('\n')[11] ?? ''])
    await expect(mend.check('ended')).toHaveAttribute('data-outcome', 'yes')
    expect(await mend.started()).toHaveLength(3)
  })

  const reference = (await exerciseText(LESSON, 'reference')).trimEnd()
  await test.step('a run is cancelled: no grade comes of it, and the program stays', async () => {
    await mend.write(reference)
    await mend.runUntilStarted()
    await mend.cancelKey.click()
    await expect(mend.runKey).toBeVisible()
    await expect(mend.grade).toContainText('(line 12): the GPU had nothing to do')
    expect((await mend.text()).trimEnd()).toBe(reference)
  })

  await test.step('the keys that run: what is right is graded as such', async () => {
    const before = (await mend.started()).length
    await mend.program.press('ControlOrMeta+Enter')
    await expect(mend.cancelKey).toBeVisible()
    await mend.waitGraded()
    // Null where this machine cannot tell one of them.
    await expect(mend.grade).not.toHaveAttribute('data-passed', 'false')
    for (const id of ['output', 'work', 'stops', 'ahead', 'time'])
      await expect(mend.check(id)).toHaveAttribute('data-outcome', /^(yes|cannot-tell)$/)
    await expect(page.getByTestId('gain').locator('strong')).toHaveText(/\d/)
    await expect(page.locator('.mend-gain-before')).toHaveText(/\d/)
    await expect(page.locator('.mend-strips .strips-strip').first()).toBeVisible()
    expect(await mend.started()).toHaveLength(before + 3)
  })

  await test.step('no violation that axe finds', async () => await noViolationInAnyLook(page))
})

test('an open bracket is told where it was opened', async ({ lab, page }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  const mend = await ExercisePage.of(page)
  const head = 'export default async function ({ device, input }) {\n  const { readback } = input\n'
  await lab.openLesson(LESSON, { screen: 'mend', step: RUNG })
  const names = page.locator('.mend-names')
  await names.getByText('What the program can use').click()
  await expect(names).toContainText('unmap() Gives a mapped buffer back')

  await test.step('what is wrong stands once, also when it was graded', async () => {
    await mend.write(`${head}  readback.mapAsync(GPUMapMode.READ\n  readback.unmap()\n}\n`)
    const problem = mend.problems.getByRole('listitem')
    await expect(problem).toHaveText(['Line 3: Nothing closes this ‘(’.'])
    await expect(mend.marked).toContainText(['readback.mapAsync'])
    await mend.runKey.click()
    await mend.waitGraded()
    await expect(mend.grade).toContainText('Line 3 does not parse.')
    await expect(problem).toHaveText(['Line 3: Nothing closes this ‘(’.'])
  })

  await test.step('a wait that was taken away is told by the read that needed it', async () => {
    const start = (await exerciseText(LESSON, 'start')).trimEnd()
    const lines = start.split('\n').filter((line) => !line.includes('mapAsync'))
    const at = lines.findIndex((line) => line.includes('getMappedRange')) + 1
    await mend.write(lines.join('\n'))
    await mend.runKey.click()
    await mend.waitGraded()
    await expect(mend.grade).toContainText(
      `You removed the wait that the read in line ${String(at)} needs: \`readback\` is not mapped there.`,
    )
    await expect(mend.marked).toHaveText([lines[at - 1] ?? ''])
    await expect(mend.check('ended')).not.toContainText('You removed')
    await mend.button(`Back to line ${String(at)}`).click()
    await expect(mend.program).toBeFocused()
    await page.getByText('The browser’s own words').click()
    await expect(page.locator('.mend-log pre')).toContainText('getMappedRange failed')
  })
})

test('a rung that is passed lights the next, leads to it, and is kept', async ({ lab, page }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  const mend = await ExercisePage.of(page)
  const lesson = 'command-queue' // graded fast
  const rungs = page.getByRole('navigation', { name: 'Exercises' })
  await lab.openLesson(lesson, { screen: 'mend' })
  await expect(rungs.locator('[aria-current]')).toHaveText('Exercise 1 of 2')
  await expect(page).toHaveURL(/#mend\/1$/)
  await expect(rungs.locator('.mend-rung-lit')).toHaveCount(0)
  await expect(mend.program).toContainText('BATCH = 1')

  await mend.write((await exerciseText(lesson, 'reference', 1)).trimEnd())
  await mend.runKey.click()
  await mend.waitGraded()
  await expect(mend.grade).not.toHaveAttribute('data-passed', 'false')
  await expect(rungs.locator('.mend-rung-lit')).toHaveText('Exercise 2 of 2, next')
  await page.getByRole('link', { name: 'Continue to exercise 2' }).click()
  await expect(page).toHaveURL(/#mend\/2$/)
  await expect(page.locator('#mend-title')).toBeFocused()
  await expect(rungs.locator('[aria-current]')).toContainText('Exercise 2 of 2')
  await expect
    .poll(async () => (await mend.text()).trimEnd())
    .toBe((await exerciseText(lesson, 'start')).trimEnd())

  await mend.writeFirstLine('// mine')
  await expect(page.getByText('Kept on this device.', { exact: true })).toBeVisible()
  await page.reload()
  await expect(mend.program).toContainText('// mine')
  await expect(rungs).toContainText('Exercise 1 of 2 ✓')
  await rungs.getByRole('link', { name: 'Exercise 1 of 2' }).click()
  await expect(mend.program).toContainText('BATCH = 512')
})

test('a first run is cancelled while the lab measures the device', async ({ lab, page }) => {
  const mend = await ExercisePage.of(page)
  // Which never ends: the engine's script does not come.
  await page.route(/\/worker-[^/]*\.js$/, () => undefined)
  await lab.openLesson(LESSON, { screen: 'mend' })
  await mend.runKey.click()
  await mend.cancelKey.click()
  await expect(mend.runKey).toBeVisible()
  await expect(mend.grade).toHaveCount(0)
})

test('a tab that is killed by a run loses no code', async ({ lab, page, context }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  const mend = await ExercisePage.of(page)
  await lab.openLesson(LESSON, { screen: 'mend', step: RUNG })
  await mend.writeFirstLine('// mine')
  await mend.runUntilStarted()
  const devtools = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // It has no answer: the page is gone.
  devtools.send('Page.crash').catch(() => undefined)
  await crashed
  const next = await context.newPage()
  await next.goto(page.url())
  const again = new ExercisePage(next)
  await expect(again.program).toContainText('// mine')
  await expect(again.grade).toHaveCount(0)
  expect(await again.started()).toEqual([])
})
