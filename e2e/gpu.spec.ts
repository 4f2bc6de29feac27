/**
 * What only a real GPU can show, at the experiments' standard sizes: npm run test:gpu. No time is
 * asserted, only what beats what.
 */
import type { Report } from '../src/trace/report'
import { expect, test } from './fixtures'
import type { LabPage } from './lab'

async function standardRun(
  lab: LabPage,
  experiment: string,
  values: Parameters<LabPage['runBare']>[1] = {},
): Promise<Report> {
  await lab.openRun(experiment, {})
  const { status, report, fault } = await lab.runBare(experiment, values)
  if (status !== 'done' || !report)
    throw new Error(`${experiment} ended as ${status}: ${fault?.message ?? ''}`)
  expect(report.validity).toEqual({ valid: true, reasons: [] })
  expect(report.verification.failed).toBe(0)
  return report
}

function metric(
  report: Report,
  name: string,
  variant: string,
): { readonly value: number; readonly low: number; readonly high: number } {
  const found = report.metrics.find((each) => each.name === name && each.variant === variant)
  const { value, low, high } = found ?? {}
  if (typeof value !== 'number' || typeof low !== 'number' || typeof high !== 'number') {
    throw new Error(`${name} of ${variant} was not measured: ${found?.note ?? 'there is no such figure'}`)
  }
  return { value, low, high }
}

test('the adapter is a GPU, not a fallback, and tells the time', async ({ lab }) => {
  await lab.open('/device')
  const { environment } = await lab.environment(true)
  expect(environment).toMatchObject({ isSoftware: false, adapter: { isFallbackAdapter: false } })
  expect(environment?.features).toContain('timestamp-query')
})

test('async-submission: the host is free while the device works', async ({ lab }) => {
  const report = await standardRun(lab, 'async-submission')
  expect(report.verdict.outcome, report.verdict.text).toBe('shown')
  expect(metric(report, 'host-free-ratio', 'queued').low).toBeGreaterThan(0.5)
  expect(metric(report, 'device-busy-ratio', 'queued').low).toBeGreaterThan(
    metric(report, 'device-busy-ratio', 'await-each').high,
  )
})

test('sync-stalls: reading every step leaves the device idle for half of the time, never reading keeps it busy', async ({
  lab,
}) => {
  const report = await standardRun(lab, 'sync-stalls')
  expect(report.verdict.outcome, report.verdict.text).toBe('shown')
  const stalled = metric(report, 'device-busy-ratio', 'every-step')
  const never = metric(report, 'device-busy-ratio', 'never')
  expect(stalled.high).toBeLessThan(0.6)
  expect(never.low).toBeGreaterThan(0.75)
})

test('overlapped-uploads: a ring of two beats serial, beyond the bounds', async ({ lab }) => {
  const report = await standardRun(lab, 'overlapped-uploads')
  const serial = metric(report, 'step-ms', 'serial')
  const ring = metric(report, 'step-ms', 'ring-2')
  expect(ring.high).toBeLessThan(serial.low)
  expect(metric(report, 'overlap-efficiency', 'ring-2').low).toBeGreaterThan(0)
})
