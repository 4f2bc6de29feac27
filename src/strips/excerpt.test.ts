/**
 * Stories of runs with a known truth: which repeat is typical, where the cut is, and what was going
 * on at a moment.
 */
import { describe, expect, it } from 'vitest'
import { FakeRun } from '../experiments/testing/fake-evidence'
import { changesIn, idleOf, momentOf } from './excerpt'
import { findGaps } from '../analysis/gaps'
import type { PlacedTrace } from '../trace/place'
import { excerptOf } from './of-run'

const cutExcerpt = (
  placed: PlacedTrace,
  variants: readonly string[],
  { leastNs = 0, ...cut }: { readonly steps: number; readonly isSteady: boolean; readonly leastNs?: number },
) => excerptOf({ placed, gaps: findGaps(placed) }, { variants, ...cut }, leastNs)

const MS = 1e6

/**
 * Three repeats of one variant, of 10, 12 and 20 ms; in each, steps of 1 ms on the device, `apart`
 * ms from start to start.
 */
function runOf(variants: Readonly<Record<string, number>>): FakeRun {
  const run = new FakeRun()
  let at = 100
  for (const [name, apart] of Object.entries(variants))
    for (const [repeat, length] of [20, 10, 12].entries()) {
      run.builder.addSpan({
        lane: 0,
        kind: 'window',
        name: 'window',
        start: at * MS,
        end: (at + length) * MS,
        variant: name,
        repeat,
      })
      for (let step = 0; step * apart + 2 <= length; step += 1) {
        const from = at + step * apart
        run.host('submit', 'submit', name, repeat, from, from + 0.2)
        run.host('host-wait', 'await mapAsync', name, repeat, from + 0.2, from + apart - 0.1, 'wait-map')
        run.pass(name, repeat, step, from + 0.5, from + 1.5)
        run.depth(from + 0.2, 1).depth(from + 1.6, 0)
      }
      at += length + 5
    }
  return run
}

describe('an excerpt', () => {
  const { placed } = runOf({ often: 3, seldom: 2 }).evidence()
  const excerpt = cutExcerpt(placed, ['seldom', 'often', 'unmeasured'], { steps: 3, isSteady: false })

  it('takes of each variant the repeat with the median length, in the order asked for', () =>
    expect(excerpt?.strips.map(({ variant, repeat }) => [variant, repeat])).toEqual([
      ['seldom', 2],
      ['often', 2],
    ]))

  it('ends where the slowest variant has ended its steps, for all of them', () => {
    // Step 2 of 'often' runs from 6.5 to 7.5 ms.
    expect(excerpt?.lengthNs).toBeCloseTo(7.5 * MS, -4)
    const [seldom, often] = excerpt?.strips ?? []
    expect(often?.stepsEnded).toBe(3)
    expect(seldom?.stepsEnded).toBeGreaterThan(3)
    for (const { rows } of excerpt?.strips ?? [])
      for (const { bars } of rows)
        for (const { endNs } of bars) expect(endNs).toBeLessThanOrEqual(excerpt?.lengthNs ?? 0)
  })

  it('starts each strip from its own zero', () => {
    for (const { rows } of excerpt?.strips ?? []) {
      const first = rows.find(({ kind }) => kind === 'device')?.bars[0]
      expect(first?.startNs).toBeCloseTo(0.5 * MS, -4)
    }
  })

  it('holds the idle time between its passes', () => {
    const often = excerpt?.strips.find(({ variant }) => variant === 'often')
    const idle = often ? idleOf(often) : []
    expect(idle).toHaveLength(2)
    expect(idle[0]?.startNs).toBeCloseTo(1.5 * MS, -4)
    expect(idle[0]?.endNs).toBeCloseTo(3.5 * MS, -4)
  })

  it('knows what went on at a moment', () => {
    const often = excerpt?.strips.find(({ variant }) => variant === 'often')
    if (!often) throw new Error('no strip')
    expect(momentOf(often, 1 * MS)).toMatchObject({
      host: { role: 'wait-map' },
      devices: [{ bar: { kind: 'compute', step: 0 }, idle: null }],
      queued: 1,
    })
    const later = momentOf(often, 2 * MS)
    expect(later.devices).toMatchObject([{ bar: null, idle: { cause: expect.any(String) as string } }])
    expect(later.queued).toBe(0)
    expect(momentOf(often, 2.95 * MS).host).toBeNull()
  })

  it('has its changes in order, from the start to the end', () => {
    if (!excerpt) throw new Error('no excerpt')
    const changes = changesIn(excerpt)
    expect(changes[0]).toBe(0)
    expect(changes).toEqual([...changes].sort((a, b) => a - b))
    expect(changes.at(-1)).toBeLessThanOrEqual(excerpt.lengthNs)
  })

  it('of the steady state begins where the first step has ended on the device, before anything else', () => {
    const steady = cutExcerpt(placed, ['seldom', 'often'], { steps: 2, isSteady: true })
    // Steps 1 and 2 of 'often', the slower one, 3 ms each.
    expect(steady?.lengthNs).toBeCloseTo(6 * MS, -4)
    for (const strip of steady?.strips ?? []) {
      const of = (kind: string) => strip.rows.find((row) => row.kind === kind)?.bars ?? []
      expect(of('device')[0]).toMatchObject({ step: 1 })
      // What was under way by then is kept as it was, and drawn from the strip's begin.
      expect(of('host')[0]).toMatchObject({ kind: 'host-wait' })
      expect(of('host')[0]?.startNs).toBeLessThan(0)
      expect(idleOf(strip)[0]?.startNs).toBeCloseTo(0, -4)
      expect(momentOf(strip, 0).host?.kind).toBe('host-wait')
      expect(strip.windowNs).toBeLessThan(12 * MS)
    }
    expect(steady?.strips.map(({ stepsEnded }) => stepsEnded)).toEqual([3, 2])
  })

  it('is of the whole repeat, where one of them has too few steps for less', () => {
    const whole = cutExcerpt(placed, ['seldom', 'often'], { steps: 4, isSteady: true })
    expect(whole).toEqual(cutExcerpt(placed, ['seldom', 'often'], { steps: 4, isSteady: false }))
  })

  it('is as long as another that it is laid beside', () =>
    expect(cutExcerpt(placed, ['seldom'], { steps: 1, isSteady: false, leastNs: 9 * MS })?.lengthNs).toBe(
      9 * MS,
    ))

  it('is none where nothing was measured', () =>
    expect(cutExcerpt(new FakeRun().evidence().placed, ['often'], { steps: 3, isSteady: false })).toBeNull())
})

