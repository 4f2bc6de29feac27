/** Reports and quotes for tests: every metric an experiment names, over the variants a lesson runs, with values of a test's choice. */
import type { Declaration } from '../../experiments/declare'
import { findMetric, REPORT_SCHEMA, type Metric, type Report } from '../../trace/report'
import type { Quote } from '../../experiments/declare/quote'
import { unitOfName } from '../../text/units'
import type { ExperimentLesson } from '../lesson'

/** Where a metric stands that belongs to no measured variant. */
const placesOf = (metric: Declaration['metrics'][number]): readonly string[] =>
  // Declarations say so; an erased one has it still.
  'at' in metric && Array.isArray(metric.at) ? (metric.at as readonly string[]) : []

/** The variants that an experiment reports for these parameters; '' for the whole run. */
export const variantsOf = (meta: Declaration, values: ExperimentLesson['values']): readonly string[] => [
  ...new Set(['', ...meta.variants(values), ...meta.metrics.flatMap(placesOf)]),
]

const unitOf = (name: string): Metric['unit'] =>
  unitOfName(name) ?? (name === 'queue-depth-max' ? 'count' : 'ratio')

type ValueOf = (name: string, variant: string) => number | null

export interface FakeOptions {
  readonly reason: string
  readonly outcome?: Report['verdict']['outcome']
  readonly value: ValueOf
  /** Half-width of every interval, as a share of the value. */
  readonly spread?: number
  readonly environment?: Partial<Report['environment']>
  readonly clock?: Report['clock']['state']
  readonly valid?: boolean
  readonly failed?: number
  readonly values?: ExperimentLesson['values']
  readonly origin?: Quote['origin']
}

export const VERDICT_TEXT = 'The verdict in its own words.'
export const ADAPTER_NAME = 'Adapter of the test'

export function fakeReport(lesson: ExperimentLesson, meta: Declaration, options: FakeOptions): Report {
  const { reason, outcome = 'shown', value, spread = 0.01, clock = 'fitted', valid = true } = options
  const params = { ...lesson.values, ...options.values } as Report['params']
  const metrics = variantsOf(meta, params).flatMap((variant) =>
    meta.metrics.map(({ name }): Metric => {
      const median = value(name, variant)
      const [low, high] =
        median === null
          ? [null, null]
          : [median - Math.abs(median) * spread, median + Math.abs(median) * spread]
      const note = median === null ? { note: 'not measured in this test' } : {}
      return { name, variant, value: median, unit: unitOf(name), low, high, n: 5, origin: 'derived', ...note }
    }),
  )
  return {
    schema: REPORT_SCHEMA,
    experiment: meta.id,
    params,
    derived: {},
    environment: {
      adapter: {
        vendor: 'test',
        architecture: '',
        device: '',
        description: '',
        isFallbackAdapter: false,
      },
      adapterName: ADAPTER_NAME,
      isSoftware: false,
      features: [],
      limits: {},
      userAgent: 'test',
      crossOriginIsolated: true,
      hardwareConcurrency: 8,
      hostClockStepUs: 5,
      deviceClockStepNs: 32,
      emptySubmitLatencyMs: 0.1,
      completionLatencyMs: 3,
      completionLatencyBusyMs: 3,
      uploadGbPerS: 4,
      readbackGbPerS: 4,
      matmulGflops: 1000,
      ...options.environment,
    },
    metrics,
    verdict: { outcome, reason, text: VERDICT_TEXT },
    verification: {
      checked: 64,
      failed: options.failed ?? 0,
      maxRelativeError: 1e-7,
      tolerance: 1e-5,
      what: 'sampled entries',
    },
    clock: { offsetBoundUs: 100, driftPpm: [-1, 1], rejected: 0, snapshots: 10, state: clock },
    validity: { valid, reasons: valid ? [] : ['The tab was hidden during the run.'] },
    warmUps: 1,
    startedAt: '2026-01-01T00:00:00Z',
    durationMs: 1000,
  }
}

/** `asked` collects what was quoted, as 'name variant'. A quoted metric reads '⟨name variant⟩', so that a test finds it in the text. */
export function fakeQuote(report: Report, origin: Quote['origin'] = 'live'): Quote & { asked: Set<string> } {
  const asked = new Set<string>()
  return {
    report,
    origin,
    asked,
    get: (name, variant = '') => {
      asked.add(`${name} ${variant}`)
      return findMetric(report.metrics, name, variant)
    },
    metric: (name, variant = '') => {
      asked.add(`${name} ${variant}`)
      const value = findMetric(report.metrics, name, variant)?.value ?? null
      return value === null ? 'not measured' : quoted(name, variant)
    },
  }
}

export const quoted = (name: string, variant: string): string => `⟨${name} ${variant}⟩`
