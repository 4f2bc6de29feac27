/**
 * Sizes, verdicts on made-up machines, and a run on the model: none is 'shown' where workers take
 * turns on one core.
 */
import { describe, expect, it } from 'vitest'
import type { ParamValues } from '../experiment'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { starvedByTheLoader as declared, makersOf } from './meta'
import { meanMakeMs, PATTERNS, wordsFor } from './sizes'
import { rules } from './verdict.md'
import { windowMs } from './prepare'

const { judged } = judging(declared, rules)

describe('its variants', () => {
  it('have one batch ahead among them where reserves are compared', () => {
    expect(declared.variants({ workers: ['0'], ahead: ['8'] })).toEqual([
      'at-hand',
      'workers-0',
      'ahead-1',
      'ahead-8',
    ])
    expect(declared.variants({ workers: ['0'] })).toEqual(['at-hand', 'workers-0'])
  })
})

describe('its sizes', () => {
  it('give a batch whose making takes the wanted time in the mean, within bounds', () => {
    const times = { decodeMs: 1, augmentMs: 0.5 }
    expect(meanMakeMs(PATTERNS.even, times)).toBeCloseTo(1 + 15 * 0.5, 9)
    expect(meanMakeMs(PATTERNS.uneven, times)).toBeCloseTo(1 + (60 * 0.5) / 16, 9)
    expect(wordsFor(4, 2 ** 18, 8)).toBe(2 ** 17)
    expect(wordsFor(1e6, 2 ** 18, 8)).toBe(2 ** 20)
    // A clock so coarse that nothing took any time.
    expect(wordsFor(4, 2 ** 18, 0)).toBe(2 ** 12)
    expect(wordsFor(4.01, 2 ** 18, 8) % 4).toBe(0)
  })

  it('count as many batches at a time as there are cores beside the loop', () => {
    const times = { computeMs: 2, makeMs: 8, roundTripMs: 1, cores: 4 }
    expect(windowMs('at-hand', 10, times)).toBe(21)
    expect(windowMs('workers-0', 10, times)).toBe(89)
    expect(windowMs('workers-2', 10, times)).toBe(49)
    expect(windowMs('workers-8', 10, times)).toBeCloseTo(9 + (10 * 8) / 3, 9)
  })
})

interface Costs {
  readonly make: number
  readonly compute: number
  /** One batch in 16 takes so many times as long. */
  readonly lateFactor?: number
  /** Threads that make batches at a time. 1: the effect taken out. */
  readonly cores: number
  readonly isSoftware?: boolean
  /** Times as long that a worker takes for a batch in this window. */
  readonly drift?: (variant: string, repeat: number) => number
}
const STEPS = 32

/**
 * The end of a window of `variant`, and how long each batch took its maker, ms: two steps in
 * flight, batch i by worker i mod n.
 */
function windowOf(variant: string, { make, compute, lateFactor = 1, cores }: Costs) {
  const makers = makersOf(variant)
  const perWorker = Math.max(1, (makers?.workers ?? 0) / cores)
  const free = Array.from({ length: makers?.workers ?? 0 }, () => 0)
  const taken: number[] = []
  const ended: number[] = []
  const making: number[] = []
  let host = 0
  for (let step = 0; step < STEPS; step += 1) {
    const own = make * (step % 16 === 7 ? lateFactor : 1) * perWorker
    if (makers) making.push(own)
    if (makers?.workers === 0) host += own
    if (makers && makers.workers > 0) {
      const worker = step % makers.workers
      const begun = Math.max(free[worker] ?? 0, taken[step - makers.ahead] ?? 0)
      free[worker] = begun + own
      host = Math.max(host, begun + own)
      taken.push(host)
    }
    host = Math.max(host, ended[step - 2] ?? 0)
    ended.push(Math.max(host, ended[step - 1] ?? 0) + compute)
  }
  return { endMs: ended[STEPS - 1] ?? 0, making }
}

