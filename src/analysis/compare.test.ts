import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { arbitraryTrace } from '../trace/testing/arbitrary-trace'
import { alignTwo, countedVariants, firstSubmit } from './align'
import { compareRuns, stepPair, type Comparison, type Side } from './compare'
import { differenceOf, type Difference } from './difference'
import { Scene } from './testing/scene'

const metric = (value: number | null, low: number | null, high: number | null, n = 5): Metric => ({
  name: 'step-ms',
  variant: 'v',
  unit: 'ms',
  origin: 'host-clock',
  value,
  low,
  high,
  n,
})

const size = fc.double({ min: 0, max: 1e6, noNaN: true })
/** A measured figure: with an interval round its value, without one, or missing. */
const arbitraryMetric: fc.Arbitrary<Metric> = fc
  .oneof({ weight: 6, arbitrary: fc.tuple(size, size, size, fc.nat({ max: 9 })) }, fc.constant(null))
  .map((given) => {
    if (!given) return metric(null, null, null, 0)
    const [x, y, z, n] = given
    const [low = 0, value = 0, high = 0] = [x, y, z].toSorted((a, b) => a - b)
    return n === 1 ? metric(value, null, null, 1) : metric(value, low, high, n)
  })

const allDifferences = ({ metrics, kinds }: Comparison): readonly Difference[] => [
  ...metrics,
  ...kinds.map(({ difference }) => difference),
]
const opposite = {
  more: 'less',
  less: 'more',
  same: 'same',
  undecided: 'undecided',
  unknown: 'unknown',
} as const
/** -0 is 0. */
const negated = (value: number | null) => (value === null ? null : 0 - value)

describe('the difference of two figures', () => {
  it('of a figure with itself is 0, holds 0, and is no verdict', () => {
    fc.assert(
      fc.property(arbitraryMetric, (one) => {
        const { change, verdict } = differenceOf(one, one)
        if (one.value === null) expect(change).toBeNull()
        else expect(change?.value).toBe(0)
        if (change?.low != null) expect(change.low).toBeLessThanOrEqual(0)
        if (change?.high != null) expect(change.high).toBeGreaterThanOrEqual(0)
        expect(['more', 'less']).not.toContain(verdict)
      }),
    )
  })

  it('is negated when the two are swapped', () => {
    fc.assert(
      fc.property(arbitraryMetric, arbitraryMetric, (one, other) => {
        const [forth, back] = [differenceOf(one, other), differenceOf(other, one)]
        expect(back.verdict).toBe(opposite[forth.verdict])
        expect(back.change?.value ?? null).toEqual(negated(forth.change?.value ?? null))
        expect(back.change?.low ?? null).toEqual(negated(forth.change?.high ?? null))
        expect(back.change?.high ?? null).toEqual(negated(forth.change?.low ?? null))
      }),
    )
  })

  it('holds every difference, and every ratio, that the two intervals allow', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(arbitraryMetric, arbitraryMetric, share, share, (one, other, x, y) => {
        const { change, ratio } = differenceOf(one, other)
        if (one.low === null || one.high === null || other.low === null || other.high === null) return
        const a = one.low + x * (one.high - one.low)
        const b = other.low + y * (other.high - other.low)
        const slack = 1e-9 * (1 + Math.abs(a) + Math.abs(b))
        expect(b - a).toBeGreaterThanOrEqual((change?.low ?? NaN) - slack)
        expect(b - a).toBeLessThanOrEqual((change?.high ?? NaN) + slack)
        if (ratio?.low != null && a > 0) expect(b / a).toBeGreaterThanOrEqual(ratio.low * (1 - 1e-9))
        if (ratio?.high != null && a > 0) expect(b / a).toBeLessThanOrEqual(ratio.high * (1 + 1e-9))
      }),
    )
  })

  it('is a verdict only where the intervals are apart', () => {
    expect(differenceOf(metric(1, 0.9, 1.1), metric(2, 1.8, 2.2))).toMatchObject({ verdict: 'more', why: '' })
    expect(differenceOf(metric(2, 1.8, 2.2), metric(1, 0.9, 1.1)).verdict).toBe('less')
    expect(differenceOf(metric(1, 0.9, 1.1), metric(1.1, 1.1, 1.2)).verdict).toBe('undecided')
  })

  it('is no verdict without repeats, intervals or a common unit, and says why', () => {
    const far = metric(9, 8.9, 9.1)
    expect(differenceOf(metric(1, 1, 1, 2), far)).toMatchObject({
      verdict: 'unknown',
      why: '2 counted repeats are too few',
    })
    expect(differenceOf(metric(1, null, null), far).why).toBe('one of the two has no interval')
    expect(differenceOf({ ...metric(null, null, null), note: 'no clock' }, far).why).toBe(
      'not measured in A: no clock',
    )
    expect(differenceOf({ ...far, unit: 'us' }, far).verdict).toBe('unknown')
  })

  it('of sizes that follow from the settings needs no repeats', () => {
    const exact = (value: number): Metric => ({ ...metric(value, value, value, 1), origin: 'derived' })
    expect(differenceOf(exact(4), exact(4)).verdict).toBe('same')
    expect(differenceOf(exact(4), exact(8))).toMatchObject({ verdict: 'more', ratio: { value: 2 } })
  })
})

