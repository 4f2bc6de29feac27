/**
 * `recorder.js` under libraries that know nothing of it: TensorFlow.js, ONNX Runtime Web with a model made by hand, jax-js and three.js, as
 * bench/package.json names them. What it counts equals what the page counts itself, and their results are those without it.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { pageReport, type PageReport } from '../cli/record-report'
import { spansOf } from '../src/recorder/testing/spans'
import { decodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import type { Trace } from '../src/trace/schema'
import { bundleModule } from '../vite/bundle-module'
import { expect, LONG, test } from './fixtures'
import type { LibrariesLab } from './libraries-page/libraries-page'
import { buildOwnPage, openOwnPage } from './own-page'

type LibrariesGlobal = typeof globalThis & { readonly librariesLab: LibrariesLab }
type Library = Parameters<LibrariesLab['run']>[0]

const ROOT = join(import.meta.dirname, '..')
/** Served as they are published. */
const PUBLISHED = {
  ort: 'node_modules/onnxruntime-web/dist',
  jax: 'bench/node_modules/@jax-js/jax/dist',
  three: 'bench/node_modules/three/build',
}
/** About 200 MB, where no bench was run before. */
const INSTALL_MS = 600_000

let script = ''
/** One module: its packages import others that are none. */
let tensorflow = ''
test.beforeAll(async () => {
  test.setTimeout(INSTALL_MS)
  await ensureBenchDependencies()
  script = await buildOwnPage('libraries')
  tensorflow = await bundleModule(join(ROOT, 'bench/peers/tensorflow.ts'), { minify: false })
})

/** In a page of its own: a library keeps its device as long as its page lives. */
async function run(page: Page, library: Library, recorderUrl: string | null) {
  for (const [folder, published] of Object.entries(PUBLISHED))
    await page.route(`**/${folder}/*`, (route) => {
      const file = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
      return route.fulfill({ path: join(ROOT, published, file) })
    })
  await page.route('**/tensorflow/bundle.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: tensorflow }),
  )
  await openOwnPage(page, 'libraries', script, 'librariesLab')
  return await page.evaluate(([name, url]) => (globalThis as LibrariesGlobal).librariesLab.run(name, url), [
    library,
    recorderUrl,
  ] as const)
}

interface Recorded extends Awaited<ReturnType<typeof run>> {
  readonly trace: Trace
  readonly report: PageReport
}

/** Counts are those of the page, results those without. */
async function recordedAndPlain(page: Page, plainPage: Page, library: Library): Promise<Recorded> {
  const plain = await run(plainPage, library, null)
  const recorded = await run(page, library, 'recorder.js')
  expect(recorded.output.length).toBeGreaterThan(0)
  expect(new Set(recorded.output).size).toBeGreaterThan(1)
  expect(recorded.output).toEqual(plain.output)

  const decoded = await decodeRun(Buffer.from(recorded.saved, 'base64'))
  if (!decoded.ok) throw new Error(decoded.error.message)
  const { trace } = decoded.value
  const report = pageReport(trace, { diagnoses: [], devices: [] }, () => null)
  const names = Object.keys(recorded.counts)
  expect({
    ...Object.fromEntries(names.map((name) => [name, report.counts[name] ?? 0])),
    submits: report.submits,
  }).toEqual(recorded.counts)
  expect(recorded.counts.submits).toBeGreaterThan(0)
  expect(trace.rejected).toEqual({})
  expect(placeTrace(trace).fitProblems.filter((problem) => problem !== null)).toEqual([])
  expect(spansOf(trace, { role: 'pass' })).toHaveLength(recorded.counts['compute passes'])
  expect(spansOf(trace, { role: 'render-pass' })).toHaveLength(recorded.counts['render passes'])
  expect(report.waits.map(({ role }) => role)).toContain('wait-map')
  return { ...recorded, trace, report }
}

for (const library of ['tensorflow', 'onnxRuntime', 'jax'] as const)
  test(`${library}: counts are those of the page, results those without`, LONG, async ({ page, context }) => {
    const { counts, report, trace } = await recordedAndPlain(page, await context.newPage(), library)
    if (library === 'tensorflow') {
      const waits = spansOf(trace, { kind: 'host-wait' }).map(({ role }) => role)
      expect(waits, 'one for each data()').toEqual(['wait-map', 'wait-map', 'wait-map'])
    }
    expect(counts.dispatches).toBeGreaterThan(0)
    // The first step compiles; what follows is told without a frame.
    expect(report.frames.count).toBe(0)
    expect(report.figures.submitsPerSecond).toBeGreaterThan(0)
  })

test('three.js: counts are those of the page, pixels those without', LONG, async ({ page, context }) => {
  const { counts, report } = await recordedAndPlain(page, await context.newPage(), 'three')
  expect(counts.draws).toBeGreaterThan(0)
  expect(report.frames.count).toBeGreaterThan(0)
})
