/**
 * In WebKitGTK, which has no WebGPU: every page, every lesson on its recordings, files of each kind, what is kept, and what is there without a network. `npm run test:browsers`.
 * What is right is read off the files, as in the specs of Chromium that these follow (no-webgpu, trace-page, ranks, kept-runs).
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Key } from 'selenium-webdriver'
import type { LabGlobal } from '../cli/lab-page'
import { serveSite } from '../cli/static-server.mjs'
import { findMetric } from '../src/trace/report'
import { experimentWords, lessonIds, lessonWords } from './lesson-folders'
import { expectFigure, flat } from './read-figures'
import { isRecorded, openRecording, recordedOn, recordingPath } from './recordings'
import { ROUTES } from './routes'
import { expect, test, WebKitPage } from './webkit-page'

const RECORDED = /recorded on .+\d{4}/i
const byTestId = (id: string): string => `[data-testid="${id}"]`
const CANVAS = `${byTestId('timeline')} canvas`

const shows = async (web: WebKitPage, css: string, what: string | RegExp): Promise<void> => {
  const match = typeof what === 'string' ? expect.stringContaining(what) : expect.stringMatching(what)
  await expect.poll(async () => flat(await web.text(css)), css).toEqual(match)
}
const isThere = async (web: WebKitPage, css: string): Promise<void> => {
  await expect.poll(() => web.count(css), css).toBeGreaterThan(0)
}
/** A canvas that nothing was painted on has one colour. */
const isPainted = (web: WebKitPage, css: string): Promise<boolean> =>
  web.call((selector) => {
    const canvas = document.querySelector<HTMLCanvasElement>(selector)
    const context = canvas?.getContext('2d')
    if (!canvas || !context || canvas.width === 0) return false
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    return new Set(new Uint32Array(data.buffer)).size > 2
  }, css)

test('this browser has no navigator.gpu, in the page and in a worker; the page says what is missing', async ({
  web,
}) => {
  await web.open('/device')
  expect(await web.call(() => 'gpu' in navigator, null)).toBe(false)
  expect(
    await web.call(() => (globalThis as LabGlobal).hostDeviceLab.environment(false), null),
  ).toMatchObject({ fault: { code: 'no-webgpu' } })
  await shows(web, '[data-fault="no-webgpu"]', 'How to get WebGPU')
})

test('every kind of address has its page', async ({ web }) => {
  test.slow()
  let before = ''
  for (const route of ROUTES)
    await test.step(route, async () => {
      await web.open(route)
      // Its errors are watched. No two of them that follow each other read the same.
      const own = async () => {
        const text = await web.text('main')
        return text !== '' && text !== before
      }
      await expect.poll(own, route).toBe(true)
      before = await web.text('main')
    })
})

