/** Every branch of both checks of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { Evidence, ProgramRun } from '../../../exercises/types'
import { rules } from './checks'
import { shapesIn } from './rates'
import { flopsOf, largestOf, RUNS, sampledEntries, shapesOf, type Benchmark } from './shapes'

const shapesOfRun = ({ facts }: ProgramRun) => shapesIn(facts as Benchmark['facts']) // as factsOf() makes them

const NAME = 'benchmark'
const SIZES = [32, 64, 96]
const SEED = 4711

const factsOf = (run: number) => {
  const shapes = shapesOf(SIZES, run, SEED)
  return {
    ms: shapes.map(({ m }) => m),
    ns: shapes.map(({ n }) => n),
    ks: shapes.map(({ k }) => k),
    seedsA: [1, 2, 3],
    seedsB: [4, 5, 6],
  }
}

/** The rate of shape i, GFLOP/s. */
const RATES = [10, 20, 40] as const

interface Made {
  /** What the program returned, of what was right. */
  readonly returned?: (rates: readonly number[], run: ProgramRun) => unknown
  readonly found?: (run: ProgramRun) => ProgramRun['found']
  readonly deviceClock?: 'sound' | 'contradicts itself' | 'none'
  readonly deviceClockStepNs?: number
}

/** A pass of one product and one of 20; the device's clock shows RATES. */
function runOf(repeat: number, { returned = (rates) => rates, found = () => ({}) }: Made): ProgramRun {
  const bare = programRun({ name: NAME, repeat, facts: factsOf(repeat + 1) })
  const shapes = shapesOfRun(bare)
  const passes = shapes.flatMap((shape) =>
    [1, 20].map((times) => ({ shape, times, ns: (times * flopsOf(shape)) / (RATES[shape.index] ?? 1) })),
  )
  const run = {
    ...bare,
    output: returned(RATES, bare),
    found: {
      c: shapes.flatMap((shape) => sampledEntries(shape).map(({ value }) => Math.fround(21 * value))),
      passShape: passes.map(({ shape }) => shape.index),
      passTimes: passes.map(({ times }) => times),
      passNs: passes.map(({ ns }) => ns),
      slopeMs: [],
      slopeBoundMs: [],
    },
  }
  return { ...run, found: { ...run.found, ...found(run) } }
}

function evidenceOf(made: Made): Evidence {
  const { deviceClock = 'sound', deviceClockStepNs } = made
  const trace = new HandMadeTrace(NAME)
  if (deviceClock !== 'none') trace.deviceClock(deviceClock === 'sound', deviceClockStepNs)
  const runs = [0, 1, 2].map((repeat) => runOf(repeat, made))
  return evidenceBeside(programReport(runs, { trace: trace.trace }), NAME)
}

function found(id: 'output' | 'work', made: Made = {}) {
  return said(rules, id, evidenceOf(made))
}

describe('shapes', () => {
  it('are fresh in every run, in an order of their own, and no rate of a thin one is near that of another run', () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 50; seed += 1) {
      const runs = Array.from({ length: RUNS }, (_, run) => shapesOf(SIZES, run, seed))
      for (const shapes of runs) orders.add(shapes.map(({ kind }) => kind).join())
      for (const kind of ['few-rows', 'few-columns'] as const) {
        const few = runs
          .map((shapes) => shapes.find((each) => each.kind === kind))
          .map((each) => (kind === 'few-rows' ? each?.m : each?.n) ?? 0)
          .toSorted((a, b) => a - b)
        expect(few).toHaveLength(RUNS)
        for (const [index, larger] of few.slice(1).entries())
          expect(larger / (few[index] ?? 0)).toBeGreaterThan(1 / 0.75)
      }
    }
    expect(orders.size).toBe(6)
    expect(shapesOf(SIZES, 1, 1)).not.toEqual(shapesOf(SIZES, 1, 2))
  })

  it('have whole sizes, and columns that vectors of four can read', () => {
    for (let seed = 0; seed < 50; seed += 1)
      for (const { kind, m, n, k } of Array.from({ length: RUNS }, (_, run) =>
        shapesOf([64, 64, 64], run, seed),
      ).flat()) {
        expect([m, n, k].every((size) => Number.isInteger(size) && size > 0)).toBe(true)
        expect([n % 4, k % 4]).toEqual([0, 0])
        const most = largestOf(kind, 64)
        expect(m <= most.m && n <= most.n && k <= most.k).toBe(true)
      }
  })
})

