/**
 * A page in WebKitGTK, with the verbs of lab.ts that a browser without WebGPU needs. Its driver speaks W3C WebDriver, which Playwright does
 * not; what is expected of a page is Playwright's `expect` all the same.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test as base } from '@playwright/test'
import { Builder, By, Capabilities, Key, type WebDriver } from 'selenium-webdriver'
import type { LabGlobal } from '../cli/lab-page'
import { ensureWebKit } from '../cli/webkitgtk.mjs'
import { addressOf, readAddress } from '../src/site/state/url'
import { decodeRun, type SavedRun } from '../src/trace/codec'
import { followLink } from './follow-link'
import { freePort } from './free-port'
import type { LessonPlace, Settings } from './lab'

const START_TIMEOUT_MS = 30_000
/** A call into the page, an opened file of some MB in it. */
const SCRIPT_TIMEOUT_MS = 60_000

/** The element that has the code editor, and its field therein. */
const PROGRAM = ['.code-editor-host', '[role="textbox"][aria-label^="Program to mend"]'] as const

/** In the session's storage, which outlasts a reload. */
const ERRORS = 'errors of webkit-page.ts'

/** In the page, from when it is there: what it says at the level 'error', and what it throws and nobody catches. */
function watchErrors(key: string): void {
  const note = (text: string): void => {
    const seen = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]
    sessionStorage.setItem(key, JSON.stringify([...seen, text]))
  }
  addEventListener('error', ({ message }) => {
    note(message)
  })
  addEventListener('unhandledrejection', ({ reason }) => {
    note(String(reason))
  })
  const { error } = console
  console.error = (...words: unknown[]) => {
    note(words.map(String).join(' '))
    error(...words)
  }
}

export class WebKitPage {
  readonly driver: WebDriver
  readonly #site: string

  /** @param site address, with a slash at its end */
  constructor(driver: WebDriver, site: string) {
    this.driver = driver
    this.#site = site
  }

  /** Runs a function in the page, and waits for its promise. What goes in and comes out is JSON. @throws Error with what it threw there */
  async call<A, T>(run: (arg: A) => T | Promise<T>, arg: A): Promise<T> {
    const answer: { readonly value?: string | null; readonly error?: string } =
      await this.driver.executeAsyncScript(
        `const done = arguments[1]
        Promise.resolve(JSON.parse(arguments[0])).then(${run.toString()}).then(
          (value) => done({ value: JSON.stringify(value) ?? null }),
          (error) => done({ error: String(error) }),
        )`,
        JSON.stringify(arg ?? null),
      )
    if (answer.error !== undefined) throw new Error(answer.error)
    return (answer.value == null ? undefined : JSON.parse(answer.value)) as T
  }