for (const id of lessonIds.filter((each) => lessonWords(each).kind === 'experiment' && isRecorded(each)))
  test(`${id}: its recordings play, step by step, and are marked as recordings`, async ({ web }) => {
    test.slow()
    const { question, prediction, steps } = experimentWords(id)
    await test.step('the lesson’s own', async () => {
      await web.openLesson(id)
      await shows(web, 'h1', flat(question))
      await shows(web, '[data-fault="no-webgpu"]', 'How to get WebGPU')
      await web.predict()
      await web.clickNamed('and play the recording')
      await shows(web, byTestId('headline'), RECORDED)
      await shows(web, byTestId('prediction-result'), 'you said')
      expect(flat(await web.text(byTestId('verdict')))).not.toMatch(/on this machine|measured on/i)
      const { report } = await web.savedRun()
      expect(report?.validity.valid).toBe(true)
      const { name, variant } = prediction.metric
      expectFigure(
        await web.text(byTestId('headline-number')),
        findMetric(report?.metrics ?? [], name, variant),
      )
      await isThere(web, '.strips-bar')
    })
    for (const step of steps.filter(({ action }) => action))
      await test.step(step.heading, async () => {
        await web.openLesson(id, { screen: 'change', step: step.id })
        await shows(web, 'h2', flat(step.heading))
        await web.clickNamed('Play the recording')
        if (!isRecorded(`${id}/${step.id}`)) {
          await shows(web, '[role="alert"]', 'There is no recording of this yet.')
          return
        }
        await shows(web, '.before-after-figures thead', RECORDED)
        const { report } = await web.savedRun()
        expect(report?.params).toMatchObject(step.action?.values ?? {})
        const figures = step.compare.length > 0 ? step.compare : [prediction.metric]
        const cells = await web.texts('.before-after-figures tbody tr td:last-child')
        expect(cells).toHaveLength(figures.length)
        for (const [index, { name, variant }] of figures.entries())
          expectFigure(cells[index] ?? '', findMetric(report?.metrics ?? [], name, variant))
      })
    await test.step('the instrument is drawn', async () => {
      await web.openLesson(id, { screen: 'instrument' })
      await isThere(web, CANVAS)
      await expect.poll(() => isPainted(web, CANVAS)).toBe(true)
    })
    await test.step('why, of the recorded machine', async () => {
      await web.openLesson(id, { screen: 'why' })
      await shows(web, byTestId('explanation'), /These figures are from a run recorded on .+\./)
      expect(await web.text(byTestId('explanation'))).not.toMatch(/undefined|NaN|\[object|Infinity/)
    })
  })

test('read-a-profile: a prediction, the profile, its late rank', async ({ web }) => {
  test.slow()
  const lesson = lessonIds.find((id) => lessonWords(id).kind === 'profiles') ?? ''
  await web.openLesson(lesson)
  await web.predict()
  await web.press(`${byTestId('prediction')} input`, Key.ENTER)
  await shows(web, byTestId('headline-number'), /^\d+\s?%$/)
  await shows(web, byTestId('headline'), /Recorded on NVIDIA .+\d{4}/)
  await shows(web, byTestId('verdict'), /Rank \d is late by/)
  await expect.poll(() => isPainted(web, CANVAS)).toBe(true)
  await web.openLesson(lesson, { screen: 'why' })
  await shows(web, byTestId('explanation'), /recorded on NVIDIA/)
})

test('a mend says that it runs on a model; what is typed is kept', async ({ web }) => {
  await web.openLesson('sync-stalls', { screen: 'mend', step: '2' })
  await shows(web, 'main', 'your program runs on a model')
  await expect.poll(() => web.program()).toContain('export default')
  // Its caret stands at the start.
  await web.pressInProgram('// mine', Key.ENTER)
  await expect.poll(() => web.program()).toMatch(/^\/\/ mine\n/)
  await shows(web, 'main', 'Kept on this device.')
  await web.reload()
  await expect.poll(() => web.program()).toMatch(/^\/\/ mine\n/)
  expect(await web.count(byTestId('grade'))).toBe(0)
  await web.clickNamed('Show the lab’s own mend')
  await shows(web, byTestId('reference'), 'always one batch of steps later')
})

test.describe('files', () => {
  let folder = ''
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lab-webkit-'))
  })
  test.afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  const opens = async (web: WebKitPage, path: string, heading: string): Promise<void> => {
    await web.chooseFiles('main input[type="file"]', [path])
    await shows(web, 'h1', heading)
    await expect.poll(() => isPainted(web, CANVAS)).toBe(true)
  }

  test('torch.profiler’s: the verdict, the cause and the lesson', async ({ web }) => {
    const name = 'torch-sync-stalls-stalled.json.gz'
    await web.open('/trace')
    await opens(web, recordingPath(name), name)
    await shows(web, byTestId('trace-facts'), 'torch.profiler')
    await shows(web, byTestId('verdict-sentence'), 'reading results back')
    await shows(web, byTestId('gap-causes'), 'results are read back in the loop')
    await shows(web, '.tl-ribbon', `imported from ${await recordedOn(name)}`)
  })

  test('of two ranks, together', async ({ web }) => {
    await web.open('/trace')
    await web.chooseFiles(
      'main input[type="file"]',
      [0, 1].map((rank) => recordingPath(`torch-nccl-rank${String(rank)}.json.gz`)),
    )
    await shows(web, 'h1', 'Ranks 0 and 1')
    await shows(web, byTestId('ranks-verdict'), /None of these ranks is late/)
    await expect.poll(() => web.count(byTestId('rank-row'))).toBe(2)
  })

  test('the lab’s own format, and the Trace Event JSON that the page makes of it', async ({ web }) => {
    const { trace } = await openRecording('sync-stalls.hdl.gz')
    await web.open('/run/sync-stalls')
    await web.chooseFiles('main input[type="file"]', [recordingPath('sync-stalls.hdl.gz')])
    await isThere(web, byTestId('verdict'))
    expect((await web.savedRun()).trace.spans.length).toBe(trace.spans.length)
    const text = await web.call(() => (globalThis as LabGlobal).hostDeviceLab.traceEventJson(), null)
    const path = join(folder, 'written-here.json')
    await writeFile(path, text)
    await web.open('/trace')
    await opens(web, path, 'written-here.json')
  })

  test('that is none: said so, and the page goes on', async ({ web }) => {
    const path = join(folder, 'broken.json')
    await writeFile(path, '{"traceEvents": [')
    await web.open('/trace')
    await web.chooseFiles('main input[type="file"]', [path])
    await shows(web, '[role="alert"]', 'broken.json')
    await opens(web, recordingPath('sync-stalls.hdl.gz'), 'sync-stalls.hdl.gz')
  })

  test('runs that are kept are there after a reload', async ({ web }) => {
    await web.open('/runs')
    await web.chooseFiles('main input[type="file"]', [recordingPath('sync-stalls.hdl.gz')])
    await shows(web, byTestId('import-answers'), '1 kept')
    await web.reload()
    await shows(web, '.kept-row', await recordedOn('sync-stalls.hdl.gz'))
  })
})