describe('output', () => {
  it('is right within a quarter of what the device took', () => {
    expect(found('output')).toEqual([
      'yes',
      'All 9 rates, in 3 runs with fresh shapes, are right within 25 %; the furthest is off by 0 %.',
    ])
    expect(found('output', { returned: (rates) => rates.map((rate) => 1.2 * rate) })).toEqual([
      'yes',
      'All 9 rates, in 3 runs with fresh shapes, are right within 25 %; the furthest is off by 20 %.',
    ])
  })

  it.each([
    [1000, '1,000 times too high'],
    [2.5, '2.5 times too high'],
    [1.3, '30 % too high'],
    [0.7, '30 % too low'],
    [0.25, '4 times too low'],
  ])('is not right at %d times', (factor, words) => {
    const [outcome, text] = found('output', { returned: (rates) => rates.with(1, 20 * factor) })
    expect(outcome).toBe('no')
    expect(text).toMatch(
      /^For \d+ × \d+ · \d+ × \d+ your program reports .* GFLOP\/s; the GPU’s clock shows 20 GFLOP\/s\./,
    )
    expect(text).toContain(`That is ${words}.`)
  })

  it.each([
    ['nothing', () => undefined],
    ['two rates', (rates: readonly number[]) => rates.slice(0, 2)],
  ])('is no list of rates where the program returned %s', (_, returned) => {
    expect(found('output', { returned })).toEqual([
      'no',
      'Your program must return a list of three rates, one for each shape.',
    ])
  })

  it.each([Number.NaN, Infinity, 0, -1, '20', null])('is no rate: %s', (wrong) => {
    const [outcome, text] = found('output', { returned: (rates) => [...rates.slice(0, 2), wrong] })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^For .* your program returned no rate in GFLOP\/s\.$/)
  })

  it('is nothing that was measured where no product was encoded', () => {
    const onlyThird = found('output', {
      found: ({ found: { passShape = [], passNs = [] } }) => ({
        passShape: Array.from(passShape as ArrayLike<number>, (shape) => (shape === 2 ? -1 : shape)),
        passNs,
      }),
    })
    expect(onlyThird[0]).toBe('no')
    expect(onlyThird[1]).toMatch(/encoded no product of that shape in this run\.$/)
  })

  it('allows for the step of a coarse clock', () => {
    // Two passes of 1 µs each, and rates half as high again.
    const coarse = {
      found: () => ({
        passShape: [0, 0, 1, 1, 2, 2],
        passTimes: [1, 1, 1, 1, 1, 1],
        passNs: Array<number>(6).fill(1000),
      }),
      returned: (_: readonly number[], run: ProgramRun) =>
        shapesOfRun(run).map((shape) => (1.5 * flopsOf(shape)) / 1000),
    }
    expect(found('output', coarse)[0]).toBe('no')
    expect(found('output', { ...coarse, deviceClockStepNs: 500 })[0]).toBe('yes')
  })

  it('is that of the passes that were timed, where another was held up', () => {
    const heldUp = {
      // The warm-up's single product took as long as ten.
      found: ({ found: { passNs = [] } }: ProgramRun) => ({
        passNs: Array.from(passNs as ArrayLike<number>, (ns, pass) => (pass % 2 === 0 ? 10 * ns : ns)),
      }),
    }
    expect(found('output', heldUp)[0]).toBe('yes')
    const twice = { ...heldUp, returned: (rates: readonly number[]) => rates.map((rate) => 2 * rate) }
    expect(found('output', twice)[0]).toBe('no')
  })

  describe('without a device clock', () => {
    const byHost =
      (bound: number) =>
      (run: ProgramRun): ProgramRun['found'] => {
        const slopeMs = shapesOfRun(run).map((shape) => flopsOf(shape) / (RATES[shape.index] ?? 1) / 1e6)
        return {
          passNs: Array<number>(6).fill(Number.NaN),
          slopeMs,
          slopeBoundMs: slopeMs.map((ms) => bound * ms),
        }
      }

    it('is judged by the slope that the lab measured, where its bounds allow', () => {
      const deviceClock = 'none'
      expect(found('output', { deviceClock, found: byHost(0.05) })[0]).toBe('yes')
      const twice = (rates: readonly number[]) => rates.map((rate) => 2 * rate)
      const [outcome, text] = found('output', { deviceClock, found: byHost(0.05), returned: twice })
      expect([outcome, text.includes('the lab measured')]).toEqual(['no', true])
    })

    const cannot = (count: number) => [
      'cannot-tell',
      `${String(count)} of 9 rates cannot be checked: this device’s clock cannot be read, and the host’s is too coarse for it.`,
    ]
    it.each([
      ['bounds that are too wide', { deviceClock: 'none', found: byHost(0.4) }],
      ['bounds that hold everything', { deviceClock: 'none', found: byHost(2) }],
      ['no slope', { deviceClock: 'none' }],
      ['a clock that contradicts itself', { deviceClock: 'contradicts itself' }],
    ] as const)('cannot be determined with %s', (_, made) => {
      expect(found('output', made)).toEqual(cannot(9))
    })

    it('cannot be determined by stamps that stand still', () => {
      expect(found('output', { found: () => ({ passNs: [0, 0, 0, 0, 0, 0] }) })).toEqual(cannot(9))
    })
  })
})

