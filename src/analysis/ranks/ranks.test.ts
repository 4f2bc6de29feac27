/**
 * Made-up ranks, of which all is known: any lateness, any clocks within reason, profiles that begin
 * and end apart.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeTrace } from '../../trace/place'
import { FLOW_KINDS, SPAN_KINDS, type Trace } from '../../trace/schema'
import { summariseDevices } from '../devices'
import { analyseRanks } from '.'
import { ALL_REDUCE, madeUpRanks, trueCollectives, type MadeUp } from './testing/made-up-ranks'

const RUNS = { numRuns: 40 }
/** Ends within a transfer are this even, µs: what a rank leaves earlier than the last. */
const UNEVEN_US = 3

/** Numbers from one seed, 0 to 1, by two keys. */
const spread = (seed: number) => (a: number, b: number) => {
  const x = Math.sin(seed * 12.9898 + a * 78.233 + b * 37.719) * 43_758.5453
  return x - Math.floor(x)
}

const clocks = fc.record({
  offsetUs: fc.array(fc.double({ min: -5e7, max: 5e7, noNaN: true }), { minLength: 4, maxLength: 4 }),
  driftPpm: fc.array(fc.double({ min: -300, max: 300, noNaN: true }), { minLength: 4, maxLength: 4 }),
})
const run = fc.record({
  ranks: fc.integer({ min: 2, max: 4 }),
  // No two alike: where all steps are, nothing in profiles that begin apart says which is which.
  stepsUs: fc
    .uniqueArray(fc.integer({ min: 20, max: 60 }), { minLength: 6, maxLength: 14 })
    .map((steps) => steps.map((each) => 100 * each)),
  transferUs: fc.integer({ min: 100, max: 800 }),
  collectives: fc.constantFrom(
    [ALL_REDUCE],
    [ALL_REDUCE, { operation: 'broadcast', elements: 2 ** 18 }],
    [
      { operation: '_allgather_base', elements: 2 ** 12 },
      { operation: '_reduce_scatter_base', elements: 2 ** 12 },
      ALL_REDUCE,
    ],
  ),
  seed: fc.integer({ min: 1, max: 1e6 }),
  firstStep: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
  clocks,
})
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never

const made = (
  { seed, clocks: { offsetUs, driftPpm }, firstStep, ...rest }: Run,
  more: Partial<MadeUp> = {},
): MadeUp => {
  const random = spread(seed)
  return {
    ...rest,
    ...(firstStep === undefined ? {} : { firstStep }),
    offsetUs: (rank) => offsetUs[rank] ?? 0,
    driftPpm: (rank) => driftPpm[rank] ?? 0,
    leavesUs: (rank, index) => UNEVEN_US * random(rank + 10, index),
    // Some µs, as on any balanced run: less than a step is worth.
    laterUs: (rank, step) => 8 * random(rank, step),
    ...more,
  }
}

