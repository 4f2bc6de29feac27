/**
 * What a visitor does, as verbs; and, for what no visitor sees, the page's automation
 * (`globalThis.hostDeviceLab`).
 */
import { expect, type Locator, type Page } from '@playwright/test'
import type { LabGlobal } from '../cli/lab-page'
import { findExperiment } from '../cli/catalog'
import { formatParam, type ParamValues } from '../src/experiments/experiment'
import type { Grade } from '../src/exercises/types'
import type { Automation, AutomationOutcome } from '../src/site/state/automation'
import { addressOf, readAddress } from '../src/site/state/url'
import { decodeRun, type SavedRun } from '../src/trace/codec'
import type { Environment } from '../src/trace/report'
import type { RunOptions } from '../src/site/worker/protocol'
import { experimentWords } from './lesson-folders'

export type GradingOptions = NonNullable<Parameters<Automation['grade']>[2]>
export type Settings = Readonly<Record<string, string>>

/**
 * As long as a small run may take on a slow machine, all calibration included. A limit, not an
 * expectation.
 */
export const RUN_TIMEOUT_MS = 90_000

const asSettings = (values: ParamValues): Settings =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatParam(value)]))

/** The values of an experiment's short run: small enough for two processor cores. */
export function shortSettings(experiment: string): Settings {
  const short = findExperiment(experiment)?.short
  if (!short) throw new Error(`There is no experiment ${experiment}.`)
  return asSettings(short)
}

/** In the page: goes to an address as a reader does who clicks a link. Sent there as text. */
function followLink(href: string): void {
  const link = document.createElement('a')
  link.href = href
  document.body.append(link)
  link.click()
  link.remove()
}

/** '/lessons/sync-stalls/see' with settings, as the address of its page. */
function addressFor(route: string, settings: Settings = {}): string {
  const query = new URLSearchParams(settings).toString()
  const inside = `#${route}${query === '' ? '' : `?${query}`}`
  const read = readAddress(inside)
  return read.page === 'unknown' ? inside : addressOf(read)
}

interface LessonPlace {
  readonly screen?: 'predict' | 'see' | 'mend' | 'change' | 'find' | 'why' | 'own'
  readonly step?: string
  readonly settings?: Settings
}

export class LabPage {
  readonly page: Page
  /** Of the bench, and of a run under way. */
  readonly timeline: Locator
  /** The one key that runs: the bench's, a question's, a result's or a step's. */
  readonly runButton: Locator
  readonly cancelButton: Locator
  /** A lesson's run under way, instead of what it will show. */
  readonly stage: Locator
  readonly status: Locator

  constructor(page: Page) {
    this.page = page
    this.timeline = page.getByTestId('timeline')
    this.runButton = page
      .locator('.run-bar, .predict-ask, .see-actions, .change-action')
      .getByRole('button', { name: /^(Run( it)?( again| on this machine)?|Play the recording|Predict .+)$/ })
    this.cancelButton = page.locator('.run-bar, .stage').getByRole('button', { name: 'Cancel' })
    this.stage = page.getByTestId('stage')
    this.status = page.locator('.run-bar, .stage').getByRole('status')
  }

  /** The automation comes with the rest of the lab, behind the first page. */
  private async ready(): Promise<void> {
    await this.page.waitForFunction(() => 'hostDeviceLab' in globalThis)
  }

