/** A DataLoader's workers beside the loop: what they made arrives, stands on lanes of their own at its own times; and they end with the run. */
import type { Page } from '@playwright/test'
import { serveSite } from '../cli/static-server.mjs'
import { SPAN_KINDS, SPAN_ROLES, type Trace } from '../src/trace/schema'
import { expect, LONG, test } from './fixtures'
import { shortSettings, type Lab } from './lab'
import { test as onOnePage } from './shared-page'
import { prefixWorker } from './worker-prefix'

const ID = 'overlapped-uploads'
const LANE = 'host (loader)'
const SCRIPT = /loader-worker/
const SMALL = { ...shortSettings(ID), rings: '2', loader: 'inline,worker-1,worker-2' }

interface Span {
  readonly lane: string
  readonly kind: string
  readonly role: string
  readonly variant: string
  readonly repeat: number
  readonly step: number
  readonly start: number
  readonly end: number
}

/** Of the host's clock. */
function hostSpans(trace: Trace): readonly Span[] {
  const { spans, lanes, strings } = trace
  return Array.from({ length: spans.length }, (_, span): Span => {
    const lane = lanes[spans.lane[span] ?? -1]
    return {
      lane: lane?.kind === 'host' ? lane.name : '',
      kind: SPAN_KINDS[spans.kind[span] ?? -1] ?? '',
      role: SPAN_ROLES[spans.role[span] ?? 0] ?? '',
      variant: strings[spans.variant[span] ?? -1] ?? '',
      repeat: spans.repeat[span] ?? -1,
      step: spans.step[span] ?? -1,
      start: spans.start[span] ?? Number.NaN,
      end: spans.end[span] ?? Number.NaN,
    }
  }).filter(({ lane }) => lane !== '')
}

/**
 * Every batch that a worker made, once, in its window, before the loop copied it; and none of them by any other variant.
 *
 * @param laneOf of a batch
 * @param copying the role of the copy
 */
function expectLoaderLane(
  trace: Trace,
  steps: number,
  repeats: number,
  variants: readonly string[],
  {
    copying = 'fill',
    laneOf = (): string => LANE,
  }: { copying?: string; laneOf?: (span: Span) => string } = {},
): void {
  expect(trace.rejected, 'the two threads’ clocks agree').toEqual({})
  const all = hostSpans(trace)
  const made = all.filter(({ lane }) => lane.startsWith('host (loader'))
  expect(new Set(made.map(({ variant }) => variant))).toEqual(new Set(variants))
  // The warm-up too.
  expect(made).toHaveLength(variants.length * steps * (repeats + 1))
  const clockStep = trace.clocks[0]?.stepNs ?? 0
  for (const each of made) {
    expect(each).toMatchObject({ kind: 'host-work', role: 'compute', lane: laneOf(each) })
    const own = all.filter(({ variant, repeat }) => variant === each.variant && repeat === each.repeat)
    const [window] = own.filter(({ kind }) => kind === 'window')
    const [fill] = own.filter(({ role, step }) => role === copying && step === each.step)
    expect(each.start).toBeGreaterThanOrEqual((window?.start ?? Infinity) - 4 * clockStep)
    expect(each.end).toBeLessThanOrEqual((fill?.start ?? -Infinity) + 4 * clockStep)
  }
}

const loaders = (page: Page): number => page.workers().filter((worker) => SCRIPT.test(worker.url())).length

test('the step of the lesson: before and after, right results, and the worker’s lane', async ({
  lab,
  page,
}) => {
  let started = 0
  page.on('worker', (worker) => {
    if (SCRIPT.test(worker.url())) started += 1
  })
  await lab.runStep(ID, 'loader')
  const { trace, report } = await lab.savedRun()
  if (!report) throw new Error('The saved run holds no report.')
  expect(report.validity).toEqual({ valid: true, reasons: [] })
  expect(report.verification.failed).toBe(0)
  expect(report.derived['loaderFailed']).toBe(0)
  expect(Number(report.derived['hostCores'])).toBeGreaterThan(0)
  expect(report.verdict.reason).toMatch(
    /^(no-core-to-spare|worker-|made-in-passing|better-than-at-hand|making-unclear)/,
  )
  expectLoaderLane(trace, Number(report.derived['steps']), Number(report.derived['repeats']), [
    'worker-1',
    'worker-8',
  ])
  for (const name of ['make-ms', 'step-ms'])
    for (const variant of ['inline', 'worker-1', 'worker-8'])
      expect(
        report.metrics.find((metric) => metric.name === name && metric.variant === variant)?.value,
        `${name} ${variant}`,
      ).toBeGreaterThan(0)
  // Two host lanes in the strip of the worker, one in the others.
  const strips = page.locator('[data-variant$=", after"]')
  await expect(strips.first()).toBeVisible()
  const shown = await strips.evaluateAll((all) => all.map((strip) => strip.getAttribute('data-variant')))
  expect(shown).toEqual(['ring-2, after', 'inline, after', 'worker-1, after'])
  expect(started).toBe(1)
  await expect.poll(() => loaders(page), 'the worker ended with the run').toBe(0)
})

