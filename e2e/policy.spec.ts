/**
 * The content security policy (vite/policy.ts): the engine and its workers run under it, and what
 * is no part of the site is refused. Every spec has it: what is refused there fails as an error in
 * the console (fixtures.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { DIST } from '../cli/build-site.mjs'
import { headersIn } from '../cli/static-server.mjs'
import { expect, test } from './fixtures'
import { onHost } from './on-host'

const POLICY = 'content-security-policy'

const PAGES = readdirSync(DIST).filter((file) => file.endsWith('.html'))

const metaOf = (page: string): string | undefined =>
  /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(
    readFileSync(join(DIST, page), 'utf8'),
  )?.[1]

test('each page is sent with the policy that stands in it, before all that it could refuse', async () => {
  const headersOf = await headersIn(DIST)
  expect(PAGES.length).toBeGreaterThan(1)
  for (const page of PAGES) {
    const policy = metaOf(page)
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(headersOf?.(`/${page}`)[POLICY]).toBe(
      page.startsWith('embed/') ? policy : `${policy ?? ''}; frame-ancestors 'none'`,
    )
    const html = readFileSync(join(DIST, page), 'utf8')
    expect(html.indexOf('http-equiv')).toBeLessThan(html.search(/<(script|link|style|title)\b/))
  }
  expect(headersOf?.('/')[POLICY]).toBe(headersOf?.('/index.html')[POLICY])
  // Anybody may frame what is made for that.
  expect(headersOf?.('/embed/sync-stalls/')[POLICY]).toBe(metaOf('embed/sync-stalls/index.html'))
  expect(headersOf?.('/lessons/sync-stalls/')[POLICY]).toContain("frame-ancestors 'none'")
  const workers = readdirSync(join(DIST, 'assets')).filter((file) => /-worker-[\w-]{8}\.js$/.test(file))
  expect(workers.join(' ')).toContain('loader-worker')
  for (const file of workers)
    expect(headersOf?.(`/assets/${file}`)[POLICY], file).toMatch(/^default-src 'none'; script-src 'self'/)
  // The engine and an exercise's CPU alone compile WebAssembly.
  const loose = readdirSync(join(DIST, 'assets')).flatMap((file) => {
    const unsafe = headersOf?.(`/assets/${file}`)[POLICY]?.match(/'[^' ]*unsafe[^' ]*'/g)
    return unsafe ? [[file.replace(/-[\w-]{8}\.js$/, ''), ...unsafe]] : []
  })
  expect(loose).toEqual([
    ['cpu-worker', "'wasm-unsafe-eval'"],
    ['worker', "'wasm-unsafe-eval'"],
  ])
})

/** What came of an attempt: 'done', or the name of what was thrown. */
type Attempts = Readonly<Record<string, string>>

/**
 * Evaluates text in a page or worker. From a timer, since what is evaluated from outside is exempt
 * from the policy.
 */
const evaluateText = (): Promise<Attempts> => {
  const attempt = (does: () => unknown): string => {
    try {
      does()
      return 'done'
    } catch (thrown) {
      return thrown instanceof Error ? thrown.name : String(thrown)
    }
  }
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve({
        // That they are refused is what is tried.
        // oxlint-disable-next-line no-eval
        eval: attempt(() => (0, eval)('1')),
        // oxlint-disable-next-line typescript/no-implied-eval
        Function: attempt(() => new Function('return 1')),
      })
    })
  })
}

test('what is no part of the site is refused in the engine', async ({ lab, page, errors }) => {
  errors.allow(/Content Security Policy/)
  await lab.open('/device')
  await lab.environment()
  const [engine] = page.workers()
  expect(await engine?.evaluate(evaluateText)).toEqual({ eval: 'EvalError', Function: 'EvalError' })
})

/** Answers to anybody, so that only the policy stands between it and a request. */
const OTHER = 'https://other.invalid/'

/**
 * Runs in a blob worker: a script of the site is there, and `came` is what became of each attempt
 * to get at another.
 */
const blobWorker = (own: string): string => `
import * as own from ${JSON.stringify(own)}
const tries = {
  eval: () => eval('1'),
  Function: () => new Function('return 1'),
  AsyncFunction: () => (async () => {}).constructor('return 1'),
  timer: () => new Promise((done, refused) => {
    globalThis.ran = done
    setTimeout('ran()')
    setTimeout(refused, 500, new EvalError())
  }),
  WebAssembly: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
  'import(data:)': () => import('data:text/javascript,1'),
  'import(blob:)': () => import(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))),
  'import(other)': () => import('${OTHER}x.js'),
  fetch: () => fetch('${OTHER}'),
  'fetch(data:)': () => fetch('data:,1'),
  Worker: () => new Worker('data:text/javascript,1'),
}
const came = { own: Object.keys(own).length > 0 ? 'done' : 'empty' }
for (const [name, attempt] of Object.entries(tries))
  try {
    await attempt()
    came[name] = 'done'
  } catch (thrown) {
    came[name] = thrown.name
  }
postMessage(came)
`
/** A blob worker that imports a script as its own would be. */
const importing = (script: string): string =>
  `import ${JSON.stringify(script)}\npostMessage({ came: 'done' })`

/**
 * Starts a blob worker from the page, as the page itself would. Null where its script did not load.
 */