  /** A program as the mend of a lesson, by the page's own grader. */
  async grade(lesson: string, source: string, options?: GradingOptions): Promise<Grade> {
    await this.ready()
    return await this.page.evaluate(
      ([id, text, more]) => (globalThis as LabGlobal).hostDeviceLab.grade(id, text, more),
      [lesson, source, options] as const,
    )
  }
  /**
   * A page by its path and, where it has them, its parts and settings: '/lessons/sync-stalls/see'.
   * On the site already, a visitor gets there by a link, and what was measured stays.
   */
  async open(route: string, settings: Settings = {}): Promise<void> {
    const address = addressFor(route, settings)
    const isHere = await this.page.evaluate(() => document.querySelector('.site-header') !== null)
    if (isHere) {
      await this.ready()
      await this.page.evaluate(followLink, address)
    } else {
      await this.page.goto(address)
      // The file's text has the same heading before there is a program behind it.
      await this.page.locator('html[data-answers]').waitFor()
    }
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  /** Without a screen: the one to which the visitor's progress leads. */
  openLesson(id: string, { screen, step, settings }: LessonPlace = {}): Promise<void> {
    return this.open(['/lessons', id, screen, step].filter((part) => part !== undefined).join('/'), settings)
  }
  openRun(experiment: string, settings: Settings = shortSettings(experiment)): Promise<void> {
    return this.open(`/run/${experiment}`, settings)
  }

  /**
   * On a lesson's question: moves the slider and leaves it. `run()` makes the prediction and runs.
   */
  async predict(): Promise<void> {
    await this.page.locator('#prediction-slider').press('ArrowRight')
  }
  /**
   * A short run may be over before a locator looks again: the page itself looks at each frame.
   * @param start what begins the run
   */
  async run(start = () => this.runButton.click()): Promise<void> {
    await this.page.evaluate(() => {
      Object.assign(globalThis, { progressBefore: globalThis.hostDeviceLab?.progress() ?? null })
    })
    const isUnderWay = this.page.waitForFunction(() =>
      [...document.querySelectorAll('.run-bar button, .stage button')].some(
        ({ textContent }) => textContent.trim() === 'Cancel',
      ),
    )
    await Promise.all([isUnderWay, start()])
  }
  /** Runs by a tap; the run that replaces the page is in view, however short it is. */
  async runInView(): Promise<void> {
    const isInView = this.page.waitForFunction(() => {
      const { top, bottom } = document.querySelector('[data-testid=stage]')?.getBoundingClientRect() ?? {}
      return top !== undefined && bottom !== undefined && top < innerHeight && bottom > 0
    })
    await Promise.all([isInView, this.run(() => this.runButton.tap())])
  }
  /** Until the run has ended, in whichever way. */
  async waitEnded(): Promise<void> {
    await expect(this.cancelButton).toBeHidden({ timeout: RUN_TIMEOUT_MS })
  }
  async waitDone(): Promise<void> {
    await this.waitEnded()
    await expect(this.page.getByTestId('verdict')).toBeVisible()
  }
  /** A lesson from its question to the measured result, on its second screen. */
  async runLesson(id: string, settings: Settings = shortSettings(id)): Promise<void> {
    await this.openLesson(id, { screen: 'predict', settings })
    await this.predict()
    await this.run()
    await this.waitDone()
  }
  /**
   * A step of a lesson to its before and after. What the step itself changes stays as it says, and
   * `settings` make the rest small.
   */
  async runStep(id: string, step: string, settings: Settings = shortSettings(id)): Promise<void> {
    const own = experimentWords(id).steps.find((each) => each.id === step)?.action?.values
    if (!own) throw new Error(`${id} has no step ${step} that runs.`)
    const others = Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in own)))
    await this.openLesson(id, { screen: 'change', step, settings: others })
    await this.run()
    await this.waitDone()
  }
  /** The recorded run of a lesson in place of one's own, on its second screen. */
  async playRecording(id: string): Promise<void> {
    await this.openLesson(id, { screen: 'see' })
    await this.page.getByRole('button', { name: 'Play a recorded run' }).click()
    await expect(this.page.getByTestId('headline-own')).toContainText('Recorded on')
  }
  /**
   * A run at work on the device, not still loading: until it says so, the progress is that of the
   * run before.
   */
  async waitMeasuring(): Promise<void> {
    await this.page.waitForFunction(
      () => {
        const { hostDeviceLab, progressBefore } = globalThis as LabGlobal & { progressBefore?: unknown }
        const progress = hostDeviceLab.progress()
        return progress !== progressBefore && (progress?.fraction ?? 0) > 0
      },
      null,
      { timeout: RUN_TIMEOUT_MS },
    )
  }
  fault(code: string): Locator {
    return this.page.locator(`[data-fault="${code}"]`)
  }

  async environment(
    full = false,
  ): Promise<{ readonly environment?: Environment; readonly fault?: { readonly code: string } }> {
    await this.ready()
    return await this.page.evaluate((all) => (globalThis as LabGlobal).hostDeviceLab.environment(all), full)
  }
  /** A run through the automation, to its end. */
  async runBare(
    experiment: string,
    settings: Settings = shortSettings(experiment),
    options: Partial<RunOptions> = {},
  ): Promise<AutomationOutcome> {
    await this.ready()
    return await this.page.evaluate(
      ([id, params, opts]) => (globalThis as LabGlobal).hostDeviceLab.run(id, params, opts),
      [experiment, settings, options] as const,
    )
  }
  async destroyDevice(): Promise<void> {
    await this.ready()
    await this.page.evaluate(() => {
      ;(globalThis as LabGlobal).hostDeviceLab.destroyDevice()
    })
  }
  async traceEventJson(): Promise<string> {
    await this.ready()
    return await this.page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.traceEventJson())
  }
  /** The run on the page, as its file. */
  async runBytes(): Promise<Buffer> {
    await this.ready()
    const base64 = await this.page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.runBytes())
    return Buffer.from(base64, 'base64')
  }
  /** The run on the page, saved and read back: trace and report. */
  async savedRun(): Promise<SavedRun> {
    const decoded = await decodeRun(await this.runBytes(), { origin: 'live' })
    if (!decoded.ok) throw new Error(`The saved run cannot be read: ${JSON.stringify(decoded.error)}`)
    return decoded.value
  }
}