test('two recordings on one axis', async ({ web }) => {
  await web.open('/compare', {
    a: 'recording:sync-stalls',
    b: 'recording:sync-stalls',
    va: 'never',
    vb: 'every-step',
  })
  await shows(web, 'main', 'longer in B')
  await expect.poll(() => isPainted(web, '[aria-label="Timeline of run A"] canvas')).toBe(true)
})

test('after one visit the pages are there with the server stopped; recordings play, files open', async ({
  web,
}) => {
  test.slow()
  const site = await serveSite()
  const here = new WebKitPage(web.driver, site.url)
  const goes = async (path: string, heading: string): Promise<void> => {
    await web.driver.get(new URL(path, site.url).href)
    await shows(web, 'h1', heading)
  }
  try {
    await here.open('/')
    await shows(web, 'footer', /Ready for use without a network: [\d.]+ MB/)
    await here.open('/device')
    await web.click('[data-testid="offline"] button')
    await shows(web, byTestId('offline'), 'all of the lab')
  } finally {
    await site.close()
  }
  await expect(fetch(site.url)).rejects.toThrow()
  for (const id of lessonIds) await goes(`lessons/${id}/`, flat(lessonWords(id).question))
  await goes('method/', 'Method')
  expect(await web.call(() => crossOriginIsolated, null)).toBe(true)
  await goes('trace/#?recording=torch-sync-stalls-stalled', 'torch-sync-stalls-stalled.json.gz')
  await shows(web, byTestId('verdict-sentence'), 'reading results back')
  await goes('trace/', 'Open a trace')
  await web.chooseFiles('main input[type="file"]', [recordingPath('sync-stalls.hdl.gz')])
  await shows(web, 'h1', 'sync-stalls.hdl.gz')
  await expect.poll(() => isPainted(web, CANVAS)).toBe(true)
})