function ran(machine: Costs, params: ParamValues = {}) {
  const values = declared.valuesOf({ steps: STEPS, ...params })
  const run = new FakeRun()
  const lane = run.builder.addLane({ kind: 'host', name: 'host (loader)', clock: 0, group: 'host' })
  let at = 0
  for (const repeat of [0, 1, 2])
    for (const variant of declared.variants(values)) {
      const make = machine.make * (machine.drift?.(variant, repeat) ?? 1)
      const { endMs, making } = windowOf(variant, { ...machine, make })
      const length = endMs * (1 + 0.01 * repeat)
      run.window(variant, repeat, at, at + length)
      for (const ms of making) {
        const [start, end] = [at * 1e6, (at + ms) * 1e6]
        run.builder.addSpan({
          lane,
          kind: 'host-work',
          role: 'compute',
          name: 'make',
          start,
          end,
          variant,
          repeat,
        })
      }
      at += length + 1
    }
  const { cores, isSoftware = false } = machine
  return judged(
    run.evidence({
      params: values,
      derived: { steps: STEPS, hostCores: cores + 1, coresPerThread: (cores + 1) / 5, loaderFailed: 0 },
      isSoftware,
    }),
  )
}

describe('its verdict on a made-up machine', () => {
  const healthy: Costs = { make: 8, compute: 4, cores: 16 }

  it('is shown where each worker has a core, and as long as with one where all share one', () => {
    const { value, verdict, text } = ran(healthy)
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'workers-feed' })
    expect(value('speedup', 'workers-4')).toBeGreaterThan(1.8)
    expect(value('slowdown', 'workers-1')).toBeCloseTo(2, 0)
    expect(value('making-load', 'workers-4')).toBeCloseTo(2, 1)
    expect(text).toContain('The workers keep up')
  })

  it.each([
    ['no-cores', 'not-shown', { cores: 1 }, {}],
    ['no-cores', 'not-shown', { cores: 1, isSoftware: true }, {}],
    ['not-starved', 'inconclusive', { make: 3 }, {}],
    ['nothing-to-compare', 'inconclusive', {}, { workers: ['1'] }],
    ['nothing-to-compare', 'inconclusive', {}, { workers: ['0', '4'] }],
    ['reserve-delays', 'not-shown', {}, { workers: ['1'], ahead: ['8'] }],
    // However fast the worker is in a window: with eight ahead it is twice as fast, in every second
    // repeat, or in all.
    [
      'reserve-delays',
      'not-shown',
      {
        make: 16,
        drift: (variant: string, repeat: number) => (variant === 'ahead-8' && repeat % 2 === 0 ? 0.5 : 1),
      },
      { workers: ['1'], ahead: ['8'] },
    ],
    [
      'reserve-delays',
      'not-shown',
      { make: 16, drift: (variant: string) => (variant === 'ahead-8' ? 0.5 : 1) },
      { workers: ['1'], ahead: ['8'] },
    ],
    [
      'reserve-hides',
      'shown',
      { make: 1.2, lateFactor: 30 },
      { workers: ['1'], ahead: ['8'], batches: 'uneven' },
    ],
    ['reserve-idle', 'not-shown', { make: 2 }, { workers: ['1'], ahead: ['8'] }],
  ] as const)('is %s, %s', (reason, outcome, change: Partial<Costs>, params: ParamValues) => {
    const { verdict, text } = ran({ ...healthy, ...change }, params)
    expect(verdict).toMatchObject({ outcome, reason })
    expect(text).not.toMatch(/not measured|undefined|NaN|\{/)
  })

  it('does not say that a worker can’t keep up where it can', () => {
    expect(ran({ ...healthy, make: 3 }).text).not.toContain('can’t keep up')
    expect(ran(healthy).text).toContain('can’t keep up')
  })

  it('finds that workers which take turns took longer for each batch', () => {
    expect(ran({ ...healthy, cores: 1 }).text).toContain('Each worker got slower')
  })
})
