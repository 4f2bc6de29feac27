/**
 * Checks what streams-and-events reads off runs with a known truth, and that it concludes nothing
 * where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import type { ParamValues } from '../experiment'
import type { Evidence } from '../run-types'
import { judging } from '../testing/explained-by'
import { fakeMetrics, FakeRun } from '../testing/fake-evidence'
import {
  streamsAndEvents as declared,
  ANSWERS,
  CALL_NAMES,
  RACE,
  TWO_DEVICES,
  WAIT_ALL,
  WAIT_ONE,
} from './meta'
import { rules } from './verdict.md'

const { experiment: streamsAndEvents, judged } = judging(declared, rules)
const [COUNT, KERNEL_MS, READ_MS] = [8, 10, 0.1]

interface Machine {
  /** The host knows of an end so many ms after the window's begin. */
  readonly reported: (endedMs: number) => number
  readonly onTwo: number
  readonly stamped: boolean
  readonly params: ParamValues
  readonly over: Partial<Evidence>
}
/** Reported a millisecond after each end; two devices take a tenth longer. */
const GPU: Machine = {
  reported: (endedMs) => endedMs + 1,
  onTwo: 1.1,
  stamped: true,
  params: {},
  over: {},
}
/** A browser that polls only when all has ended. */
const TOGETHER = { reported: () => COUNT * KERNEL_MS + 1 }

function evidenceOf(machine: Partial<Machine> = {}): Evidence {
  const { reported, onTwo, stamped, params, over } = { ...GPU, ...machine }
  const run = new FakeRun()
  const variants = streamsAndEvents.variants(params)
  for (const repeat of [0, 1, 2])
    for (const [index, variant] of variants.entries()) {
      const from = 1 + 1000 * repeat + 200 * index
      if (variant === RACE) {
        for (const at of CALL_NAMES.keys())
          run.host('host-work', 'any name', variant, repeat, from + at, from + at + 0.1 * (at + 1), 'compute')
        run.window(variant, repeat, from, from + CALL_NAMES.length)
        continue
      }
      const kernelMs = KERNEL_MS * (variant === TWO_DEVICES ? onTwo : 1)
      let now = from
      for (let step = 0; step < COUNT; step += 1) {
        const [start, end] = [step * kernelMs, (step + 1) * kernelMs]
        if (stamped) run.pass(variant, repeat, step, from + start, from + end, 'any name', 1)
        const waitsFor = variant === WAIT_ALL ? COUNT * kernelMs : end
        now = Math.max(now, from + reported(waitsFor))
        run.host('host-work', 'any name', variant, repeat, now, now + READ_MS, 'read')
        now += READ_MS
      }
      run.window(variant, repeat, from, now)
    }
  return run.evidence({
    params: streamsAndEvents.valuesOf(params),
    derived: { roundTripMs: 3 },
    ...(stamped ? {} : { deviceStepNs: null }),
    ...over,
  })
}
const run = (machine: Partial<Machine> = {}) => judged(evidenceOf(machine))
const RACED = {
  params: { also: RACE },
  over: {
    derived: {
      roundTripMs: 3,
      ...Object.fromEntries(CALL_NAMES.map((call) => [`race ${call}`, 'exception'])),
      'race map-twice': 'rejected',
      'race submit-mapped': 'validation',
      'race map-queued': 'waited',
    },
  },
} as const

