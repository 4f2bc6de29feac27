/** What `npm run test:browsers` prints of first runs in Firefox, and what it counts as a failure. Pure. */
import type { AutomationOutcome } from '../../src/site/state/automation'
import type { Environment, Report } from '../../src/trace/report'
import { whyNotCounted } from '../lab-texts'
import { formatSeconds } from '../terminal.mjs'
import { formatFigure, textTable } from '../text-table'

/**
 * A first run is to be over in this time, on any device and in any browser; measuring the device is not part of it. Marked where
 * it took longer, and no failure: a machine with other work takes longer too.
 */
export const FIRST_RUN_LIMIT_MS = 10_000
/** Metrics printed of each run: the first measured names of its report, which are its headline. */
const HEADLINE_METRICS = 2

/** Phases printed of each run, the longest. */
const LONGEST_PHASES = 8

/** A part of a run with one message of progress. */
export interface Phase {
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

/** One experiment, run once. */
export interface FirefoxRun {
  readonly experiment: string
  readonly outcome: AutomationOutcome
  readonly tookMs: number
  readonly phases: readonly Phase[]
}

/** Why this run fails the test; empty when it passes. */
export function failuresOf({ outcome }: Pick<FirefoxRun, 'outcome'>): readonly string[] {
  const { status, report, fault, reason } = outcome
  if (status !== 'done' || !report) return [`${status}: ${fault?.message ?? reason ?? 'no reason given'}`]
  return whyNotCounted(report)
}

/** 'never, repeat 3 of 5' and 'never, warm-up' belong to 'never'. */
const groupOf = (name: string): string => name.replace(/, (warm-up|repeat \d+ of \d+)$/, '')

/** Where the time went: phases of one variant added up, longest first. */
export function timesByGroup(phases: readonly Phase[]): readonly (readonly [group: string, ms: number])[] {
  const sums = new Map<string, number>()
  for (const { name, startMs, endMs } of phases)
    sums.set(groupOf(name), (sums.get(groupOf(name)) ?? 0) + endMs - startMs)
  return [...sums].sort(([, a], [, b]) => b - a)
}

const runRow = (run: FirefoxRun): readonly string[] => {
  const { report } = run.outcome
  const tooLong = run.tookMs > FIRST_RUN_LIMIT_MS ? ` (over ${formatSeconds(FIRST_RUN_LIMIT_MS)})` : ''
  return [
    run.experiment,
    failuresOf(run).length === 0 ? 'passed' : 'failed',
    report ? String(report.validity.valid) : '',
    report ? `${report.verdict.outcome}: ${report.verdict.reason}` : '',
    formatSeconds(run.tookMs) + tooLong,
    report?.clock.offsetBoundUs == null
      ? (report?.clock.state ?? '')
      : `± ${formatFigure(report.clock.offsetBoundUs)} µs`,
  ]
}

function metricRows(report: Report): readonly (readonly string[])[] {
  const measured = report.metrics.filter(({ value }) => value !== null)
  const names = [...new Set(measured.map(({ name }) => name))].slice(0, HEADLINE_METRICS)
  return measured
    .filter(({ name }) => names.includes(name))
    .map(({ name, variant, value, unit }) => [
      report.experiment,
      name,
      variant,
      formatFigure(value ?? 0),
      unit,
    ])
}

const withUnit = (value: number | null, unit: string): string =>
  value === null ? 'not measured' : `${formatFigure(value)} ${unit}`

/** The device, as Firefox offers it. */
export function environmentText(environment: Environment): string {
  return textTable([
    ['adapter', environment.adapterName],
    ['host clock step', withUnit(environment.hostClockStepUs, 'µs')],
    ['device clock step', withUnit(environment.deviceClockStepNs, 'ns')],
    ['completion latency', withUnit(environment.completionLatencyMs, 'ms')],
  ])
}

export function runsText(runs: readonly FirefoxRun[]): string {
  const reports = runs.flatMap(({ outcome }) => (outcome.report ? [outcome.report] : []))
  const phases = runs.flatMap((run) =>
    timesByGroup(run.phases)
      .slice(0, LONGEST_PHASES)
      .map(([group, ms]) => [run.experiment, group, formatSeconds(ms)]),
  )
  return [
    textTable([['experiment', '', 'valid', 'verdict', 'took', 'clocks'], ...runs.map(runRow)], [4]),
    textTable([['experiment', 'metric', 'variant', 'median', 'unit'], ...reports.flatMap(metricRows)], [3]),
    textTable([['experiment', 'longest phases, repeats together', 'took'], ...phases], [2]),
  ].join('\n\n')
}
