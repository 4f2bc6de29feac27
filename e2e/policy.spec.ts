/**
 * The content security policy (vite/policy.ts): nothing that the site does is refused, by header or by the pages' own tag, on any page, any
 * screen of a lesson, and by any way in which a run leaves the page; and what is no part of the site is refused.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { DIST } from '../cli/build-site.mjs'
import { headersIn } from '../cli/headers-file.mjs'
import { LONG } from './fixtures'
import { shortSettings } from './lab'
import { experimentLessonIds } from './lesson-folders'
import { GRADING_TIMEOUT_MS } from './mends'
import {
  type Attempts,
  evaluatedInPage,
  evaluatedInWorker,
  expect,
  POLICY,
  test,
  type Hosting,
} from './policy-site'
import { isRecorded, recordingPath } from './recordings'
import { ROUTES } from './routes'
import { savedBy, shareItem, VIEW } from './share'

const HOSTINGS: readonly Hosting[] = ['headers', 'no headers']
const SCREENS = ['predict', 'see', 'mend', 'change', 'why', 'instrument'] as const
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
})

/** What the address asks for is there, not the page before it and no promise of it. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await expect(page.getByText(/^Loading( the [\w ]+)?\.?$/)).toHaveCount(0)
  await expect(page.getByTestId('code-editor-waiting')).toHaveCount(0)
}

/** With headers a11y-pages.spec opens every page, and what is refused there fails it as an error in the console; the tag says the same (first test). */
test.describe('on a host with no headers, all pages:', () => {
  test.use({ hosting: 'no headers' })

  test('no page is refused anything', LONG, async ({ lab, page, violations }) => {
    for (const route of ROUTES) {
      await lab.open(route)
      await settled(page)
    }
    await lab.open('/')
    await page.getByLabel('Dark theme').check({ force: true })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await violations.expectNone(page)
  })
})

for (const hosting of HOSTINGS)
  test.describe(`on a host with ${hosting}`, () => {
    test.use({ hosting })

    // With headers exports.spec, timeline specs and mend-screen.spec do these on their own site, and what is refused there fails them as an error in
    // the console; without, exports.spec gives a run away. The tag says what the header does, and a blob worker's policy is held below.
    const details = LONG
    test(
      'a run is saved, drawn, linked and given away',
      details,
      async ({ lab, page, context, violations }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await context.route('https://ui.perfetto.dev/**', (route) =>
          route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Perfetto</title>' }),
        )
        const [id = ''] = experimentLessonIds
        await lab.playRecording(id)
        await savedBy(page, 'Save the picture', 'Picture')
        await (await shareItem(page, 'Keep it in this browser')).click()
        await expect(page.getByText('It is listed under Runs')).toBeVisible()
        await lab.openLesson(id, { screen: 'instrument' })
        await expect(lab.timeline.locator('canvas').first()).toBeVisible()
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click()
          await expect(tab).toHaveAttribute('aria-selected', 'true')
        }
        for (const format of ['Trace Event .json.gz', 'Report .json', 'Lab run .hdl.gz'])
          await savedBy(page, format)
        await savedBy(page, 'Save the picture', VIEW)
        await (await shareItem(page, 'Copy the picture', VIEW)).click()
        await expect(page.getByText('Copied the picture')).toBeVisible()
        const perfetto = await shareItem(page, 'Open in Perfetto')
        const [opened] = await Promise.all([context.waitForEvent('page'), perfetto.click()])
        if (hosting === 'headers') {
          await expect(opened.getByRole('status')).toContainText('is here')
          await Promise.all([
            context.waitForEvent('page'),
            opened.getByRole('button', { name: 'Open Perfetto' }).click(),
          ])
        } else await expect(opened).toHaveTitle('Perfetto')
        await violations.expectNone(page)
      },
    )

    test('a learner’s program is run and graded', details, async ({ lab, page, violations }) => {
      const blobs: string[] = []
      page.on('worker', (worker) => blobs.push(...(worker.url().match(/^blob:/g) ?? [])))
      await lab.openLesson('tensor-residence', { screen: 'mend', step: '2' })
      await page.getByRole('button', { name: 'Run and grade' }).click()
      await expect(page.getByTestId('grade')).toHaveAttribute('data-passed', 'false', {
        timeout: GRADING_TIMEOUT_MS,
      })
      // It came to its end: what it was refused for is what it did.
      await expect(page.locator('[data-check="bytes"]')).toHaveAttribute('data-outcome', 'no')
      expect(blobs, 'a worker each: the program, the unchanged one, the lab’s own').toHaveLength(3)
      await violations.expectNone(page)
    })
  })

