/**
 * Checks what ranks reads off runs with a known truth, and that it concludes nothing where the
 * effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import type { ParamValues } from '../experiment'
import type { Evidence } from '../run-types'
import { judging } from '../testing/explained-by'
import { fakeMetrics, FakeRun } from '../testing/fake-evidence'
import {
  ranks as declared,
  BOTH_SEND,
  EXCHANGING,
  FOUR,
  HANGING,
  hangKey,
  ITEM_DECIDES,
  ONE,
  ONE_READS,
  ranksOf,
  TWO,
  waitsKey,
} from './meta'
import { rules } from './verdict.md'
import { fillValue } from '../../gpu/kernels/data/fill'
import { referenceEntry } from '../../gpu/kernels/matmul/reference'
import { SEED_A, SEED_B } from '../square-matmul'
import { ofProduct } from './prepare'

const { experiment: ranks, judged } = judging(declared, rules)
const ALL_MS = 40

interface Machine {
  /** So many ranks are so many times as fast. */
  readonly speedup: (size: number) => number
  readonly later: number
  readonly stamped: boolean
  readonly params: ParamValues
  readonly over: Partial<Evidence>
}
const SHARED_GPU: Machine = {
  speedup: (size) => (size === 1 ? 1 : 0.8),
  later: 1.6,
  stamped: true,
  params: {},
  over: {},
}
const DERIVED = { ranksStarted: 4, sharesMemory: 1, cores: 8, rankClockBoundUs: 5 }

function evidenceOf(machine: Partial<Machine> = {}): Evidence {
  const { speedup, later, stamped, params, over } = { ...SHARED_GPU, ...machine }
  const run = new FakeRun()
  for (const repeat of [0, 1, 2])
    for (const [index, variant] of ranks.variants(params).entries()) {
      const from = 1 + 20_000 * repeat + 3000 * index
      if (HANGING.includes(variant)) {
        // The second call closes the ring; both end when the wire is cut.
        run.host('collective', 'any name', variant, repeat, from + 1, from + 1300, 'send')
        run.host('collective', 'any name', variant, repeat, from + 51, from + 1301, 'send')
        run.window(variant, repeat, from, from + 1301)
        continue
      }
      if (EXCHANGING.includes(variant)) {
        run.window(variant, repeat, from, from + ALL_MS * (variant === ONE_READS ? later : 1))
        continue
      }
      const size = ranksOf(variant)
      const allMs = ALL_MS / speedup(size)
      if (stamped) run.pass(variant, repeat, 0, from + 1, from + allMs - 6, 'any name', 1)
      if (size > 1) run.host('collective', 'any name', variant, repeat, from + 5, from + 9, 'recv')
      run.window(variant, repeat, from, from + allMs)
    }
  return run.evidence({
    params: ranks.valuesOf(params),
    derived: DERIVED,
    ...(stamped ? {} : { deviceStepNs: null }),
    ...over,
  })
}
const run = (machine: Partial<Machine> = {}) => judged(evidenceOf(machine))

const HUNG = {
  params: { also: BOTH_SEND },
  over: {
    derived: {
      ...DERIVED,
      [waitsKey(BOTH_SEND)]: '0 send 1, 1 send 0',
      [hangKey(BOTH_SEND)]: 'The ranks 0, 1 wait for each other: so and so.',
    },
  },
} as const

describe('its metrics', () => {
  it.each([
    ['speedup', TWO, 0.8],
    ['speedup', FOUR, 0.8],
    ['all-ms', ONE, ALL_MS],
    ['all-ms', TWO, ALL_MS / 0.8],
    ['rows-ms', ONE, ALL_MS - 7],
    ['gather-ms', TWO, 4],
  ])('%s of %s is read off the trace, by role and not by name', (name, variant, value) =>
    expect(run().value(name, variant)).toBeCloseTo(value, 6),
  )

  it('have a window of ranks bounded by what is known of their clocks', () => {
    const wide = run({ over: { derived: { ...DERIVED, rankClockBoundUs: 2000 } } })
    const metric = findMetric(wide.metrics, 'all-ms', ONE)
    expect((metric?.high ?? 0) - (metric?.low ?? 0)).toBeGreaterThan(4)
  })

  it('count a hang from the call that closed the ring until the wire was cut', () => {
    const { metrics } = run(HUNG)
    expect(findMetric(metrics, 'found-ms', BOTH_SEND)?.value).toBeCloseTo(1250, 6)
    expect(run().metric('found-ms', BOTH_SEND)).toBeUndefined()
  })

  it('draw who waited for whom as it was found, and nothing where nothing was', () => {
    const evidence = evidenceOf(HUNG)
    const [figure, ...more] = ranks.figures(ranks.measure(evidence), evidence)
    expect(more).toEqual([])
    expect(figure).toMatchObject({
      kind: 'graph',
      nodes: [{ state: 'waits' }, { state: 'waits' }],
      edges: [
        { from: 0, to: 1, label: 'waits in send' },
        { from: 1, to: 0, label: 'waits in send' },
      ],
    })
    const left = evidenceOf({
      params: { also: ITEM_DECIDES },
      over: { derived: { ...DERIVED, [waitsKey(ITEM_DECIDES)]: '0 recv 1' } },
    })
    expect(ranks.figures([], left)[0]).toMatchObject({ nodes: [{ state: 'waits' }, { state: 'returned' }] })
    expect(ranks.figures([], evidenceOf())).toEqual([])
    const broken = evidenceOf({ over: { derived: { ...DERIVED, [waitsKey(BOTH_SEND)]: '' } } })
    expect(ranks.figures([], broken)[0]).toMatchObject({ edges: [] })
  })
})

