/** Metrics that every experiment reports for each variant, by the same definition. */
import { deviceWindows } from '../analysis/device-windows'
import { summarise } from '../analysis/metrics'
import { median } from '../base/stats'
import type { Metric } from '../trace/report'
import { hostFreeRatio, VariantSpans, windowsOf } from './evidence'
import type { Evidence } from './run-types'
import type { SpanKind } from '../trace/schema'

export const SHARE = [0, 1] as const
export const NOT_NEGATIVE = [0, Infinity] as const

export const NO_TIMESTAMPS =
  'this adapter offers no timestamp-query, so what the device did is not visible from a page'
export const NOT_RECORDED = 'the run was not recorded'

/** Why a device-clock metric has no samples. */
export const whyNoDevice = (evidence: Evidence): string =>
  evidence.deviceStepNs === null ? NO_TIMESTAMPS : NOT_RECORDED

/** Time of a window over its steps, host clock: what a person with a stopwatch would see. */
export function stepMs(evidence: Evidence, variant: string, steps: number): Metric {
  const samples = windowsOf(evidence, variant).map((window) => (window.endNs - window.startNs) / steps / 1e6)
  return summarise({
    name: 'step-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    systematic: evidence.hostStepNs / steps / 1e6,
  })
}

/** Union of a repeat's device passes over the time from its first begin to its last end; device clock alone. */
export function deviceBusyRatio(evidence: Evidence, variant: string): Metric {
  const windows = deviceWindows(evidence.placed.trace).filter((window) => window.variant === variant)
  const ratios = windows.map((window) => window.busyRatio)
  return summarise({
    name: 'device-busy-ratio',
    variant,
    unit: 'ratio',
    origin: 'device-clock',
    samples: ratios,
    range: SHARE,
    systematic: windows.length > 0 ? median(windows.map((window) => window.busyRatioBound)) : 0,
    ...(ratios.length === 0 ? { note: whyNoDevice(evidence) } : {}),
  })
}

export function hostFree(
  evidence: Evidence,
  variant: string,
  kinds: readonly SpanKind[] = ['encode', 'submit', 'host-work'],
): Metric {
  const samples = hostFreeRatio(evidence, new VariantSpans(evidence, variant), kinds)
  return summarise({
    name: 'host-free-ratio',
    variant,
    unit: 'ratio',
    origin: 'host-clock',
    samples,
    range: SHARE,
    ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
  })
}

/** Device time of one pass of a kind of work, device clock; `name` picks the passes. */
export function passMs(
  evidence: Evidence,
  variant: string,
  metricName: string,
  name: (passName: string) => boolean,
): Metric {
  const spans = new VariantSpans(evidence, variant)
  const samples = spans.samples((repeat) => {
    const lengths = spans.lengths(repeat, { kind: 'compute', name })
    return lengths.length > 0 ? median(lengths) / 1e6 : null
  })
  return summarise({
    name: metricName,
    variant,
    unit: 'ms',
    origin: 'device-clock',
    samples,
    range: NOT_NEGATIVE,
    // Begin and end are both floored to the clock's step.
    systematic: (evidence.deviceStepNs ?? 0) / 1e6,
    ...(samples.length === 0 ? { note: whyNoDevice(evidence) } : {}),
  })
}
