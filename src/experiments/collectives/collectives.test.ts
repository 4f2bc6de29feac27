/**
 * Checks what collectives reads off runs with a known truth, what it concludes, and that it does
 * not where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import type { ParamValues } from '../experiment'
import type { Evidence } from '../run-types'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { timeMs, type Wire } from '../declare/line'
import { costOf } from './curves'
import { collectives as declared } from './meta'
import { planCollectives, repeatsOf, wireOf } from './plan'
import { ALGORITHMS, KIB, PAIR, collectiveOf, RING, variantOf, type Collective } from './variants'
import { rules } from './verdict.md'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { median } from '../../base/stats'

const { experiment: collectives, judged } = judging(declared, rules)
const WIRE: Wire<number> = { alphaUs: 50, gbPerS: 2 }
/** The wire's α times B is 97.7 KiB. */
const ALPHA_B_KIB = (WIRE.alphaUs * WIRE.gbPerS * 1e3) / KIB
const TRIPS = 4

interface Machine {
  readonly wire: Wire<number>
  readonly noise: readonly number[]
  /** The time in ms that replaces the model's. */
  readonly instead: (variant: Collective, ms: number, repeat: number) => number
  readonly params: ParamValues
  readonly derived: Evidence['derived']
}

/** A run whose windows take just as long as the model says. */
function evidenceOf(machine: Partial<Machine> = {}): Evidence {
  const { wire, noise, instead, params, derived }: Machine = {
    wire: WIRE,
    noise: [0, 0.01, 0.02],
    instead: (_, ms) => ms,
    params: {},
    derived: {},
    ...machine,
  }
  const values = collectives.valuesOf(params)
  const run = new FakeRun()
  let now = 1
  noise.forEach((extra, repeat) => {
    for (const name of collectives.variants(values)) {
      const variant = collectiveOf(name)
      if (!variant) throw new Error(name)
      const { program, ranks, kib } = variant
      const bytes = kib * KIB
      const model =
        program === PAIR
          ? 2 * TRIPS * timeMs({ messages: 1, share: 1 }, bytes, wire)
          : timeMs(costOf(values.operation, program, ranks), bytes, wire)
      const took = instead(variant, model, repeat) * (1 + extra)
      run.window(name, repeat, now, now + took)
      now += took + 1
    }
  })
  const trips = values.sizes.map((kib) => `${kib}=${String(TRIPS)}`).join(' ')
  return run.evidence({
    params: values,
    hostStepNs: 100,
    derived: {
      ranks: values.ranks,
      cores: 16,
      ranksPerCore: values.ranks / 16,
      sharesMemory: 1,
      rankClockBoundUs: 0.1,
      trips,
      ...derived,
    },
  })
}
const ran = (machine?: Partial<Machine>) => judged(evidenceOf(machine))

describe('its metrics', () => {
  it('hold α and B of the messages, and the crossing that follows, measured and by the model', () => {
    const { value } = ran({ noise: [0, 0, 0] })
    expect(value('alpha-us')).toBeCloseTo(50, 3)
    expect(value('gb-per-s')).toBeCloseTo(2, 5)
    const crossing = (ALPHA_B_KIB * 8) / 9
    expect(value('predicted-kib')).toBeCloseTo(crossing, 2)
    // Between two sizes that were run it is read off straight lines, which curves are not quite.
    expect((value('crossover-kib') ?? 0) / crossing).toBeGreaterThan(0.75)
    expect((value('crossover-kib') ?? 0) / crossing).toBeLessThan(1.3)
  })
})

describe('its verdict', () => {
  it('is shown where naive leads below a size and the ring above it', () => {
    const { verdict, text } = ran()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'crossing-found' })
    expect(verdict.text).toMatch(
      /^The ring is faster from about \d+ KiB on\. Through rank 0 an all-reduce of 1 KiB on 4 ranks took/,
    )
    expect(text).toMatch(/α = ⟨alpha-us/)
    expect(text).toContain('The ranks are workers that share memory')
  })

  it('says so where ranks share cores, and where no memory is shared', () => {
    expect(ran({ derived: { cores: 2, ranksPerCore: 2 } }).text).toContain('ranks share 2 logical cores')
    expect(ran({ derived: { sharesMemory: 0 } }).text).toContain('The page is missing two headers')
  })

  it('names no α where the messages lie on no line, and still the crossing', () => {
    const { verdict, text } = ran({
      instead: ({ program, kib }, ms) => (program === PAIR && kib === 64 ? 0.05 * ms : ms),
    })
    expect(verdict.reason).toBe('crossing-found')
    expect(text).toContain('The model of this run has no crossing')
  })

  it.each([
    ['even-when-small', 'not-shown', { params: { ranks: 2 } }],
    ['ring-always', 'not-shown', { instead: ({ program }, ms) => (program === RING ? 0.01 * ms : ms) }],
    ['ring-never', 'not-shown', { params: { operation: 'gather' } }],
    ['ring-never', 'not-shown', { instead: ({ program }, ms) => (program === RING ? 100 * ms : ms) }],
    // The effect is taken out: all take the same time, whatever the algorithm.
    ['too-noisy', 'inconclusive', { instead: () => 1, noise: [0, 0.3, 0.05] }],
    // In one repeat something else keeps the cores busy.
    [
      'too-noisy',
      'inconclusive',
      { instead: ({ program }, ms, repeat) => (program === RING && repeat === 1 ? 90 * ms : ms) },
    ],
    ['nothing-to-compare', 'inconclusive', { params: { sizes: ['64'] } }],
    ['no-ranks', 'inconclusive', { derived: { noWorld: 1, whyNoWorld: 'refused' } }],
  ] as const satisfies readonly (readonly [string, string, Partial<Machine>])[])(
    '%s is %s',
    (reason, outcome, machine) => {
      const { verdict, text } = ran(machine)
      expect(verdict).toMatchObject({ outcome, reason })
      expect(text).not.toMatch(/undefined|NaN|\[object/)
      if (reason === 'no-ranks') expect(verdict.text).toContain('refused')
      // A crossing that was not found is never said to be there.
      expect(text).not.toContain('The curves cross at ⟨crossover')
    },
  )
})

