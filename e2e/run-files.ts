/**
 * What a run leaves behind, whoever asked for it: the report obeys its schema, the trace opens
 * elsewhere, and the device's busy ratio worked out from the trace alone is the report's.
 */
import { expect, test } from '@playwright/test'
import { findExperiment } from '../cli/catalog'
import { median } from '../src/base/stats'
import { validateTraceEventText } from '../src/trace/formats/testing/validate-trace-event'
import { REPORT_SCHEMA, type Report } from '../src/trace/report'
import type { Settings } from './lab'

/** A device pass in Trace Event JSON. */
interface Pass {
  readonly ph: string
  readonly cat?: string
  readonly ts: number
  readonly dur: number
  readonly args: { readonly variant?: string; readonly repeat?: number; readonly step?: number }
}

/** Union of the passes over the time from the first begin to the last end. */
function busyRatio(passes: readonly Pass[]): number {
  const sorted = [...passes].sort((a, b) => a.ts - b.ts)
  let busy = 0
  let end = -Infinity
  for (const { ts, dur } of sorted) {
    busy += Math.max(0, ts + dur - Math.max(ts, end))
    end = Math.max(end, ts + dur)
  }
  return busy / (end - (sorted[0]?.ts ?? NaN))
}

/** By variant and then by repeat; warm-up and calibration have none. */
function groupPasses(passes: readonly Pass[]): ReadonlyMap<string, ReadonlyMap<number, readonly Pass[]>> {
  const groups = new Map<string, Map<number, Pass[]>>()
  for (const pass of passes) {
    const { variant, repeat } = pass.args
    if (variant === undefined || repeat === undefined || repeat < 0) continue
    const repeats = groups.get(variant) ?? new Map<number, Pass[]>()
    groups.set(variant, repeats)
    repeats.set(repeat, [...(repeats.get(repeat) ?? []), pass])
  }
  return groups
}

/**
 * Figures of the report may be rounded by the trace's whole nanoseconds and by the fitted rate,
 * some 100 ppm.
 */
const RATIO_TOLERANCE = 0.002

/**
 * A valid run with these settings, every figure of the experiment in it: measured, or with the
 * reason why not.
 */
export function expectReport(
  report: Report,
  { id, settings, isGpu }: { readonly id: string; readonly settings: Settings; readonly isGpu: boolean },
): void {
  expect(report).toMatchObject({ schema: REPORT_SCHEMA, experiment: id, validity: { valid: true } })
  for (const [name, value] of Object.entries(settings)) expect(String(report.params[name]), name).toBe(value)
  expect(report.environment).toMatchObject({ isSoftware: !isGpu, crossOriginIsolated: true })
  expect(report.environment.userAgent).toContain(
    test.info().project.use.browserName === 'firefox' ? 'Firefox' : 'Chrom',
  )
  expect(report.environment.hostClockStepUs).toBeGreaterThan(0)
  expect(report.verification.checked).toBeGreaterThan(0)
  expect(report.verification.failed).toBe(0)
  expect(report.clock.offsetBoundUs).toBeGreaterThan(0)
  expect(['shown', 'not-shown', 'inconclusive']).toContain(report.verdict.outcome)
  const names = new Set(report.metrics.map(({ name }) => name))
  for (const { name } of findExperiment(id)?.metricKeys(report.params) ?? [])
    expect([...names]).toContain(name)
  for (const { name, variant, value, unit, low, high, origin, note, n } of report.metrics) {
    if (value === null) expect(note, `${name} says why it was not measured`).toBeTruthy()
    else {
      // A crossing may lie beyond all sizes that were run. A rate has no upper bound where its time
      // may be nothing: a short copy, stamped twice at one instant. All else that was timed has
      // both bounds.
      const isOpenRate =
        high === null &&
        unit.endsWith('/s') &&
        report.metrics.some(
          (time) => time.variant === variant && time.unit === 'ms' && time.low !== null && time.low <= 0,
        )
      if (low === null || (high === null && !isOpenRate)) expect(origin, `${name} is open`).toBe('derived')
      expect(low ?? -Infinity, name).toBeLessThanOrEqual(value)
      expect(high ?? Infinity, name).toBeGreaterThanOrEqual(value)
      expect(n, name).toBeGreaterThan(0)
    }
  }
}

/**
 * Trace Event JSON obeys the rules of its readers, and holds the passes of which the report's busy
 * ratio is made.
 */
export function expectTraceEvents(text: string, report: Report): void {
  expect(validateTraceEventText(text)).toEqual([])
  // Of single operations, as in worth-it, there is none to report.
  if (!findExperiment(report.experiment)?.metrics.some(({ name }) => name === 'device-busy-ratio')) return
  const { traceEvents } = JSON.parse(text) as { readonly traceEvents: readonly Pass[] }
  const groups = groupPasses(traceEvents.filter(({ ph, cat }) => ph === 'X' && cat === 'device'))
  expect(groups.size).toBeGreaterThanOrEqual(2)
  const compared = report.metrics.filter(({ name, value }) => name === 'device-busy-ratio' && value !== null)
  expect(compared.length).toBeGreaterThanOrEqual(2)
  for (const { variant, value, n } of compared) {
    const repeats = [...(groups.get(variant)?.values() ?? [])]
    expect(repeats.length, variant).toBe(n)
    expect(Math.abs(median(repeats.map(busyRatio)) - (value ?? NaN)), variant).toBeLessThan(RATIO_TOLERANCE)
    // Fewer than asked for where completion is looked for every 100 ms, more where the device's
    // clock is coarse beside them.
    const steps = Number(report.derived['steps'] ?? report.params['steps'])
    expect(steps, variant).toBeGreaterThan(0)
    for (const passes of repeats)
      expect(new Set(passes.map(({ args }) => args.step)).size, `${variant}: one pass a step at least`).toBe(
        steps,
      )
  }
}