it('without device times an excerpt is told by the host alone', () => {
  const run = new FakeRun()
  run.builder.addSpan({
    lane: 0,
    kind: 'window',
    name: 'window',
    start: 0,
    end: 9 * MS,
    variant: 'a',
    repeat: 0,
  })
  run.host('submit', 'submit', 'a', 0, 0, 1).host('host-wait', 'wait', 'a', 0, 1, 4, 'wait-done')
  const excerpt = cutExcerpt(run.evidence({ deviceStepNs: null }).placed, ['a'], {
    steps: 1,
    isSteady: false,
  })
  // All steps are in view, and an eighth of what follows them.
  expect(excerpt?.lengthNs).toBe(4.5 * MS)
  expect(excerpt?.strips[0]?.rows.map(({ kind }) => kind)).toEqual(['host'])
  expect(excerpt?.strips.flatMap(idleOf)).toEqual([])
})

describe('messages between ranks', () => {
  const run = new FakeRun()
  const { builder } = run
  const lanes = [0, 1].map((rank) =>
    builder.addLane({
      kind: 'host',
      name: `rank ${String(rank)} · host`,
      clock: 0,
      group: `rank ${String(rank)} · host`,
    }),
  )
  const call = (rank: number, role: 'send' | 'recv', sequence: number, start: number, end: number) => {
    const span = builder.addSpan({
      lane: lanes[rank] ?? 0,
      kind: 'collective',
      role,
      name: `any name`,
      start: start * MS,
      end: end * MS,
      variant: 'ring',
      repeat: 0,
      bytes: 64 * (sequence + 1),
    })
    builder.addCollective({ span, operation: role, peer: 1 - rank, sequence })
    return span
  }
  builder.addSpan({
    lane: 0,
    kind: 'window',
    name: 'window',
    start: MS,
    end: 11 * MS,
    variant: 'ring',
    repeat: 0,
  })
  // Recorded when they end: out of the order in which they began.
  const early = call(1, 'recv', 0, 1, 4)
  builder.addFlow(call(0, 'send', 0, 2, 4), early, 'collective')
  const sent = call(0, 'send', 1, 5, 8)
  builder.addFlow(call(1, 'recv', 1, 6, 8), sent, 'collective')
  // Nobody has taken it.
  call(1, 'send', 0, 9, 10)
  const excerpt = cutExcerpt(run.evidence().placed, ['ring'], { steps: 1, isSteady: false })
  const [strip] = excerpt?.strips ?? []

  it('go from the call of send to the end of the recv that took it, by their number', () => {
    expect(
      strip?.messages.map(({ from, to, bytes, sentNs, thereNs }) => [from, to, bytes, sentNs, thereNs]),
    ).toEqual([
      [0, 1, 64, MS, 3 * MS],
      [0, 1, 128, 4 * MS, 7 * MS],
    ])
    const [first] = strip?.messages ?? []
    expect(strip?.rows[first?.fromRow ?? -1]?.name).toContain('rank 0')
    expect(strip?.rows[first?.toRow ?? -1]?.name).toContain('rank 1')
  })

  it('are under way until they are there', () => {
    const at = (ms: number) => (strip ? momentOf(strip, ms * MS).messages.map(({ bytes }) => bytes) : [])
    expect([at(0.5), at(1), at(2.9), at(3), at(5)]).toEqual([[], [64], [64], [], [128]])
  })
})