const startBlob = (page: Page, source: string): Promise<Attempts | null> =>
  page.evaluate(
    (text) =>
      new Promise<Attempts | null>((resolve) => {
        const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
        const worker = new Worker(address, { type: 'module' })
        worker.addEventListener('message', ({ data }: MessageEvent<Attempts>) => resolve(data))
        worker.addEventListener('error', () => resolve(null))
      }),
    source,
  )

const standInForOther = (page: Page) =>
  page.context().route(`${OTHER}**`, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
      body: '1',
    }),
  )
const ownScript = (page: Page): Promise<string> =>
  page
    .locator('link[rel=modulepreload]')
    .first()
    .evaluate((link) => (link as HTMLLinkElement).href)

onHost('what is no part of a page is refused, and counted', async ({ lab, page, context, site, errors }) => {
  const refused: string[] = []
  await context.exposeBinding('refused', (_, directive: string) => {
    refused.push(directive)
  })
  await context.addInitScript(() => {
    const here = globalThis as typeof globalThis & { refused: (directive: string) => void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      here.refused(effectiveDirective),
    )
  })
  errors.allow(/Content Security Policy|requires 'Trusted|ERR_/)
  // With its base refused below, the page's addresses begin at its own; a browser with tabs then
  // asks for the tab's icon there.
  errors.allow(/404 \(Not Found\) \(.*\/method\/icon\.svg\)/)
  // Markup that somebody else has put into the page.
  const strange = `<script>globalThis.strange = 1</script><style>body { display: none }</style>
    <p style="color: red" onclick="1">strange</p><img src="https://other.invalid/x.png"><iframe src="./"></iframe>
    <link rel="stylesheet" href="https://other.invalid/x.css">`
  await page.route(`${site.url}method/`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replace('</body>', `${strange}</body>`),
    })
  })
  await lab.open('/method')
  expect(await page.evaluate(() => 'strange' in globalThis)).toBe(false)
  await expect(page.locator('body')).toBeVisible()
  // A handler in markup is refused when it is parsed, by Chromium 150 when it is first called.
  await page.getByText('strange', { exact: true }).dispatchEvent('click')
  expect(await page.evaluate(evaluateText)).toEqual({ eval: 'EvalError', Function: 'EvalError' })
  const markup = await page.evaluate(() => {
    const attempt = (does: () => void): string => {
      try {
        does()
        return 'done'
      } catch (thrown) {
        return thrown instanceof Error ? thrown.name : String(thrown)
      }
    }
    const element = document.createElement('p')
    return {
      innerHTML: attempt(() => (element.innerHTML = '<b>1</b>')),
      onclick: attempt(() => element.setAttribute('onclick', '1')),
      'worker of another site': attempt(() => new Worker('https://other.invalid/x.js')),
      'worker from data': attempt(() => new Worker('data:text/javascript,1')),
    }
  })
  expect(new Set(Object.values(markup))).toEqual(new Set(['TypeError']))
  await page.evaluate(() => {
    fetch('https://other.invalid/').catch(() => undefined)
    // The page's own comes first, so that one put in later does nothing.
    document.querySelector('base')?.setAttribute('href', 'https://other.invalid/')
    const form = document.createElement('form')
    document.body.append(form)
    form.submit()
  })
  const directives = () => [...new Set(refused)].sort()
  await expect
    .poll(directives)
    .toEqual([
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'require-trusted-types-for',
      'script-src-attr',
      'script-src-elem',
      'style-src-attr',
      'style-src-elem',
    ])
})

onHost(
  'a blob worker has the policy of its page: it gets scripts of the site, and nothing else',
  async ({ lab, page, errors }) => {
    errors.allow(/Content Security Policy|requires 'Trusted|ERR_/)
    await standInForOther(page)
    await lab.open('/method')
    const { own, ...came } = (await startBlob(page, blobWorker(await ownScript(page)))) ?? {}
    expect(own).toBe('done')
    expect(Object.entries(came).filter(([, outcome]) => outcome === 'done')).toEqual([])
    for (const other of ['data:text/javascript,1', `${OTHER}x.js`])
      expect(await startBlob(page, importing(other)), other).toBeNull()
    // A worker's static imports go by worker-src, which has blobs in it: no script becomes one
    // unless a script of the site lets it.
    const blob = await page.evaluate(() => URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })))
    expect(await startBlob(page, importing(blob))).toEqual({ came: 'done' })
  },
)

onHost('without a policy a blob worker would get all of that', async ({ lab, page, site }) => {
  await standInForOther(page)
  await page.route(`${site.url}method/`, async (route) => {
    const response = await route.fetch()
    const headers = Object.fromEntries(Object.entries(response.headers()).filter(([name]) => name !== POLICY))
    const body = (await response.text()).replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
    await route.fulfill({ response, headers, body })
  })
  await lab.open('/method')
  const came = (await startBlob(page, blobWorker(await ownScript(page)))) ?? {}
  expect(Object.keys(came).length).toBeGreaterThan(5)
  expect(Object.entries(came).filter(([, outcome]) => outcome !== 'done')).toEqual([])
  for (const other of ['data:text/javascript,1', `${OTHER}x.js`])
    expect(await startBlob(page, importing(other)), other).toEqual({ came: 'done' })
})