describe('the plan', () => {
  const asked = {
    operation: 'all-reduce',
    kib: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536],
    ranks: 8,
    repeats: 7,
  } as const
  const variants = asked.kib.flatMap((kib) =>
    ([PAIR, ...ALGORITHMS] as const).map((program) => variantOf(program, asked.ranks, kib)),
  )
  const plan = (seconds: number, crowd = 1) =>
    planCollectives({ ...asked, variants, seconds }, wireOf([0.02, 0.4]), crowd, 5e3)

  it('is what was asked for where there is time, small messages many times in a window', () => {
    expect(plan(600)).toMatchObject({ sizes: asked.kib, repeats: 7 })
    // 25 there and back of 0.02 ms each are 1 ms: 200 steps of 5 µs.
    expect(plan(600).trips.get(1)).toBe(25)
    expect(plan(600).trips.get(65_536)).toBe(1)
  })

  it('repeats short windows more often, and the messages of a line all alike', () => {
    const of = (name: string) => repeatsOf(collectiveOf(name) ?? expect.fail(), 7)
    expect(['ring-8x1024', 'ring-8x4096', 'pair-2x1'].map(of)).toEqual([13, 7, 7])
  })

  it('leaves out the largest where there is not, or where ranks take turns, and four sizes in any case', () => {
    const short = plan(3)
    expect(short.sizes.length).toBeLessThan(asked.kib.length)
    expect(short.sizes).not.toContain(65_536)
    expect(plan(3, 4).sizes.length).toBeLessThanOrEqual(short.sizes.length)
    expect(plan(0.01).sizes).toEqual([1, 4, 16, 64])
    expect(plan(0.01).repeats).toBe(2)
  })

  it('believes no trial that took nothing', () =>
    expect(wireOf([0, 0])).toEqual({ alphaUs: 1, gbPerS: expect.closeTo(1047.6, 0) as number }))
})

/** They are worked out anew from the profiles that they are of. */
describe('the points of four GPUs', () => {
  const FOLDER = 'public/recordings/'
  const BYTES_OF_A_FLOAT = 4
  /**
   * Names of an operation in PyTorch's profiler and in torch.distributed, and the factor by which
   * nccl-tests multiplies bytes over time on n ranks.
   */
  const OPERATIONS: readonly (readonly [string, string, (n: number) => number])[] = [
    ['allreduce', 'all_reduce', (n) => (2 * (n - 1)) / n],
    ['broadcast', 'broadcast', () => 1],
  ]

  interface Recorded {
    readonly ranks: number
    readonly from: readonly string[]
    readonly points: readonly {
      readonly operation: string
      readonly bytes: number
      readonly deviceMs: { readonly median: number; readonly low: number; readonly high: number }
      readonly busGBs: number
    }[]
  }
  interface Kernel {
    readonly cat?: string
    readonly ts: number
    readonly dur: number
    readonly args?: Readonly<Record<string, unknown>>
  }

  it('are what the profiles of two of the four ranks hold', () => {
    const { ranks, from, points } = JSON.parse(
      readFileSync(`${FOLDER}torch-nccl-four.json`, 'utf8'),
    ) as Recorded
    const profiles = from.map((file) => {
      const text = gunzipSync(readFileSync(`${FOLDER}${file}`)).toString()
      return (JSON.parse(text) as { readonly traceEvents: readonly Kernel[] }).traceEvents
    })
    expect(profiles).toHaveLength(2)
    expect(points.map(({ operation }) => operation)).toEqual(OPERATIONS.map(([, operation]) => operation))
    for (const [index, [name, operation, factor]] of OPERATIONS.entries()) {
      const kernels = profiles.map((events) =>
        events
          .filter(({ cat, args }) => cat === 'kernel' && args?.['Collective name'] === name)
          .toSorted((a, b) => a.ts - b.ts),
      )
      for (const { args } of kernels.flat()) {
        expect(args?.['Group size'], operation).toBe(ranks)
        expect(Number(args?.['In msg nelems']) * BYTES_OF_A_FLOAT).toBe(points[index]?.bytes)
      }
      // A rank that came early waits in its kernel: the other one's time is the collective's.
      const [one = [], other = []] = kernels
      const ms = one.map(({ dur }, at) => Math.min(dur, other[at]?.dur ?? Number.NaN) / 1e3)
      expect(ms).toHaveLength(4)
      const point = points[index]
      expect(point?.deviceMs.median).toBeCloseTo(median(ms), 9)
      expect(point?.deviceMs.low).toBeCloseTo(Math.min(...ms), 9)
      expect(point?.deviceMs.high).toBeCloseTo(Math.max(...ms), 9)
      const busGBs = ((point?.bytes ?? 0) / (median(ms) * 1e6)) * factor(ranks)
      expect(point?.busGBs).toBeCloseTo(busGBs, 6)
    }
  })
})
