/**
 * Runs for the words of a lesson: those that were recorded, the same with the effect taken out, and
 * made-up ones; all judged anew.
 */
import { judge } from '../../experiments/declare/judge'
import type { Declaration } from '../../experiments/declare/experiment'
import type { ParamValues } from '../../experiments/experiment'
import type { Metric, Report } from '../../trace/report'
import { seeded } from '../../testing/seeded'
import type { PlayedRun } from './play-words'
import type { ExperimentLesson } from '../lesson'
import { sampleReport } from '../../trace/testing/sample-report'
import { unitOfName } from '../../text/figure'

/** Adds the verdict that its figures have. */
export function judged(declaration: Declaration, report: Report): PlayedRun {
  return { report: { ...report, verdict: judge(declaration, report) }, origin: 'live' }
}

/**
 * Every variant has the figures of the first that was measured: nothing that was varied makes a
 * difference.
 */
export function withoutEffect(declaration: Declaration, report: Report): PlayedRun {
  const first = new Map<string, Metric>()
  for (const metric of report.metrics)
    if (metric.value !== null && metric.variant !== '' && !first.has(metric.name))
      first.set(metric.name, metric)
  const isFactor = (name: string) =>
    declaration.metrics.some((metric) => metric.name === name && metric.isFactor === true)
  const metrics = report.metrics.map((metric): Metric => {
    const source = first.get(metric.name)
    if (metric.variant === '' || metric.value === null || !source) return metric
    if (isFactor(metric.name)) return { ...metric, value: 1, low: 0.98, high: 1.02 }
    return { ...source, variant: metric.variant }
  })
  return judged(declaration, { ...report, metrics })
}

const asked = new WeakMap<ExperimentLesson, readonly string[]>()
/** Facts that conditions and words ask for by name: 'roundTripMs'. */
function derivedIn({ rules }: Declaration, lesson: ExperimentLesson): readonly string[] {
  const known = asked.get(lesson)
  if (known) return known
  const words = JSON.stringify([rules, lesson])
  const names = [
    ...new Set([...words.matchAll(/"from":"derived","name":"(\w+)"/g)].map(([, name = '']) => name)),
  ]
  asked.set(lesson, names)
  return names
}

/**
 * Figures over six orders of magnitude, some alike, some not measured; of the lesson, a step or
 * what it proposes at its end; on one machine or another.
 */
export function madeUp(declaration: Declaration, lesson: ExperimentLesson, seed: number): PlayedRun {
  const next = seeded(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T // never empty
  const near = 10 ** (4 * next() - 2)
  const likelihood = pick([0, 0.05, 0.3])
  const alike = pick([0.2, 0.6, 0.9])
  const value = (): number | null =>
    next() < likelihood ? null : next() < alike ? near * 2 ** (2 * next() - 1) : 10 ** (6 * next() - 3)
  const proposed = lesson.tryNext.map(({ values }) => values)
  const step = pick([...lesson.steps.map(({ action }) => action?.values ?? {}), ...proposed, {}])
  const spread = pick([0, 0.01, 0.1, 0.6])
  const params: ParamValues = { ...lesson.values, ...step }
  const metrics = declaration.metricKeys(params).map(({ name, variant }): Metric => {
    const median = value()
    const [low, high] = median === null ? [null, null] : [median * (1 - spread), median * (1 + spread)]
    const unit = unitOfName(name) ?? (name === 'queue-depth-max' ? 'count' : 'ratio')
    return { name, variant, value: median, unit, low, high, n: 5, origin: 'derived' }
  })
  const { environment, clock } = sampleReport
  const derived = Object.fromEntries(
    derivedIn(declaration, lesson).map((name) => [name, 10 ** (4 * next() - 1)]),
  )
  return judged(declaration, {
    ...sampleReport,
    experiment: declaration.id,
    params,
    derived,
    environment: {
      ...environment,
      isSoftware: next() < 0.4,
      completionLatencyMs: pick([0.1, 3, 100]),
      hostClockStepUs: 5,
      deviceClockStepNs: 32,
    },
    metrics,
    figures: [],
    verification: { ...sampleReport.verification, failed: 0 },
    clock: { ...clock, state: pick(['fitted', 'fitted', 'no-timestamps']) },
    validity: { valid: true, reasons: [] },
  })
}

/**
 * A recorded run in which some figures are other than they were, by up to a hundred times, some are
 * less certain, and some are missing.
 */
export function disturbed(declaration: Declaration, report: Report, seed: number): PlayedRun {
  const next = seeded(seed)
  const share = next() ** 2
  const metrics = report.metrics.map((metric): Metric => {
    if (metric.value === null || next() > share) return metric
    if (next() < 0.1) return { ...metric, value: null, low: null, high: null, note: 'left out by a test' }
    const by = 10 ** (4 * next() - 2)
    const spread = next() < 0.5 ? 0.01 : 0.5
    const value = metric.value * by
    return { ...metric, value, low: value * (1 - spread), high: value * (1 + spread) }
  })
  const { environment } = report
  return judged(declaration, {
    ...report,
    metrics,
    environment: { ...environment, isSoftware: environment.isSoftware !== next() < 0.2 },
  })
}