  /** As lab.ts has it: the first address is loaded, the next is followed as a link. */
  async open(route: string, settings: Settings = {}): Promise<void> {
    const query = new URLSearchParams(settings).toString()
    const old = `#${route}${query === '' ? '' : `?${query}`}`
    const read = readAddress(old)
    const address = read.page === 'unknown' ? old : addressOf(read)
    const isHere = (await this.driver.getCurrentUrl()).startsWith(this.#site)
    if (!isHere) {
      await this.driver.get(new URL(address, this.#site).href)
      await expect
        .poll(() => this.call(() => 'hostDeviceLab' in globalThis, null), { timeout: START_TIMEOUT_MS })
        .toBe(true)
      await this.call(watchErrors, ERRORS)
    } else await this.call(followLink, address)
    await expect.poll(() => this.text('h1')).not.toBe('')
  }
  openLesson(id: string, { screen, step, settings }: LessonPlace = {}): Promise<void> {
    return this.open(['/lessons', id, screen, step].filter((part) => part !== undefined).join('/'), settings)
  }
  async reload(): Promise<void> {
    await this.driver.navigate().refresh()
    await this.call(watchErrors, ERRORS)
  }
  /** What the pages of this site reported since the first of them. */
  errors(): Promise<readonly string[]> {
    return this.call((key) => JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[], ERRORS)
  }

  /** What a reader sees of the first such element; '' where there is none. */
  text(css: string): Promise<string> {
    return this.call((selector) => document.querySelector<HTMLElement>(selector)?.innerText ?? '', css)
  }
  texts(css: string): Promise<readonly string[]> {
    return this.call(
      (selector) => [...document.querySelectorAll<HTMLElement>(selector)].map(({ innerText }) => innerText),
      css,
    )
  }
  async count(css: string): Promise<number> {
    return (await this.driver.findElements(By.css(css))).length
  }
  /**
   * Of what a pointer would meet in the middle of the element: what is covered or hidden is not clicked. Scrolled to first, as by a hand,
   * and clicked in a task of its own.
   */
  async #click(found: By, what: string): Promise<void> {
    const isClicked = async (): Promise<boolean> => {
      const [element] = await this.driver.findElements(found)
      if (element === undefined) return false
      await this.driver.executeScript(
        `arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })`,
        element,
      )
      return await this.driver.executeScript<boolean>(
        `const [element] = arguments
        const { x, y, width, height } = element.getBoundingClientRect()
        const met = document.elementFromPoint(x + width / 2, y + height / 2)
        if (!met || !element.contains(met)) return false
        setTimeout(() => element.click())
        return true`,
        element,
      )
    }
    await expect.poll(isClicked, what).toBe(true)
  }
  click(css: string): Promise<void> {
    return this.#click(By.css(css), css)
  }
  /** A button or link by its words. */
  clickNamed(words: string): Promise<void> {
    const xpath = `//*[self::button or self::a or @role="tab"][contains(normalize-space(.), "${words}")]`
    return this.#click(By.xpath(xpath), words)
  }
  async press(css: string, ...keys: readonly string[]): Promise<void> {
    await this.driver.findElement(By.css(css)).sendKeys(...keys)
  }
  /** @param paths absolute, for one choice of files */
  async chooseFiles(css: string, paths: readonly string[]): Promise<void> {
    await expect.poll(() => this.count(css), css).toBe(1)
    await this.press(css, paths.join('\n'))
  }

  /** What stands in the code editor, which lies in a shadow root; '' where there is none yet. */
  program(): Promise<string> {
    return this.call(
      ([host, field]) =>
        document.querySelector(host)?.shadowRoot?.querySelector<HTMLElement>(field)?.innerText ?? '',
      PROGRAM,
    )
  }
  async pressInProgram(...keys: readonly string[]): Promise<void> {
    const [host, field] = PROGRAM
    const root = await this.driver.findElement(By.css(host)).getShadowRoot()
    await (await root.findElement(By.css(field))).sendKeys(...keys)
  }

  /** On a lesson's question: moves the slider. */
  predict(): Promise<void> {
    return this.press('#prediction-slider', Key.ARROW_RIGHT)
  }
  /** The run on the page, saved and read back. */
  async savedRun(): Promise<SavedRun> {
    const base64 = await this.call(() => (globalThis as LabGlobal).hostDeviceLab.runBytes(), null)
    const decoded = await decodeRun(Buffer.from(base64, 'base64'), { origin: 'live' })
    if (!decoded.ok) throw new Error(`The saved run cannot be read: ${JSON.stringify(decoded.error)}`)
    return decoded.value
  }
}

interface Served {
  readonly url: string
  readonly browser: string
}

/** @returns ':99' */
async function startDisplay(
  xvfb: string,
): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const process = spawn(xvfb, ['-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface({ input: process.stdout }), 'line')) as [string]
  return { name: `:${line.trim()}`, process }
}

async function untilReady(url: string): Promise<void> {
  const ready = async (): Promise<boolean> => {
    try {
      const { value } = (await (await fetch(`${url}/status`)).json()) as {
        readonly value: { readonly ready: boolean }
      }
      return value.ready
    } catch {
      return false
    }
  }
  await expect.poll(ready, { timeout: START_TIMEOUT_MS }).toBe(true)
}

export const test = base.extend<{ web: WebKitPage }, { served: Served }>({
  served: [
    async ({ defaultBrowserType: _driven }, use) => {
      const programs = await ensureWebKit()
      const display = programs.display === null ? null : await startDisplay(programs.display)
      const port = await freePort()
      const driver = spawn(programs.driver, [`--port=${String(port)}`], {
        env: {
          ...process.env,
          ...(display ? { DISPLAY: display.name } : {}),
          // No GPU is drawn with: a machine may have one that the display has not.
          LIBGL_ALWAYS_SOFTWARE: '1',
        },
        stdio: 'ignore',
      })
      const url = `http://127.0.0.1:${String(port)}`
      try {
        await untilReady(url)
        await use({ url, browser: programs.browser })
      } finally {
        driver.kill()
        display?.process.kill()
      }
    },
    { scope: 'worker' },
  ],
  web: async ({ served, baseURL }, use) => {
    const driver = await new Builder()
      .usingServer(served.url)
      .withCapabilities(
        new Capabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': {
            binary: served.browser,
            args: ['--automation'],
          },
        }),
      )
      .build()
    let errors: readonly string[] = []
    try {
      await driver.manage().setTimeouts({ script: SCRIPT_TIMEOUT_MS })
      await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 })
      const web = new WebKitPage(driver, baseURL ?? '')
      await use(web)
      errors = await web.errors()
    } finally {
      await driver.quit()
    }
    if (errors.length > 0) throw new Error(`The page reported:\n${errors.join('\n')}`)
  },
})

export { expect } from '@playwright/test'
