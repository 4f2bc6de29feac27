/**
 * Faults put into real runs in Chromium, and its GPU process killed under them: the right ending, nothing left alive, and the next run valid.
 * One of each kind: src/site/worker/injected.test has a fault at every call, on a fake device.
 */
import { seeded } from '../src/testing/seeded'
import { expect, test } from './fixtures'
import { arm, FAULTS, injectedState, installInjection } from './inject'
import { shortSettings, type LabPage } from './lab'

const SEED = 20261123

const SMALL = 'async-submission'

async function runsRightly(lab: LabPage, where: string): Promise<void> {
  const next = await lab.runBare(SMALL)
  expect(next, where).toMatchObject({
    status: 'done',
    report: { validity: { valid: true }, verification: { failed: 0 } },
  })
}

test('a page opened from a link asks the adapter what it is, and opens no device', async ({ lab, page }) => {
  await installInjection(page)
  for (const route of [`/lessons/${SMALL}`, `/run/${SMALL}`])
    await test.step(route, async () => {
      await page.goto('about:blank')
      await lab.open(route)
      // Asked for again: what the page asked by itself was answered before.
      expect((await lab.environment()).fault).toBeUndefined()
      expect(await injectedState(page)).toEqual({ type: 'state', calls: 0, devices: 0, hit: null, live: [] })
    })
})

test('a fault at a call of WebGPU ends the run rightly, leaves nothing alive, and the next run is valid', async ({
  lab,
  page,
  errors,
}) => {
  test.setTimeout(240_000)
  errors.allow(/WebGPU|GPU/i)
  const random = seeded(SEED)
  await installInjection(page)
  await lab.openRun(SMALL)
  await lab.environment(true)
  await arm(page, -1)
  expect(await lab.runBare(SMALL)).toMatchObject({ status: 'done', report: { verification: { failed: 0 } } })
  const { calls, live: left } = await injectedState(page)
  expect(left).toEqual([])
  expect(calls).toBeGreaterThan(50)
  for (const fault of FAULTS) {
    const at = Math.floor(random() * (fault === 'cancel' ? 0.6 : 0.9) * calls)
    await arm(page, at, fault)
    const outcome = await lab.runBare(SMALL)
    const { hit, live } = await injectedState(page)
    const where = JSON.stringify({ fault, at, of: calls, hit, status: outcome.status, fault2: outcome.fault })
    expect(live, where).toEqual([])
    // A run makes more calls or fewer, by how long things take: a fault that was not reached is none of the next run's.
    await arm(page, -1)
    if (hit === null) expect(outcome.status, where).toBe('done')
    // The page cancels: a run may be over before it hears of the call.
    else if (fault === 'cancel') expect(['cancelled', 'done'], where).toContain(outcome.status)
    else if (fault === 'loss')
      expect(outcome, where).toMatchObject({ status: 'failed', fault: { code: 'device-lost' } })
    // An error of the recorder's own commands costs it timestamps, and not the run; that of one of several kernels the tuner its trial.
    else expect(['done', fault], where).toContain(outcome.fault?.code ?? outcome.status)
    await runsRightly(lab, where)
  }
})

test('the GPU process is killed under a run: it fails in words, and the next run is valid', async ({
  lab,
  page,
  browser,
  errors,
}) => {
  test.setTimeout(240_000)
  errors.allow(/context|GPU/i)
  await lab.openRun(SMALL)
  await lab.environment(true)
  const cdp = await browser.newBrowserCDPSession()
  const settings = { ...shortSettings(SMALL), steps: '64', repeats: '15', kernelMs: '4' }
  // That of the run before stands until this one reports its own.
  const before = await page.evaluateHandle(() => globalThis.hostDeviceLab?.progress() ?? null)
  const running = lab.runBare(SMALL, settings)
  await page.waitForFunction(
    (last) => {
      const now = globalThis.hostDeviceLab?.progress() ?? null
      return now !== null && now !== last
    },
    before,
    { polling: 20 },
  )
  await cdp.send('Browser.crashGpuProcess')
  const outcome = await running
  const where = JSON.stringify({ status: outcome.status, fault: outcome.fault })
  expect(outcome, where).toMatchObject({ status: 'failed', fault: { code: 'device-lost' } })
  await runsRightly(lab, where)
})
