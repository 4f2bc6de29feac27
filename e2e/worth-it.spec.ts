/**
 * The processor's side of worth-it: a large library that is loaded only where it is wanted, from
 * our own host, and may be missing.
 */
import { ANYWHERE, expect, test } from './fixtures'
import { shortSettings } from './lab'
import { prefixWorker } from './worker-prefix'

const SMALL = { ...shortSettings('worth-it'), sizes: '32,128', repeats: '1' }
const LIBRARY = /onnx|ort-wasm|\.wasm/

test('the library is loaded by this experiment and by no page', async ({ lab, page, context }) => {
  // A machine of two cores would have no threads.
  await prefixWorker(page, () => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 4 }))
  const asked: string[] = []
  // Requests of the worker come with the context, not with the page.
  context.on('request', (request) => asked.push(request.url()))
  for (const route of ['/', '/lessons/worth-it', '/run/worth-it']) await lab.open(route)
  await lab.runBare('sync-stalls')
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((url) => LIBRARY.test(url))).toEqual([])
  const outcome = await lab.runBare('worth-it', SMALL)
  // WebAssembly and its threads run under the policy of the site.
  expect(outcome).toMatchObject({
    status: 'done',
    report: {
      verification: { failed: 0 },
      derived: { processorLibrary: 'onnxruntime-web', processorThreads: 2 },
    },
  })
  const library = asked.filter((url) => LIBRARY.test(url))
  expect(library.some((url) => url.endsWith('.wasm'))).toBe(true)
  const { origin } = new URL(page.url())
  expect(library.filter((url) => !url.startsWith(origin))).toEqual([])
})

test(
  'where the library cannot be had plain code computes, checked like the rest',
  ANYWHERE,
  async ({ lab, context, errors }) => {
    errors.allow(/wasm|WebAssembly|ArrayBuffer|404/i)
    await context.route(/\.wasm$/, (route) => route.fulfill({ status: 404, body: 'gone' }))
    await lab.openRun('worth-it', SMALL)
    const outcome = await lab.runBare('worth-it', SMALL)
    expect(outcome).toMatchObject({
      status: 'done',
      report: {
        validity: { valid: true },
        verification: { failed: 0 },
        derived: { processorLibrary: 'plain TypeScript' },
      },
    })
    expect(String(outcome.report?.derived['processorNote'])).toContain('did not load')
  },
)
