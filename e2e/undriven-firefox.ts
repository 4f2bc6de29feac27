/**
 * A page in a Firefox that no driver watches. While anything speaks WebDriver BiDi to Firefox, a listener for workers stands in each process,
 * and a worker that starts another waits until the listener has learned of it (WorkerDebuggerManager). Firefox 153 stands still at times there,
 * or near it, as was seen for no visitor. So the page asks for what to do: it is served with a script more, and without the policy that
 * would refuse that script.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test as base } from '@playwright/test'
import type { LabGlobal } from '../cli/lab-page'
import { FIREFOX_PREFERENCES } from '../cli/firefox.mjs'
import { serveSite } from '../cli/static-server.mjs'
import type { Grade } from '../src/exercises/types'
import { addressOf, readAddress } from '../src/site/state/url'
import { decodeRun, type SavedRun } from '../src/trace/codec'
import { followLink } from './follow-link'
import { RUN_TIMEOUT_MS, shortSettings, type GradingOptions, type LessonPlace } from './lab'
import { GRADING_TIMEOUT_MS } from './mends'

/** No page of its own, and nothing that it would ask the network. */
const QUIET = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'toolkit.telemetry.enabled': false,
}
const START_TIMEOUT_MS = 60_000

const [ASK, ANSWER] = ['/undriven/ask', '/undriven/answer']
/** In the page: one thing after the other, each a module that comes when there is one to be done. */
const SCRIPT = `<script type="module">
for (let count = 0; ; count += 1) {
  let answer
  try {
    const { default: run } = await import('${ASK}?' + performance.timeOrigin + '#' + count)
    answer = { value: (await run()) ?? null }
  } catch (thrown) {
    answer = { error: String(thrown) }
  }
  await fetch('${ANSWER}', { method: 'POST', body: JSON.stringify(answer) })
}
</script>`
const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/

interface Answer {
  readonly value?: unknown
  readonly error?: string
}

export class UndrivenPage {
  readonly #site: string
  #job: string | null = null
  #asking: ServerResponse | null = null
  #answered: (answer: Answer) => void = () => undefined
  /** When the page that asks was loaded, and who waits for one that was loaded at another time. */
  #loaded = ''
  #reloaded: () => void = () => undefined

