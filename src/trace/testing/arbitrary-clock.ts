/**
 * A device with a known true clock, probed with random latencies: the ground truth for fit and
 * placement tests.
 */
import fc from 'fast-check'
import type { ClockSnapshot } from '../schema'

export interface TrueClock {
  readonly offsetNs: number
  readonly skew: number
}

export interface ProbedClock {
  readonly truth: TrueClock
  readonly hostStepNs: number
  readonly deviceStepNs: number
  readonly snapshots: readonly ClockSnapshot[]
}

/** True host time of a true (not floored) device tick. */
export const trueHostNs = (truth: TrueClock, tick: number): number =>
  truth.offsetNs + tick + truth.skew * tick

const floorTo = (value: number, step: number): number => Math.floor(value / step) * step

interface Probe {
  /** Device begin, ticks. */
  readonly begin: number
  readonly length: number
  /** From submit() to begin, from end to hearing of it. */
  readonly submitNs: number
  readonly hearNs: number
}

export function probe(
  truth: TrueClock,
  steps: { hostStepNs: number; deviceStepNs: number },
  probes: readonly Probe[],
) {
  return probes.map(({ begin, length, submitNs, hearNs }): ClockSnapshot => ({
    clock: 1,
    hostBeforeNs: floorTo(trueHostNs(truth, begin) - submitNs, steps.hostStepNs),
    beginTick: floorTo(begin, steps.deviceStepNs),
    endTick: floorTo(begin + length, steps.deviceStepNs),
    hostAfterNs: floorTo(trueHostNs(truth, begin + length) + hearNs, steps.hostStepNs),
  }))
}

const latency = fc.double({ min: 0, max: 5e6, noNaN: true })

export const arbitraryClock: fc.Arbitrary<ProbedClock> = fc
  .record({
    truth: fc.record({
      offsetNs: fc.double({ min: -1e11, max: 1e11, noNaN: true }),
      skew: fc.double({ min: -490e-6, max: 490e-6, noNaN: true }),
    }),
    hostStepNs: fc.constantFrom(5000, 100_000),
    deviceStepNs: fc.constantFrom(1, 32, 65536),
    spanTicks: fc.constantFrom(1e7, 1e9, 1e11),
    probes: fc.array(
      fc.record({
        begin: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5e7, noNaN: true })),
        submitNs: latency,
        hearNs: latency,
      }),
      { minLength: 1, maxLength: 60 },
    ),
  })
  .map(({ truth, hostStepNs, deviceStepNs, spanTicks, probes }) => {
    const steps = { hostStepNs, deviceStepNs }
    const placed = probes.map((each) => ({ ...each, begin: each.begin * spanTicks }))
    return { truth, ...steps, snapshots: probe(truth, steps, placed) }
  })