describe('its metrics', () => {
  const ALL_MS = COUNT * KERNEL_MS + 1 + COUNT * READ_MS
  it.each([
    ['first-result-ms', WAIT_ONE, KERNEL_MS + 1 + READ_MS],
    ['first-result-ms', WAIT_ALL, COUNT * KERNEL_MS + 1 + READ_MS],
    ['all-ms', WAIT_ALL, ALL_MS],
    ['first-share', WAIT_ALL, (COUNT * KERNEL_MS + 1 + READ_MS) / ALL_MS],
    ['kernel-ms', TWO_DEVICES, KERNEL_MS * 1.1],
  ])('%s of %s is read off the trace, by role and not by name', (name, variant, value) =>
    expect(run().value(name, variant)).toBeCloseTo(value, 6),
  )

  it('believe two devices whose clocks begin at different times, and neither where one spans too much', () => {
    const kernelMs = (endMs: number) => {
      const run = new FakeRun()
      run.window(TWO_DEVICES, 0, 0, 100).pass(TWO_DEVICES, 0, 0, 10, 20, 'any name', 1)
      run.onAnotherDevice(-5e4, () =>
        run.pass(TWO_DEVICES, 0, 1, 30, 40, 'any name', 1).pass(TWO_DEVICES, 0, 3, 50, endMs, 'any name', 1),
      )
      const evidence = run.evidence({ params: streamsAndEvents.valuesOf({}) })
      return findMetric(streamsAndEvents.measure(evidence), 'kernel-ms', TWO_DEVICES)?.value
    }
    expect(kernelMs(60)).toBeCloseTo(10, 6)
    expect(kernelMs(500)).toBeNull()
  })

  it('count what came of the calls that race, and how long each took', () => {
    const { metrics } = run(RACED)
    const value = (name: string, at: string) => findMetric(metrics, name, at)?.value
    expect([value('refused', RACE), value('waited', RACE), value('let-through', RACE)]).toEqual([8, 1, 0])
    expect(value('answer-ms', 'map-twice')).toBeCloseTo(0.2, 6)
    expect(value('answer-ms', 'map-queued')).toBeCloseTo(0.9, 6)
    expect(run().metric('answer-ms', 'map-queued')).toBeUndefined()
    expect(findMetric(metrics, 'first-share', RACE)).toBeUndefined()
  })

  it('draw a bar for each call that was tried, and none for a run without', () => {
    const evidence = evidenceOf(RACED)
    const [figure] = streamsAndEvents.figures(streamsAndEvents.measure(evidence), evidence)
    if (figure?.kind !== 'bars') throw new Error('no bars')
    expect(figure.bars).toHaveLength(CALL_NAMES.length)
    expect(figure.parts.map(({ id }) => id)).toEqual(ANSWERS.slice(0, 4))
    expect(figure.bars.at(-1)?.parts['waited']?.value).toBeCloseTo(0.9, 6)
    expect(streamsAndEvents.figures(streamsAndEvents.measure(evidenceOf()), evidenceOf())).toEqual([])
  })
})

describe('its verdict', () => {
  it('is shown where the end of the first is reported while later ones run', () => {
    const { verdict, text } = run()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'first-read-early' })
    expect(verdict.text).toMatch(/The first result was read after 11[.\d]* ms .* 81[.\d]* ms/)
    expect(verdict.text).toMatch(/^Two devices took 8[.\d]* ms, and one/)
    expect(text).not.toMatch(/processor|exception/)
  })

  it('is not shown where ends are reported together, and says whether the products were too short', () => {
    const long = run(TOGETHER)
    expect(long.verdict).toMatchObject({ outcome: 'not-shown', reason: 'reported-together' })
    expect(long.text).toContain('the browser held the reports back')
    const short = run({ ...TOGETHER, over: { derived: { roundTripMs: 100 } } })
    expect(short.verdict.text).toContain('Choose longer matmuls')
    expect(short.text).toContain('end between two polls')
    expect(run({ ...TOGETHER, stamped: false }).text).toContain('Without timestamps we can’t tell')
  })

  it.each([
    ['partly', 'inconclusive', { 'first-share wait-all': 1, 'first-share wait-one': [0.1, 0.3, 0.9] }],
    ['partly', 'inconclusive', { 'first-share wait-all': 1, 'first-share wait-one': 0.6 }],
    ['partly', 'inconclusive', { 'first-share wait-all': [0.2, 0.3, 0.4], 'first-share wait-one': 0.3 }],
    ['nothing-to-compare', 'inconclusive', { 'first-share wait-all': 1, 'first-share wait-one': null }],
  ] as const)('%s is %s', (reason, outcome, values) =>
    expect(judged(evidenceOf(), fakeMetrics(values)).verdict).toMatchObject({ reason, outcome }),
  )

  it('says what two devices took, and that they share the cores of a processor', () => {
    expect(run({ onTwo: 2 }).text).toContain('Two queues still feed one GPU')
    expect(run({ over: { isSoftware: true } }).text).toContain('Both devices are the same processor here')
  })
})