describe('its verdict', () => {
  it('is shown where two ranks on one GPU gain nothing', () => {
    const { verdict, text } = run()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'one-gpu' })
    expect(verdict.text).toMatch(/^Two ranks took 1\.3 times as long as one\./)
    expect(text).not.toMatch(/hung|hang/)
  })

  it('is the same without timestamps, from the host’s clock', () =>
    expect(run({ stamped: false }).verdict).toMatchObject({ outcome: 'shown', reason: 'one-gpu' }))

  it('is not shown where a second rank gains', () => {
    const gains = { speedup: (size: number) => (size === 1 ? 1 : 1.5) }
    expect(run(gains).verdict).toMatchObject({ outcome: 'not-shown', reason: 'gained-something' })
  })

  it.each([
    ['too-close', { 'speedup two-ranks': [0.9, 1.15, 1.4] }, DERIVED],
    ['too-close', { 'speedup two-ranks': 1.2 }, DERIVED],
    ['nothing-to-compare', { 'speedup two-ranks': null }, DERIVED],
    ['no-ranks', {}, { ...DERIVED, ranksStarted: 0, noRanks: 'refused' }],
  ] as const)('%s is inconclusive', (reason, values, derived) => {
    const { verdict } = judged(evidenceOf({ over: { derived } }), fakeMetrics(values))
    expect(verdict).toMatchObject({ reason, outcome: 'inconclusive' })
    if (reason === 'no-ranks') expect(verdict.text).toContain('refused')
  })

  it('says which call is never answered', () => {
    const { text, verdict } = run(HUNG)
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'hang-found' })
    expect(verdict.text).toMatch(/^Each rank waits in send/)
    expect(text).not.toContain('One skipped call')
    expect(run({ params: { also: ITEM_DECIDES } }).text).toContain('One skipped call')
  })

  it('says that two ranks took no less where the intervals do not put them behind', () => {
    const even = fakeMetrics({
      'speedup two-ranks': [0.9, 0.99, 1.05],
      'all-ms two-ranks': 40,
      'all-ms one-rank': 40,
    })
    expect(judged(evidenceOf(), even).verdict.text).toMatch(/^Two ranks were no faster than one\./)
  })
})

describe('the gathered product', () => {
  const [N, TIMES] = [16, 3]
  const gathered = (size: number, times: number): Float32Array[] =>
    Array.from({ length: size }, (_, rank) =>
      Float32Array.from({ length: (N / size) * N }, (_own, at) => {
        const row = (rank * N) / size + Math.floor(at / N)
        const { value } = referenceEntry(
          row,
          at % N,
          N,
          (i, k) => fillValue(i * N + k, SEED_A),
          (k, j) => fillValue(k * N + j, SEED_B),
        )
        return times * value
      }),
    )

  it.each([1, 2, 4])('is right where %d ranks did each its rows, as often as asked', (size) => {
    const { checked, failed } = ofProduct(gathered(size, TIMES), N, TIMES, size)
    expect(checked).toBeGreaterThan(30)
    expect(failed).toBe(0)
  })

  it('is wrong where a rank left out a product, sent another’s rows, or nothing', () => {
    const right = gathered(2, TIMES)
    const [first = new Float32Array()] = right
    const [, less = new Float32Array()] = gathered(2, TIMES - 1)
    for (const wrong of [[first, less], right.toReversed(), [first, first], [first], [], undefined])
      expect(ofProduct(wrong, N, TIMES, 2).failed).toBeGreaterThan(0)
  })
})
