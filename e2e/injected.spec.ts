/**
 * Faults put into real runs in Chromium, and its GPU process killed under them: the right ending, nothing left alive, and the next run valid.
 * A few of each; with LAB_FAULTS=all (`npm run test:faults`) 40 and 20.
 */
import { experiments } from '../cli/catalog'
import { seeded } from '../src/testing/seeded'
import { expect, test } from './fixtures'
import { arm, FAULTS, injectedState, installInjection } from './inject'
import { shortSettings, type Lab } from './lab'

const isAll = process.env['LAB_FAULTS'] === 'all'
const SAMPLE = isAll ? 40 : FAULTS.length
const KILLS = isAll ? 20 : 1
const SEED = 20261123

const SMALL = 'async-submission'

async function runsRightly(lab: Lab, where: string): Promise<void> {
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
  test.setTimeout(isAll ? 1_800_000 : 240_000)
  errors.allow(/WebGPU|GPU/i)
  const random = seeded(SEED)
  await installInjection(page)
  await lab.openRun(SMALL)
  await lab.environment(true)
  const calls = new Map<string, number>()
  let cancelled = 0
  // Those asked of a device that is measured, in turn; the few are all of the first.
  const ids = isAll ? experiments.map(({ id }) => id) : [SMALL]
  for (let index = 0; index < SAMPLE; index += 1) {
    const fault = FAULTS[index % FAULTS.length] ?? 'loss'
    const id = ids[Math.floor(index / FAULTS.length) % ids.length] ?? SMALL
    let most = calls.get(id)
    if (most === undefined) {
      await arm(page, -1)
      expect(await lab.runBare(id), id).toMatchObject({
        status: 'done',
        report: { verification: { failed: 0 } },
      })
      const state = await injectedState(page)
      expect(state.live, id).toEqual([])
      most = state.calls
      expect(most).toBeGreaterThan(50)
      calls.set(id, most)
    }
    const at = Math.floor(random() * (fault === 'cancel' ? 0.6 : 0.9) * most)
    await arm(page, at, fault)
    const outcome = await lab.runBare(id)
    const { hit, live } = await injectedState(page)
    const where = JSON.stringify({
      index,
      id,
      fault,
      at,
      of: most,
      hit,
      status: outcome.status,
      fault2: outcome.fault,
    })
    expect(live, where).toEqual([])
    // A run makes more calls or fewer, by how long things take: a fault that was not reached is none of the next run's.
    await arm(page, -1)
    if (hit === null) expect(outcome.status, where).toBe('done')
    else if (fault === 'cancel') {
      // It is the page that cancels: a run may be over before it hears of the call.
      expect(['cancelled', 'done'], where).toContain(outcome.status)
      cancelled += outcome.status === 'cancelled' ? 1 : 0
    } else if (fault === 'loss')
      expect(outcome, where).toMatchObject({ status: 'failed', fault: { code: 'device-lost' } })
    // An error of the recorder's own commands costs it timestamps, and not the run; that of one of several kernels the tuner its trial.
    else expect(['done', fault], where).toContain(outcome.fault?.code ?? outcome.status)
    await runsRightly(lab, where)
  }
  expect(cancelled).toBeGreaterThanOrEqual(SAMPLE / FAULTS.length / 2)
})

test('the GPU process is killed under a run: it fails in words, and the next run is valid', async ({
  lab,
  page,
  browser,
  errors,
}) => {
  test.setTimeout(isAll ? 1_800_000 : 240_000)
  errors.allow(/context|GPU/i)
  const random = seeded(SEED + 1)
  await lab.openRun(SMALL)
  await lab.environment(true)
  const cdp = await browser.newBrowserCDPSession()
  const settings = { ...shortSettings(SMALL), steps: '64', repeats: '15', kernelMs: '4' }
  for (let kill = 0; kill < KILLS; kill += 1) {
    // 0: while the device is prepared. Each run is on a device that was lost before, and so measures it first.
    const from = kill === 0 ? 0 : random() * 0.7
    // That of the run before stands until this one reports its own.
    const before = await page.evaluateHandle(() => globalThis.hostDeviceLab?.progress() ?? null)
    const running = lab.runBare(SMALL, settings)
    await page.waitForFunction(
      ([least, last]) => {
        const now = globalThis.hostDeviceLab?.progress() ?? null
        return now !== null && now !== last && now.fraction >= least
      },
      [from, before] as const,
      { polling: 20 },
    )
    await cdp.send('Browser.crashGpuProcess')
    const outcome = await running
    const where = JSON.stringify({ kill, from, status: outcome.status, fault: outcome.fault })
    expect(outcome, where).toMatchObject({ status: 'failed', fault: { code: 'device-lost' } })
    await runsRightly(lab, where)
  }
})