/** Under both policies, the tag's and the header's, which say the same (first test): what neither refuses the tag alone does not either. */
test.describe('on a host with headers, all of it:', () => {
  test.use({ hosting: 'headers' })

  test('no screen of a lesson is, empty or with a recording', LONG, async ({ lab, page, violations }) => {
    for (const id of experimentLessonIds) {
      const showAll = async () => {
        for (const screen of SCREENS) {
          await lab.openLesson(id, { screen })
          await settled(page)
        }
      }
      await showAll()
      if (!isRecorded(id)) continue
      await lab.playRecording(id)
      await showAll()
      await expect(lab.timeline.locator('canvas').first()).toBeVisible()
    }
    await violations.expectNone(page)
  })

  // In short as above: trace-page.spec, timeline-search.spec, kept-runs.spec and compare.spec.
  test('a file is opened, searched and compared', LONG, async ({ lab, page, timeline, violations }) => {
    await lab.open('/trace')
    await page.getByLabel('Choose files').setInputFiles(recordingPath('torch-sync-stalls-stalled.json.gz'))
    await expect(timeline.lanes).toBeVisible()
    await timeline.canvas.hover()
    await timeline.canvas.press('?')
    await expect(timeline.keyHelp).toBeVisible()
    await page.keyboard.press('Escape')
    await timeline.searchField.fill('gemm')
    await expect(timeline.searchCount).not.toHaveText('')
    await page.getByText('What is in view, as a table').click()
    await lab.open('/runs')
    await page.getByLabel('Import runs').setInputFiles(recordingPath('sync-stalls.hdl.gz'))
    await expect(page.getByTestId('import-answers')).toContainText('1 kept')
    await lab.open('/compare?a=recording:sync-stalls&b=recording:async-submission')
    await expect(page.getByRole('application').first()).toBeVisible()
    await violations.expectNone(page)
  })
})

test.describe('runs', () => {
  // A machine of two would have no threads.
  test.use({ prefix: 'Object.defineProperty(navigator, "hardwareConcurrency", { value: 4 });' })

  test('the engine runs, WebAssembly and its threads with it, and every worker has a policy', async ({
    lab,
    page,
    site,
    violations,
  }) => {
    const started = new Set<string>()
    page.on('worker', (worker) => started.add(new URL(worker.url()).pathname))
    await lab.open('/run/worth-it')
    const outcome = await lab.runBare('worth-it', {
      ...shortSettings('worth-it'),
      sizes: '32,128',
      repeats: '1',
    })
    expect(outcome).toMatchObject({
      status: 'done',
      report: {
        verification: { failed: 0 },
        derived: { processorLibrary: 'onnxruntime-web', processorThreads: 2 },
      },
    })
    await savedBy(page, 'Trace Event .json.gz')
    await lab.open('/trace?recording=torch-sync-stalls-stalled')
    await expect(lab.timeline.locator('canvas').first()).toBeVisible()
    await violations.expectNone(page)
    expect(started.size).toBe(4)
    for (const path of started)
      expect(site.sent.get(path), path).toMatch(/^default-src 'none'; script-src 'self'/)
    const loose = [...site.sent].filter(([, policy]) => policy?.includes('unsafe'))
    expect(
      loose.map(([path, policy]) => [
        path.replace(/-[\w-]{8}\.js$/, ''),
        policy?.match(/'[^' ]*unsafe[^' ]*'/g),
      ]),
    ).toEqual([['/assets/worker', ["'wasm-unsafe-eval'"]]])
  })

  // In short the test before this has every worker of the engine.
  test(
    'a loader’s worker is started by the engine under its policy, and has one of its own',
    LONG,
    async ({ lab, page, site, violations }) => {
      const started = new Set<string>()
      page.on('worker', (worker) => started.add(new URL(worker.url()).pathname))
      const id = 'starved-by-the-loader'
      await lab.openRun(id)
      expect(await lab.runBare(id)).toMatchObject({
        status: 'done',
        report: { verification: { failed: 0 }, derived: { loaderFailed: 0 } },
      })
      const [loader = ''] = [...started].filter((path) => path.includes('loader-worker'))
      expect(site.sent.get(loader)).toMatch(
        /^default-src 'none'; script-src 'self'; require-trusted-types-for/,
      )
      await violations.expectNone(page)
    },
  )

  test('what is no part of the site is refused in the engine, and reported', async ({
    lab,
    page,
    violations,
    errors,
  }) => {
    errors.allow(/Content Security Policy/)
    await lab.open('/device')
    await lab.environment()
    const [engine] = page.workers()
    if (!engine) throw new Error('The engine is not there.')
    expect(await evaluatedInWorker(engine)).toEqual({ eval: 'EvalError', Function: 'EvalError' })
    await expect
      .poll(() => violations.reports)
      .toEqual([
        expect.stringMatching(/worker-.*: script-src eval/),
        expect.stringMatching(/worker-.*: script-src eval/),
      ])
  })
})