describe('work', () => {
  it('is counted in the product', () => {
    expect(found('work')).toEqual(['yes', 'In every run the GPU computed each shape, 21 times.'])
    const c =
      (count: (shape: number) => number) =>
      (run: ProgramRun): ProgramRun['found'] => ({
        c: shapesOfRun(run).flatMap((shape) =>
          sampledEntries(shape).map(({ value }) => Math.fround(count(shape.index) * value)),
        ),
      })
    expect(found('work', { found: c(() => 1) })[1]).toBe('In every run the GPU computed each shape, 1 time.')
    expect(found('work', { found: c((shape) => 2 + shape) })).toEqual([
      'yes',
      'In every run the GPU computed each shape, 2 to 4 times.',
    ])
    const [outcome, text] = found('work', { found: c((shape) => (shape === 1 ? 0 : 5)) })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^The GPU did not compute .* in run 1: a rate must be measured\.$/)
  })

  it.each([
    ['is no multiple of it', 1.5],
    ['is not a number', Number.NaN],
  ])('cannot be determined where the product %s', (_, factor) => {
    const [outcome, text] = found('work', {
      found: ({ found: { c = [] } }) => ({
        c: Array.from(c as ArrayLike<number>, (value) => (value * factor) / 21),
      }),
    })
    expect(outcome).toBe('cannot-tell')
    expect(text).toMatch(/^The result of .* does not show how often the GPU computed it\.$/)
  })
})

describe('its figure', () => {
  const worst = (made: Made) => rules.figure.of(evidenceOf(made).yours)

  it('is how far the worst rate is off', () => {
    expect(worst({})).toBeCloseTo(0, 9)
    expect(worst({ returned: ([a = 0, b = 0, c = 0]) => [a, 26 * b, c / 2] })).toBeCloseTo(25, 3)
    expect(worst({ returned: ([a = 0, b = 0, c = 0]) => [a, b, c / 2] })).toBeCloseTo(0.5, 3)
  })

  it('is none where one cannot be compared', () => {
    for (const made of [
      { deviceClock: 'none' },
      { returned: () => [1] },
      { returned: () => [1, Number.NaN, 1] },
    ] as const)
      expect(worst(made)).toBeNull()
  })
})