describe('a rank that is late', () => {
  it('is named, with its steps and by how much, whatever the clocks read', async () => {
    await fc.assert(
      fc.asyncProperty(run, fc.nat(), fc.integer({ min: 0, max: 2 }), async (given, who, mode) => {
        const rank = who % given.ranks
        const random = spread(given.seed + 1)
        const base = made(given)
        // Always by as much, always by another amount, or in most steps only.
        const isLate = (step: number) => mode < 2 || step % 3 !== 1
        const byUs = (step: number) => (isLate(step) ? (mode === 1 ? 300 + 4000 * random(step, 0) : 1500) : 0)
        const laterUs = (each: number, step: number) =>
          base.laterUs(each, step) + (each === rank ? byUs(step) : 0)
        const all = { ...base, laterUs }
        const { late, alignment, ranks, problems } = analyseRanks(await madeUpRanks(all))
        expect(problems.filter(({ code }) => code !== 'far-apart')).toEqual([])
        expect(
          alignment.every(({ boundUs, use }) => use === 'reference' || (boundUs ?? 99) <= 4 * UNEVEN_US),
        ).toBe(true)
        const steps = given.stepsUs.map((_, step) => step).filter(isLate)
        expect(late).toMatchObject({ rank, cause: 'more-work' })
        const allUs = steps.reduce((sum, step) => sum + byUs(step), 0)
        expect(Math.abs((late?.totalUs ?? 0) - allUs)).toBeLessThan(
          (8 + 3 * UNEVEN_US) * steps.length + 0.001 * allUs,
        )
        // One collective a step, and no step marked: nothing says that it is one.
        if (given.firstStep === undefined && given.collectives.length === 1) return
        expect(late?.steps).toEqual(steps.map((step) => step + (given.firstStep ?? 0)))
        const sorted = steps.map(byUs).sort((a, b) => a - b)
        const [low, high] = [
          sorted[Math.floor((steps.length - 1) / 2)] ?? 0,
          sorted[Math.ceil((steps.length - 1) / 2)] ?? 0,
        ]
        expect(Math.abs((late?.medianUs ?? 0) - (low + high) / 2)).toBeLessThan(
          8 + 3 * UNEVEN_US + 0.001 * high,
        )
        // Each waited as long as it really did, to what the clocks leave open in each collective.
        const happened = trueCollectives(all)
        for (const { rank: each, waitedUs } of ranks) {
          const trueUs = happened.reduce(
            (sum, { startUs }) => sum + Math.max(...startUs) - (startUs[each] ?? 0),
            0,
          )
          expect(Math.abs((waitedUs ?? 0) - trueUs)).toBeLessThan(
            3 * UNEVEN_US * happened.length + 0.001 * trueUs,
          )
        }
      }),
      RUNS,
    )
  })

  it('is none where all are as late, or each in turn', async () => {
    await fc.assert(
      fc.asyncProperty(run, fc.boolean(), async (given, inTurn) => {
        const base = made(given)
        const laterUs = (rank: number, step: number) =>
          base.laterUs(rank, step) + (inTurn && step % given.ranks === rank ? 1000 : 0)
        // If two ranks take turns over an odd number of steps, one is the last in most, by one
        // step.
        const { late } = analyseRanks(await madeUpRanks({ ...base, laterUs }))
        expect(late).toBeNull()
      }),
      RUNS,
    )
  })

  it.each([20_000, 300])('is one after a single slow step of %i µs if that is much of all', async (us) => {
    const laterUs = (rank: number, step: number) => (rank === 1 && step === 0 ? us : 0)
    const { late } = analyseRanks(
      await madeUpRanks({
        ranks: 2,
        stepsUs: [3000, 3000, 3000, 3000],
        collectives: [ALL_REDUCE],
        transferUs: 200,
        laterUs,
        firstStep: 3,
      }),
    )
    if (us === 300) expect(late).toBeNull()
    else expect(late).toMatchObject({ rank: 1, steps: [3], totalUs: expect.closeTo(us, 0) as number })
  })
})

describe('profiles that begin and end apart', () => {
  it('are matched by what they have in common, and joined so that no rank leaves before all have come', async () => {
    const ends = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })), {
      minLength: 4,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(run, ends, async (given, cut) => {
        const all = made(given, { missing: (rank) => cut[rank] ?? [0, 0] })
        const { matches } = analyseRanks(await madeUpRanks(all))
        const happened = trueCollectives(all)
        const has = (rank: number, index: number) => {
          const [first, last] = cut[rank] ?? [0, 0]
          return index >= first && index < happened.length - last
        }
        const ranks = Array.from({ length: given.ranks }, (_, rank) => rank)
        const expected = happened.filter((_, index) => ranks.filter((rank) => has(rank, index)).length > 1)
        expect(matches).toHaveLength(expected.length)
        for (const { members, last, match } of matches) {
          const endsNs = members.map(({ endNs }) => endNs)
          // A line's fit misses an end by two uneven ends at most. Without a line, which must halve
          // that, by twice as much; and two ranks, each against the reference, by twice that.
          expect(Math.max(...endsNs) - Math.min(...endsNs)).toBeLessThan(8 * UNEVEN_US * 1e3)
          if (!match.isSynchronising) continue
          for (const { endNs } of members) expect(endNs).toBeGreaterThan(last.startNs)
        }
      }),
      RUNS,
    )
  })
})