describe('any two traces', () => {
  const side = (trace: Parameters<typeof placeTrace>[0]): Side => ({
    placed: placeTrace(trace),
    report: null,
    variant: 'never',
  })

  it('a run against itself: nothing differs, every step meets itself', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const one = side(trace)
        const found = compareRuns(one, one)
        for (const { change, verdict } of allDifferences(found)) {
          if (change) expect(change.value).toBe(0)
          expect(['more', 'less']).not.toContain(verdict)
        }
        for (const [inA, inB] of found.steps.inB) expect(inB).toBe(inA)
        expect([found.steps.onlyA, found.steps.onlyB, found.unlike]).toEqual([0, 0, []])
      }),
    )
  })

  it('swapped: every difference is negated, every match turned round', () => {
    fc.assert(
      fc.property(arbitraryTrace, arbitraryTrace, (a, b) => {
        const [forth, back] = [compareRuns(side(a), side(b)), compareRuns(side(b), side(a))]
        const [one, other] = [allDifferences(forth), allDifferences(back)]
        expect(other.map(({ change }) => change?.value ?? null)).toEqual(
          one.map(({ change }) => negated(change?.value ?? null)),
        )
        expect(new Map(back.steps.inA)).toEqual(new Map(forth.steps.inB))
        expect([back.steps.onlyA, back.steps.onlyB]).toEqual([forth.steps.onlyB, forth.steps.onlyA])
      }),
    )
  })

  it('aligned: both begin at 0, on one axis, and every length is what it was', () => {
    fc.assert(
      fc.property(arbitraryTrace, arbitraryTrace, (one, other) => {
        const [a, b] = [placeTrace(one), placeTrace(other)]
        const [zeroA, zeroB] = [firstSubmit(a, 'never').timeNs, firstSubmit(b, 'never').timeNs]
        const [movedA, movedB] = alignTwo(a, b, zeroA, zeroB)
        expect([movedA.startOfAllNs, movedA.endOfAllNs]).toEqual([movedB.startOfAllNs, movedB.endOfAllNs])
        for (const [before, after, zero] of [
          [a, movedA, zeroA],
          [b, movedB, zeroB],
        ] as const) {
          for (const [span, start] of before.startNs.entries())
            if (!Number.isNaN(start)) expect(after.startNs[span]).toBe(start - zero)
          for (const [at, time] of before.trace.instants.time.entries()) {
            const onDevice = before.trace.lanes[before.trace.instants.lane[at] ?? -1]?.kind === 'device'
            expect(after.trace.instants.time[at]).toBe(onDevice ? time : time - zero)
          }
          for (const lane of after.lanes) {
            expect([...lane.startNs]).toEqual([...lane.startNs].toSorted((x, y) => x - y))
            if (lane.length === 0) continue
            expect(lane.startNs[0]).toBeGreaterThanOrEqual(after.startOfAllNs)
            expect(lane.maxEndNs[lane.length - 1]).toBeLessThanOrEqual(after.endOfAllNs)
          }
        }
      }),
    )
  })
})

