/**
 * A DataLoader's workers beside the loop: what they made arrives, and stands on lanes of their own
 * at its own times. They end with the run.
 */
import { spansOf, type Span } from '../src/recorder/testing/spans'
import type { Report } from '../src/trace/report'
import type { Trace } from '../src/trace/schema'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { test as onOnePage, watchWorkers } from './shared-page'
import { prefixWorker } from './worker-prefix'

const ID = 'starved-by-the-loader'
const SCRIPT = /loader-worker/
const SMALL = { ...shortSettings(ID), workers: '0,1,2,4', ahead: '8' }
const MADE_BY_WORKERS = ['workers-1', 'workers-2', 'workers-4', 'ahead-1', 'ahead-8']

const workersOf = ({ variant }: Span): number => Number(/^workers-(\d+)$/.exec(variant)?.[1] ?? 1)

/**
 * Every batch that a worker made, once, on that worker's lane, in its window, before the loop wrote
 * it; and none of them by any other variant.
 */
function expectLoaderLanes(trace: Trace, report: Report | null): void {
  const { steps, repeats } = report?.derived ?? {}
  expect(trace.rejected, 'the two threads’ clocks agree').toEqual({})
  const all = spansOf(trace)
  const made = all.filter(({ lane }) => lane.startsWith('host (loader'))
  expect(new Set(made.map(({ variant }) => variant))).toEqual(new Set(MADE_BY_WORKERS))
  // The warm-up too.
  expect(made).toHaveLength(MADE_BY_WORKERS.length * Number(steps) * (Number(repeats) + 1))
  const clockStep = trace.clocks[0]?.stepNs ?? 0
  for (const each of made) {
    const lane = `host (loader ${String(each.step % workersOf(each))})`
    expect(each).toMatchObject({ kind: 'host-work', role: 'compute', lane })
    const own = all.filter(({ variant, repeat }) => variant === each.variant && repeat === each.repeat)
    const [window] = own.filter(({ kind }) => kind === 'window')
    const [write] = own.filter(({ role, step }) => role === 'write' && step === each.step)
    expect(each.start).toBeGreaterThanOrEqual((window?.start ?? Infinity) - 4 * clockStep)
    expect(each.end).toBeLessThanOrEqual((write?.start ?? -Infinity) + 4 * clockStep)
  }
}

const RIGHT = {
  status: 'done',
  report: {
    validity: { valid: true, reasons: [] },
    verification: { failed: 0 },
    derived: { loaderFailed: 0 },
  },
}

onOnePage(
  'several workers make batches in turn, and all arrive right and in order',
  async ({ lab, page }) => {
    let started = 0
    page.on('worker', (worker) => {
      if (SCRIPT.test(worker.url())) started += 1
    })
    const alive = watchWorkers(page, SCRIPT)
    await lab.openRun(ID, SMALL)
    expect(await lab.runBare(ID, SMALL)).toMatchObject(RIGHT)
    const { trace, report } = await lab.savedRun()
    expectLoaderLanes(trace, report)
    expect(started).toBe(4)
    await expect.poll(alive, 'the workers ended with the run').toBe(0)
  },
)

test('where the worker is refused the loop makes the batches, and the verdict says why', async ({
  lab,
  page,
}) => {
  await prefixWorker(page, () => {
    globalThis.Worker = function () {
      throw new DOMException('refused by a policy', 'SecurityError')
    } as unknown as typeof Worker
  })
  await lab.openRun(ID, SMALL)
  const { status, report } = await lab.runBare(ID, SMALL)
  expect(status).toBe('done')
  expect(report).toMatchObject({
    validity: { valid: true },
    verification: { failed: 0 },
    derived: { loaderFailed: 1 },
    verdict: { outcome: 'inconclusive', reason: 'no-worker' },
  })
  expect(report?.verdict.text).toContain('no worker could be started: refused by a policy')
  const variants = new Set(report?.metrics.map(({ variant }) => variant))
  expect(variants).toContain('workers-0')
  expect(variants).not.toContain('workers-1')
})

test('Cancel ends the workers too', async ({ lab, page }) => {
  const alive = watchWorkers(page, SCRIPT)
  await lab.openRun(ID, { ...SMALL, steps: '16', repeats: '15', seconds: '60' })
  await lab.run()
  await lab.waitMeasuring()
  await expect.poll(alive).toBe(4)
  await lab.cancelButton.click()
  await lab.waitEnded()
  await expect.poll(alive).toBe(0)
})