async function expectReserves(lab: Lab): Promise<void> {
  const outcome = await lab.runBare(ID, SMALL)
  expect(outcome).toMatchObject({
    status: 'done',
    report: { validity: { valid: true }, verification: { failed: 0 } },
  })
  const { trace, report } = await lab.savedRun()
  const { steps, repeats } = report?.derived ?? {}
  expectLoaderLane(trace, Number(steps), Number(repeats), ['worker-1', 'worker-2'])
}

// In short the lesson's step has one of them.
onOnePage('every reserve is right', LONG, async ({ lab }) => {
  await lab.openRun(ID, SMALL)
  await expectReserves(lab)
})

// In short hosting.spec and world.spec run without it.
test('every reserve is right without isolation', LONG, async ({ lab, page }) => {
  const site = await serveSite({ base: '/some/where/', isolated: false })
  try {
    await page.goto(`${site.url}run/${ID}/`)
    await expectReserves(lab)
  } finally {
    await site.close()
  }
})

onOnePage(
  'several workers make batches in turn, and all arrive right and in order',
  async ({ lab, page }) => {
    const id = 'starved-by-the-loader'
    await lab.openRun(id)
    const settings = { ...shortSettings(id), workers: '0,1,2,4', ahead: '8' }
    expect(await lab.runBare(id, settings)).toMatchObject({
      status: 'done',
      report: { validity: { valid: true }, verification: { failed: 0 }, derived: { loaderFailed: 0 } },
    })
    const { trace, report } = await lab.savedRun()
    const { steps, repeats } = report?.derived ?? {}
    const workersOf = ({ variant }: Span) => Number(/^workers-(\d+)$/.exec(variant)?.[1] ?? 1)
    expectLoaderLane(
      trace,
      Number(steps),
      Number(repeats),
      ['workers-1', 'workers-2', 'workers-4', 'ahead-1', 'ahead-8'],
      { copying: 'write', laneOf: (span) => `host (loader ${String(span.step % workersOf(span))})` },
    )
    await expect.poll(() => loaders(page), 'the workers ended with the run').toBe(0)
  },
)

/** As a policy refuses it, and as a script that does not load fails. */
const REFUSALS = {
  'is refused': [
    () => {
      globalThis.Worker = function () {
        throw new DOMException('refused by a policy', 'SecurityError')
      } as unknown as typeof Worker
    },
    'no worker could be started: refused by a policy',
  ],
  'does not load': [
    () => {
      globalThis.Worker = class {
        onerror: ((event: Event) => void) | null = null
        constructor() {
          setTimeout(() => this.onerror?.(new Event('error')))
        }
        postMessage(): void {}
        terminate(): void {}
      } as unknown as typeof Worker
    },
    'its script did not load',
  ],
} as const

// In short one of them: from both there is one way on, and which it was is a sentence.
for (const [what, [refuse, why]] of Object.entries(REFUSALS))
  test(
    `where the worker ${what} the loop makes the batches, and the verdict says why`,
    what === 'is refused' ? {} : LONG,
    async ({ lab, page }) => {
      await prefixWorker(page, refuse)
      await lab.openRun(ID, SMALL)
      const { status, report } = await lab.runBare(ID, SMALL)
      expect(status).toBe('done')
      expect(report).toMatchObject({
        validity: { valid: true },
        verification: { failed: 0 },
        derived: { loaderFailed: 1 },
        verdict: { outcome: 'inconclusive', reason: 'no-worker' },
      })
      expect(report?.verdict.text).toContain(why)
      const variants = new Set(report?.metrics.map(({ variant }) => variant))
      expect(variants).toContain('inline')
      expect(variants).not.toContain('worker-1')
    },
  )

test('Cancel ends the worker too', async ({ lab, page, errors }) => {
  // The program holds the promise of a staging buffer that is asked back, and goes with the run.
  errors.allow(/AbortError.*destroyed before mapping/)

  await lab.openRun(ID, { ...SMALL, steps: '16', repeats: '15', seconds: '60' })
  await lab.run()
  await lab.waitMeasuring()
  await expect.poll(() => loaders(page)).toBe(1)
  await lab.cancelButton.click()
  await lab.waitEnded()
  await expect.poll(() => loaders(page)).toBe(0)
})