/** Five repeats of `count` steps: 1 ms encode, submit, a pass of `passMs`, and a wait for it where `waits`. */
function scene(passMs: number, waits: boolean, count = 3): Side {
  const made = new Scene()
  let now = 1000
  let submission = 0
  for (const repeat of [-2, 0, 1, 2, 3, 4]) {
    const begin = now
    for (let step = 0; step < count; step += 1) {
      made.tag = { variant: 'v', repeat, step }
      made.onHost('encode', 'encode', now, now + 1)
      made.submit((submission += 1), now + 1, now + 1.05)
      made.pass(submission, now + 1.2, now + 1.2 + passMs)
      if (waits) made.onHost('host-wait', 'await readback', now + 1.05, now + 1.3 + passMs)
      now += 1.3 + passMs
    }
    made.builder.addSpan({
      lane: made.host,
      kind: 'window',
      name: 'window',
      start: begin * 1e6,
      end: now * 1e6,
      variant: 'v',
      repeat,
    })
    now += 7
  }
  return { placed: made.place(), report: null, variant: 'v' }
}

describe('a scene with known answers', () => {
  const found = compareRuns(scene(2, true), scene(4, true))

  it('is aligned at the first counted submit, not at that of the warm-up', () => {
    expect(found.zeroA.what).toBe('first counted submit')
    expect(found.zeroA.timeNs).toBeCloseTo((1000 + 3 * 3.3 + 7 + 1) * 1e6, 3)
    // The longer of the two first repeats, from its own first submit on.
    expect(found.opening.end).toBeCloseTo(1.04 * (3 * 5.3 - 1) * 1e6, 0)
    expect(firstSubmit(scene(2, true).placed, 'no such variant').what).toBe('first submit')
  })

  it('matches steps: warm-up left out, more steps on one side counted as such', () => {
    expect(found.steps.inB.size).toBe(5 * 3 * 4)
    expect(found.kinds.find(({ kind }) => kind === 'compute')?.difference).toMatchObject({ verdict: 'more' })
    expect(found.kinds.find(({ kind }) => kind === 'encode')?.difference.verdict).toBe('undecided')
    const [spanA, spanB] = [...found.steps.inB].find(([span]) => found.a.trace.spans.lane[span] === 2) ?? [
      -1, -1,
    ]
    const pair = stepPair(found, spanA, spanB)
    expect(pair.changeNs).toBeCloseTo(2e6, 0)
    expect(pair.boundNs).toBe(2)
    const longer = compareRuns(scene(2, true), scene(2, false, 4))
    expect([longer.steps.onlyA, longer.steps.onlyB]).toEqual([5 * 3, 5 * 3])
    expect(longer.steps.inB.size).toBe(5 * 3 * 3)
  })
})

describe('recordings', () => {
  const open = async (id: string, variant: string): Promise<Side> => {
    const read = await decodeRun(await readFile(`public/recordings/${id}.hdl.gz`))
    if (!read.ok) throw new Error(read.error.message)
    return { placed: placeTrace(read.value.trace), report: read.value.report, variant }
  }

  it('two variants of one run: the stalled one keeps the host waiting and the device idle', async () => {
    const stalled = await open('sync-stalls', 'every-step')
    const never: Side = { ...stalled, variant: 'never' }
    expect(countedVariants(stalled.placed)).toEqual(
      expect.arrayContaining(['never', 'every-4', 'every-step']),
    )
    const found = compareRuns(never, stalled)
    const ratio = found.metrics.find(({ name }) => name === 'device-busy-ratio')
    expect(ratio?.verdict).toBe('less')
    expect(found.metrics.every(({ a }) => a.variant === 'never')).toBe(true)
    expect(found.unlike).toEqual([])
  })

  it('of two experiments say what they do not have in common, the weightiest first', async () => {
    const found = compareRuns(
      await open('async-submission', 'queued'),
      await open('worth-it', 'round-trip-32'),
    )
    expect(found.unlike[0]).toMatchObject({ what: 'experiment', weight: 'settings' })
  })
})