describe('the joined trace', () => {
  const kindsOf = ({ spans }: Trace) => Array.from(spans.kind, (kind) => SPAN_KINDS[kind])

  it('has every rank’s lanes and spans, and devices that are as busy as in their own files', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (given) => {
        const inputs = await madeUpRanks(made(given))
        const { joined, ranks } = analyseRanks(inputs)
        if (!joined) throw new Error('nothing was joined')
        const counted = (kind: string) => kindsOf(joined).filter((each) => each === kind).length
        const spans = inputs.reduce((sum, { trace }) => sum + trace.spans.length, 0)
        expect(joined.spans.length - counted('collective-wait')).toBe(spans)
        const devices = summariseDevices(placeTrace(joined))
        expect(devices).toHaveLength(given.ranks)
        for (const { rank, busyRatio, workRatio, device } of ranks) {
          const own = devices.find(({ id }) => id === `rank ${String(rank)} · ${String(device)}`)
          expect(own?.name).toBe('Test Device')
          expect(own?.busyRatio).toBeCloseTo(busyRatio ?? -1, 6)
          expect(own?.workRatio).toBeCloseTo(workRatio ?? -1, 6)
          expect(own?.gaps.every(({ cause }) => cause !== 'unknown')).toBe(true)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('joins each collective from the rank that came last, and draws the others’ waiting in it', async () => {
    const made: MadeUp = {
      ranks: 3,
      stepsUs: [1000, 1000],
      collectives: [ALL_REDUCE],
      transferUs: 100,
      laterUs: (rank) => 400 * rank,
      offsetUs: (rank) => 777 * rank,
    }
    const { joined } = analyseRanks(await madeUpRanks(made))
    if (!joined) throw new Error('nothing was joined')
    const { spans, flows, lanes, strings, instants, collectives } = joined
    const laneOf = (span: number) => lanes[spans.lane[span] ?? -1]?.name
    const arrows = Array.from({ length: flows.length }, (_, row) => row)
      .filter((row) => FLOW_KINDS[flows.kind[row] ?? -1] === 'collective')
      .map((row) => [laneOf(flows.from[row] ?? -1), laneOf(flows.to[row] ?? -1)])
    const [zero, one, two] = [0, 1, 2].map((rank) => `rank ${String(rank)} · stream 7`)
    expect(arrows).toEqual([
      [two, zero],
      [two, one],
      [two, zero],
      [two, one],
    ])
    const waits = kindsOf(joined).flatMap((kind, span) =>
      kind === 'collective-wait'
        ? [
            [
              laneOf(span),
              strings[spans.name[span] ?? -1],
              Math.round(((spans.end[span] ?? 0) - (spans.start[span] ?? 0)) / 1e3),
              spans.source[span],
            ],
          ]
        : [],
    )
    expect(waits.slice(0, 2)).toEqual([
      [zero, 'waiting for rank 2', 800, 1],
      [one, 'waiting for rank 2', 400, 1],
    ])
    expect(Array.from(instants.name, (name) => strings[name])).toEqual(
      Array(2).fill('rank 2 is the last in allreduce, by 400 µs'),
    )
    expect([...collectives.match].sort()).toEqual([0, 0, 0, 1, 1, 1])
    expect(Array.from(collectives.waitNs, (ns) => Math.round(ns / 1e3)).sort((a, b) => a - b)).toEqual([
      0, 0, 400, 400, 800, 800,
    ])
    expect(joined.info.derived).toMatchObject({ ranks: '0, 1, 2', 'rank 1 · device 0': 'Test Device' })
    expect(joined.info.derived['clock of rank 2']).toContain('Moved')
  })

  it('keeps what belongs to a call together, and ranks apart', async () => {
    const { joined } = analyseRanks(
      await madeUpRanks({
        ranks: 2,
        stepsUs: [500, 500],
        collectives: [ALL_REDUCE],
        transferUs: 50,
        laterUs: () => 0,
      }),
    )
    if (!joined) throw new Error('nothing was joined')
    const { spans, lanes } = joined
    const byCall = new Map<number, string[]>()
    for (const [span, submission] of spans.submission.entries())
      if (submission >= 0)
        byCall.set(submission, [
          ...(byCall.get(submission) ?? []),
          lanes[spans.lane[span] ?? -1]?.name.slice(0, 6) ?? '',
        ])
    expect(byCall.size).toBe(8)
    for (const names of byCall.values()) {
      expect(names).toHaveLength(2)
      expect(new Set(names).size).toBe(1)
    }
  })
})