/** Answers to anybody, so that only the policy stands between it and a request. */
const OTHER = 'https://other.invalid/'

/** Runs in a blob worker: a script of the site is there, and `came` is what became of each attempt to get at another. */
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

/** Starts a blob worker from the page, as the page itself would. Null where its script did not load. */
const startBlob = (page: Page, source: string): Promise<Attempts | null> =>
  page.evaluate(
    (text) =>
      new Promise<Attempts | null>((resolve) => {
        const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
        const worker = new Worker(address, { type: 'module' })
        worker.addEventListener('message', ({ data }: MessageEvent<Attempts>) => {
          resolve(data)
        })
        worker.addEventListener('error', () => {
          resolve(null)
        })
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

for (const hosting of HOSTINGS)
  test.describe(`on a host with ${hosting}`, () => {
    test.use({ hosting })

    // In short without headers: the tag's policy is the header's (first test).
    const inShort = hosting === 'no headers' ? {} : LONG
    test(
      'what is no part of a page is refused, and counted',
      inShort,
      async ({ lab, page, site, violations, errors }) => {
        errors.allow(/Content Security Policy|requires 'Trusted|ERR_/)
        // With its base refused below, the page's addresses begin at its own; a browser with tabs then asks for the tab's icon there.
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
        expect(await evaluatedInPage(page)).toEqual({ eval: 'EvalError', Function: 'EvalError' })
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
            onclick: attempt(() => {
              element.setAttribute('onclick', '1')
            }),
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
        const directives = () => [...new Set(violations.events.map((event) => event.split(' ')[1]))].sort()
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
      },
    )

    test(
      'a blob worker has the policy of its page: it gets scripts of the site, and nothing else',
      inShort,
      async ({ lab, page, errors }) => {
        errors.allow(/Content Security Policy|requires 'Trusted|ERR_/)
        await standInForOther(page)
        await lab.open('/method')
        const { own, ...came } = (await startBlob(page, blobWorker(await ownScript(page)))) ?? {}
        expect(own).toBe('done')
        expect(Object.entries(came).filter(([, outcome]) => outcome === 'done')).toEqual([])
        for (const other of ['data:text/javascript,1', `${OTHER}x.js`])
          expect(await startBlob(page, importing(other)), other).toBeNull()
        // A worker's static imports go by worker-src, which has blobs in it: no script becomes one unless a script of the site lets it.
        const blob = await page.evaluate(() =>
          URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })),
        )
        expect(await startBlob(page, importing(blob))).toEqual({ came: 'done' })
      },
    )
  })

test('without a policy a blob worker would get all of that', async ({ lab, page, site }) => {
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