  /** @param site address of the pages as they are built, with a slash at its end */
  constructor(site: string) {
    this.#site = site
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith(ASK) === true) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8')
      this.#asking = response
      this.#loadedAt(request.url.slice(ASK.length))
      this.#hand()
      return
    }
    if (request.url === ANSWER) {
      this.#answered(JSON.parse(await text(request)) as Answer)
      response.end()
      return
    }
    const from = await fetch(new URL(request.url ?? '/', this.#site))
    const body = Buffer.from(await from.arrayBuffer())
    const type = from.headers.get('content-type') ?? ''
    const headers = Object.fromEntries(
      [...from.headers].filter(([name]) => !['content-length', 'content-security-policy'].includes(name)),
    )
    const isPage = type.startsWith('text/html')
    response.writeHead(from.status, headers)
    response.end(isPage ? body.toString().replace(POLICY, '').replace('</body>', `${SCRIPT}</body>`) : body)
  }
  #loadedAt(when: string): void {
    if (when === this.#loaded) return
    this.#loaded = when
    this.#reloaded()
  }
  #hand(): void {
    if (this.#job === null || !this.#asking) return
    this.#asking.end(this.#job)
    this.#job = null
    this.#asking = null
  }

  /** Runs a function in the page, and waits for its promise. What goes in and comes out is JSON. @throws Error with what it threw there */
  async call<A, T>(run: (arg: A) => T | Promise<T>, arg: A, limitMs = START_TIMEOUT_MS): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const { value, error } = await new Promise<Answer>((resolve) => {
      this.#answered = resolve
      timer = setTimeout(() => {
        resolve({ error: `The page did not answer for ${String(limitMs / 1000)} s.` })
      }, limitMs)
      this.#job = `export default () => (${run.toString()})(${JSON.stringify(arg ?? null)})`
      this.#hand()
    })
    clearTimeout(timer)
    if (error !== undefined) throw new Error(error)
    return value as T
  }

  /** Followed as a link. */
  async openLesson(id: string, { screen, step, settings = shortSettings(id) }: LessonPlace): Promise<void> {
    const route = ['/lessons', id, screen, step].filter((part) => part !== undefined).join('/')
    const read = readAddress(`#${route}?${new URLSearchParams(settings).toString()}`)
    if (read.page === 'unknown') throw new Error(`${route} is no address.`)
    await this.call(followLink, addressOf(read))
  }
  /** Presses the one key that runs, and waits within the page until the run has ended. */
  async run(): Promise<void> {
    await this.call(
      async (limitMs) => {
        const buttons = (words: RegExp) =>
          [...document.querySelectorAll<HTMLButtonElement>('button')].filter(
            (each) =>
              words.test(each.textContent.trim()) &&
              each.closest('.run-bar, .predict-ask, .see-actions, .change-action, .stage'),
          )
        const until = async (what: string, is: () => boolean) => {
          const end = performance.now() + limitMs
          while (!is()) {
            if (performance.now() > end) throw new Error(`${what}: not within ${String(limitMs)} ms`)
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
        }
        const keys = /^(Run( it)?( again)?|Predict .+)$/
        await until('a key that runs', () =>
          buttons(keys).some(({ ariaDisabled }) => ariaDisabled !== 'true'),
        )
        buttons(keys)[0]?.click()
        await until('a run under way', () => buttons(/^Cancel$/).length > 0)
        await until('its end', () => buttons(/^Cancel$/).length === 0)
        await until('its verdict', () => document.querySelector('[data-testid=verdict]') !== null)
      },
      RUN_TIMEOUT_MS,
      2 * RUN_TIMEOUT_MS,
    )
  }
  /** The page is loaded anew, and is there. */
  async reload(): Promise<void> {
    const reloaded = new Promise<void>((resolve) => {
      this.#reloaded = resolve
    })
    await this.call(() => {
      // After its answer has gone out.
      setTimeout(() => {
        location.reload()
      }, 200)
    }, null)
    // Before that, what is to be done would go to the page that is about to go.
    await reloaded
    await this.ready()
  }
  async ready(): Promise<void> {
    await this.call(async () => {
      while (!('hostDeviceLab' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 50))
    }, null)
  }
  /** What a reader sees of each such element. */
  texts(css: string): Promise<readonly string[]> {
    return this.call(
      (selector) => [...document.querySelectorAll<HTMLElement>(selector)].map(({ innerText }) => innerText),
      css,
    )
  }
  /** The run on the page, saved and read back: trace and report. */
  async savedRun(): Promise<SavedRun> {
    const base64 = await this.call(() => (globalThis as LabGlobal).hostDeviceLab.runBytes(), null)
    const decoded = await decodeRun(Buffer.from(base64, 'base64'), { origin: 'live' })
    if (!decoded.ok) throw new Error(`The saved run cannot be read: ${JSON.stringify(decoded.error)}`)
    return decoded.value
  }
  /** The device is opened and measured. */
  async environment(): Promise<void> {
    await this.call(() => (globalThis as LabGlobal).hostDeviceLab.environment(true), null)
  }
  grade(lesson: string, source: string, options: GradingOptions = {}): Promise<Grade> {
    return this.call(
      ([id, text, more]) => (globalThis as LabGlobal).hostDeviceLab.grade(id, text, more),
      [lesson, source, options] as const,
      GRADING_TIMEOUT_MS,
    )
  }
  traceEventJson(): Promise<string> {
    return this.call(() => (globalThis as LabGlobal).hostDeviceLab.traceEventJson(), null)
  }
}

/** Each test has a Firefox, a profile and a server of its own. */
export const test = base.extend<{ undriven: UndrivenPage }>({
  undriven: async ({ baseURL }, use) => {
    const executable = process.env['FIREFOX_PATH']
    if (executable === undefined || baseURL === undefined) throw new Error('FIREFOX_PATH names no Firefox.')
    const site = await serveSite()
    const page = new UndrivenPage(site.url)
    const server = createServer((request, response) => {
      page.serve(request, response).catch((thrown: unknown) => {
        response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('The server listens to no port.')
    const profile = await mkdtemp(join(tmpdir(), 'lab-firefox-'))
    await writeFile(
      join(profile, 'user.js'),
      Object.entries({ ...FIREFOX_PREFERENCES, ...QUIET })
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(''),
    )
    const url = `http://localhost:${String(address.port)}/method/`
    const firefox = spawn(executable, ['--headless', '--no-remote', '--profile', profile, url], {
      stdio: 'ignore',
    })
    try {
      await page.ready()
      await use(page)
    } finally {
      const closed = once(firefox, 'close')
      firefox.kill()
      await closed
      server.closeAllConnections()
      server.close()
      await site.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})
