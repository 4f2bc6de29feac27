/** What worth-it reads off its trace, and what it concludes. Pure. */
import { findMetric, type Metric, type Verdict } from '../../trace/report'
import { variantsOf } from '../evidence'
import type { Evidence } from '../run-types'
import { isBelow } from '../wording'
import { crossoverOf, timeMs, topRate } from './curves'
import {
  bandwidth,
  crossoverMetric,
  factor,
  gflops,
  latencyMs,
  partsOfRoundTrip,
  ruleMetric,
} from './measures'
import type { Bounded } from './rule'
import { CPU, parseVariant, READBACK, RESIDENT, ROUND_TRIP, sizedVariant, UPLOAD } from './variants'

export function measureWorthIt(evidence: Evidence): readonly Metric[] {
  const measured = [
    ...variantsOf(evidence).flatMap((variant) => {
      const sized = parseVariant(variant)
      if (!sized) return []
      return [
        ...(sized.place === ROUND_TRIP ? partsOfRoundTrip(evidence, variant) : []),
        timeMs(evidence, variant),
        gflops(evidence, variant, sized.n),
      ]
    }),
    bandwidth(evidence, 'upload-gb-per-s', UPLOAD),
    bandwidth(evidence, 'readback-gb-per-s', READBACK),
    latencyMs(evidence),
  ]
  const crossover = crossoverMetric(measured, evidence, ROUND_TRIP)
  const rule = ruleMetric(measured, evidence, 'rule-n', false)
  const withLatency = ruleMetric(measured, evidence, 'rule-latency-n', true)
  return [
    crossover,
    crossoverMetric(measured, evidence, RESIDENT),
    rule,
    withLatency,
    factor('rule-factor', crossover, rule),
    factor('rule-latency-factor', crossover, withLatency),
    ...measured,
  ]
}

/** A rule that is right to within this factor serves. */
const RIGHT_WITHIN = 1.5

/** Two figures: a crossover is never known better than to some per cent. */
const size = (metric: Metric | undefined): string =>
  metric?.value == null ? 'not measured' : String(Number(metric.value.toPrecision(2)))
const isNear = ({ value }: Metric): boolean =>
  value !== null && value <= RIGHT_WITHIN && value >= 1 / RIGHT_WITHIN
/** Whether measured and predicted interval have anything in common: then the factor's interval holds 1. */
const mayBeOne = ({ low, high }: Metric): boolean => (low ?? 0) <= 1 && (high ?? Infinity) >= 1

export function judgeWorthIt(metrics: readonly Metric[], evidence: Evidence): Verdict {
  const crossover = crossoverOf(metrics, evidence, ROUND_TRIP)
  if (!crossover)
    return {
      outcome: 'inconclusive',
      reason: 'nothing-to-compare',
      text: 'No size was run both ways: choose smaller ones, or fewer matmuls on each upload.',
    }
  const { sizes } = crossover
  const first = sizes[0] ?? 0
  const last = sizes.at(-1) ?? 0
  const time = (place: typeof CPU | typeof ROUND_TRIP, n: number) =>
    findMetric(metrics, 'time-ms', sizedVariant(place, n))
  const cpuWins = (n: number) => isBelow(time(CPU, n), time(ROUND_TRIP, n))
  const deviceWins = (n: number) => isBelow(time(ROUND_TRIP, n), time(CPU, n))
  const overlap: Verdict = {
    outcome: 'inconclusive',
    reason: 'intervals-overlap',
    text: 'The repeats spread so far that no size shows which of the two is faster: run more of them, with nothing else busy.',
  }

  switch (crossover.value.kind) {
    case 'below':
      if (!deviceWins(first)) return overlap
      return {
        outcome: 'not-shown',
        reason: 'gpu-always-wins',
        text: `Even at ${String(first)} × ${String(first)}, the smallest size run, the device was faster, transfers included. Choose smaller sizes.`,
      }
    case 'above':
      if (!cpuWins(last)) return overlap
      return cpuAhead(metrics, evidence, last)
    case 'at':
      break
  }
  if (!sizes.some(cpuWins) || !sizes.some(deviceWins)) return overlap
  return judgeRule(metrics)
}

/** The processor was faster at every size: because the device is no faster at all, or because the sizes are small. */
function cpuAhead(metrics: readonly Metric[], evidence: Evidence, last: number): Verdict {
  const rates = [topRate(metrics, evidence, CPU), topRate(metrics, evidence, RESIDENT)]
  const [processor, device] = rates
  const at = `The processor was faster at every size up to ${String(last)}`
  if (evidence.isSoftware)
    return {
      outcome: 'not-shown',
      reason: 'cpu-always-wins',
      text: `${at}. The device here is software: it is the same processor, reached by a longer way.`,
    }
  if (processor && device && device.low <= processor.high)
    return {
      outcome: 'not-shown',
      reason: 'cpu-always-wins',
      text: `${at}: this device computes no faster than the processor (${rate(device)} against ${rate(processor)}).`,
    }
  return {
    outcome: 'inconclusive',
    reason: 'sizes-too-small',
    text: `${at}, but the device computes faster once everything is there. Choose larger sizes, or more matmuls on each upload.`,
  }
}

const rate = ({ value }: Bounded): string => `${String(Number(value.toPrecision(3)))} GFLOP/s`

function judgeRule(metrics: readonly Metric[]): Verdict {
  const crossover = findMetric(metrics, 'crossover-n', ROUND_TRIP)
  const rule = findMetric(metrics, 'rule-n', ROUND_TRIP)
  const withLatency = findMetric(metrics, 'rule-latency-n', ROUND_TRIP)
  const ruleFactor = findMetric(metrics, 'rule-factor', ROUND_TRIP)
  const latencyFactor = findMetric(metrics, 'rule-latency-factor', ROUND_TRIP)
  const found = `The device is worth it from about n = ${size(crossover)} on`
  if (ruleFactor?.value == null)
    return {
      outcome: 'shown',
      reason: 'rule-unknown',
      text: `${found}. The rule of thumb could not be worked out: ${rule?.note ?? 'a rate is missing'}.`,
    }
  if (isNear(ruleFactor))
    return {
      outcome: 'shown',
      reason: 'rule-holds',
      text: `${found}. Rates and bandwidths alone say ${size(rule)}: near enough.`,
    }
  if (mayBeOne(ruleFactor))
    return {
      outcome: 'shown',
      reason: 'rule-undecided',
      text: `${found}. Rates and bandwidths alone say ${size(rule)}, but the intervals are too wide to hold that against the rule.`,
    }
  if (latencyFactor?.value != null && isNear(latencyFactor))
    return {
      outcome: 'shown',
      reason: 'rule-misses-latency',
      text: `${found}. Rates and bandwidths alone say ${size(rule)}; with the latency of a round trip they say ${size(withLatency)}.`,
    }
  return {
    outcome: 'shown',
    reason: 'rule-misses',
    text: `${found}. Rates and bandwidths alone say ${size(rule)}, with latency ${size(withLatency)}: the rule leaves something out here.`,
  }
}
