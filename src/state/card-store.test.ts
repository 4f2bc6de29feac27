/** The card of the machine: measured on request, cancelled, late, kept and read back. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isCard } from '../model/card-shape'
import { h200 } from '../model/cards/h200'
import type { OwnCard } from '../model/card'
import type { LaunchCosts } from '../trace/machine-costs'
import { createCardStore, type CalibrationRun } from './card-store'
import { createLocalStore } from './storage'
import { createFakeClient, fakeInfo, fakeReport, type FakeClient } from './testing/fake-client'
import { memoryStorage } from './testing/memory-storage'

const cost = { hostUs: 1, stepUs: 1 }
const LAUNCHES: LaunchCosts = { onePass: cost, passes: cost, commandBuffers: cost, submits: cost }
const WAITS = [{ kernelMs: 1, waitMs: 3 }]
const calibrations: readonly CalibrationRun[] = [
  { experiment: 'one', values: {}, calibrates: { of: 'launches', values: {}, read: () => LAUNCHES } },
  {
    experiment: 'other',
    values: {},
    calibrates: {
      of: 'waits',
      values: {},
      recorded: { run: '', pytorch: { figure: '', file: '', x: '', series: [] } },
      read: () => WAITS,
    },
  },
]

function setup(open = memoryStorage().open) {
  const client = createFakeClient()
  const ownCard = vi.fn((): OwnCard | null => ({
    card: h200,
    measuredAt: '2026-11-28',
    missing: ['wake-up'],
  }))
  const cards = createCardStore({
    client,
    localStore: createLocalStore(open),
    load: () => Promise.resolve({ ownCard, isCard, calibrations }),
    adopt: vi.fn(),
    limitMs: 60_000,
  })
  return { client, cards, ownCard, state: () => cards.store.getState() }
}

const runOf = async (client: FakeClient, index: number) => {
  await vi.waitFor(() => {
    expect(client.runs).toHaveLength(index + 1)
  })
  const run = client.runs[index]
  if (!run) throw new Error('There is no such run.')
  run.listener.started(fakeInfo())
  return run
}
const done = { status: 'done', report: fakeReport(), info: fakeInfo() } as const

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

describe('card store', () => {
  it('measures in turn, keeps the card in the browser, and finds it there', async () => {
    const { open } = memoryStorage()
    const { client, cards, ownCard, state } = setup(open)
    const measured = cards.measure()
    expect(state().measuring).toBe(true)
    const first = await runOf(client, 0)
    first.listener.progress({ fraction: 0, message: 'one-pass', variant: '', repeat: 0 })
    expect(state().said).toContain('what calls cost: one-pass')
    first.end(done)
    ;(await runOf(client, 1)).end(done)
    await measured
    expect(ownCard).toHaveBeenCalledWith(expect.objectContaining({ launches: LAUNCHES }), expect.any(String))
    expect(state()).toMatchObject({
      measuring: false,
      kept: true,
      own: { waits: WAITS, missing: ['wake-up'] },
    })
    const later = setup(open)
    await later.cards.restore()
    expect(later.state().own).toEqual(state().own)
    later.cards.forget()
    const last = setup(open)
    await last.cards.restore()
    expect(last.state().own).toBeNull()
  })

  it('leaves out what takes too long, and says so', async () => {
    const { client, cards, state } = setup()
    const measured = cards.measure()
    ;(await runOf(client, 0)).end(done)
    await runOf(client, 1)
    await vi.advanceTimersByTimeAsync(61_000)
    await measured
    expect(client.cancels).toBe(1)
    expect(state().own).toMatchObject({ waits: [] })
    expect(state().own?.missing[0]).toMatch(/how long the host waits.*longer than/)
  })

  it('changes nothing where it is cancelled, fails or was not valid', async () => {
    const { client, cards, state } = setup()
    const cancelled = cards.measure()
    await runOf(client, 0)
    cards.cancel()
    await cancelled
    expect(state()).toMatchObject({ own: null, measuring: false, said: 'Cancelled. Nothing was changed.' })
    const failed = cards.measure()
    ;(await runOf(client, 1)).end({ status: 'failed', fault: { code: 'device-lost', message: 'gone' } })
    await failed
    expect(state()).toMatchObject({ own: null, fault: { code: 'device-lost' } })
    const hidden = cards.measure()
    const report = fakeReport([], { validity: { valid: false, reasons: ['The tab was hidden.'] } })
    ;(await runOf(client, 2)).end({ ...done, report })
    await hidden
    expect(state()).toMatchObject({ own: null, fault: null, said: 'Not kept: The tab was hidden.' })
  })

  it('starts no run where it is cancelled before its first', async () => {
    const { client, cards, state } = setup()
    const measured = cards.measure()
    cards.cancel()
    await measured
    expect(client.runs).toEqual([])
    expect(state()).toMatchObject({ measuring: false, said: 'Cancelled. Nothing was changed.' })
  })

  it('does not believe what it finds kept', async () => {
    const { items, open } = memoryStorage()
    items.set(
      'host-device-lab:card',
      JSON.stringify({ version: 2, data: { card: {}, waits: [], missing: [] } }),
    )
    const { cards, state } = setup(open)
    await cards.restore()
    expect(state().own).toBeNull()
  })

  it('says that another measurement is under way', async () => {
    const { client, cards, state } = setup()
    const other = client.run(
      'else',
      {},
      { record: true, live: true },
      { started: vi.fn(), progress: vi.fn(), chunk: vi.fn() },
    )
    await cards.measure()
    expect(state().fault?.message).toBe('Another run is still under way.')
    client.cancel()
    await other
  })
})
