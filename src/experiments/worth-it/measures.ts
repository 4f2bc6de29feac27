/** How the figures of worth-it are read off windows and spans. An operation is `uses` matmuls. Pure. */
import { summarise } from '../../analysis/metrics'
import type { Metric } from '../../trace/report'
import type { SpanRole } from '../../trace/schema'
import { deviceMissing, deviceStep } from '../declare/device-samplers'
import { NOT_NEGATIVE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { MATMUL, rateOf, sumOfSpans } from '../declare/samplers'
import type { Evidence, Window } from '../run-types'
import { CPU, LATENCY, parseVariant, readCounts, RESIDENT } from './variants'

const operationsOf = ({ derived }: Evidence, variant: string): number =>
  readCounts(String(derived['operationsPerWindow'] ?? '')).get(variant) ?? 1
/** Operations in one window. */
export const operations = ({ evidence, variant }: View<unknown>): number => operationsOf(evidence, variant)
/** Time of an operation; ns. */
const timeOf = ({ evidence }: View<unknown>, { variant, startNs, endNs }: Window): number =>
  (endNs - startNs) / operationsOf(evidence, variant)

/** Time of an operation that the host spends so. Each span is off by up to a step of the clock, so their mean is too. */
export const perOperation = (role: SpanRole): RepeatSampler<unknown> => ({
  ...sumOfSpans<unknown>({ role }, operations),
  systematic: ({ evidence }) => evidence.hostStepNs,
})

const passes = sumOfSpans<unknown>(MATMUL, operations)
/** All matmuls of an operation are one pass; null where one of a window was not timed. */
export const computing: RepeatSampler<unknown> = {
  ...passes,
  sample: (view, window) =>
    view.spans.find(window.repeat, MATMUL).length === operations(view) ? passes.sample(view, window) : null,
  systematic: deviceStep,
  missing: deviceMissing('not every pass was timed'),
}

export const computingShare: RepeatSampler<unknown> = {
  ...computing,
  quantity: 'ratio',
  origin: 'derived',
  sample: (view, window) => {
    const ns = computing.sample(view, window)
    return ns === null ? null : ns / timeOf(view, window)
  },
  systematic: (view) => deviceStep(view) / Math.min(...view.windows.map((window) => timeOf(view, window))),
}

/** Both are lengths, each by its own clock: no clock fit is needed. A kernel may have begun before the host began to wait. */
export const otherWait: RepeatSampler<unknown> = {
  ...computing,
  origin: 'derived',
  sample: (view, window) => {
    const waitNs = perOperation('wait-map').sample(view, window)
    const ns = computing.sample(view, window)
    return waitNs === null || ns === null ? null : Math.max(0, waitNs - ns)
  },
  systematic: (view) => deviceStep(view) + view.evidence.hostStepNs,
}

/**
 * Time of one operation. Completion of a resident queue is reported late, once a window: its interval reaches down by that share,
 * since the device had ended before.
 */
export const time: DerivedSampler<unknown> = {
  kind: 'derived',
  quantity: 'time',
  origin: 'host-clock',
  derive: (view, named) => {
    const { hostStepNs, completionLatencyMs } = view.evidence
    const metric = summarise({
      ...named,
      origin: 'host-clock',
      samples: view.windows.map((window) => timeOf(view, window) / 1e6),
      range: NOT_NEGATIVE,
      systematic: hostStepNs / operations(view) / 1e6,
    })
    if (parseVariant(view.variant)?.place !== RESIDENT || metric.low === null) return metric
    return {
      ...metric,
      low: Math.max(0, metric.low - (completionLatencyMs ?? 0) / operations(view)),
      note: 'queued; completion is reported late once a window, which the interval allows for',
    }
  },
}

/** 'onnxruntime-web, 8 threads': what the CPU's figures stand for. */
function processorOf({ derived }: Evidence): string {
  const threads = Number(derived['processorThreads'])
  const note = String(derived['processorNote'] ?? '')
  const name = `${String(derived['processorLibrary'])}, ${threads === 1 ? 'one thread' : `${String(threads)} threads`}`
  return note === '' ? name : `${name}: ${note}`
}

const flopsOf = ({ variant, values }: View<{ readonly uses: number }>): number =>
  2 * (parseVariant(variant)?.n ?? 0) ** 3 * values.uses
const rate = rateOf(flopsOf, { name: 'time-ms' })

export const gflops: DerivedSampler<{ readonly uses: number }> = {
  ...rate,
  origin: 'derived',
  derive: (view, named) => {
    const metric: Metric = { ...rate.derive(view, named), origin: 'derived' }
    if (metric.value === null) {
      const why = view.get('time-ms', view.variant)?.note
      return { ...metric, note: why ?? 'shorter than the step of the clock' }
    }
    const isCpu = parseVariant(view.variant)?.place === CPU
    return isCpu ? { ...metric, note: processorOf(view.evidence) } : metric
  },
}

/**
 * Bytes over the time that they add: the time of a transfer less the latency of the same repeat. Where a transfer takes no longer
 * than the latency alone, nothing is known of the bandwidth.
 */
export const bandwidth: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'rate',
  origin: 'host-clock',
  sample: (view, window) => {
    const latency = view.windowOf(LATENCY, window.repeat)
    const addedNs = latency ? timeOf(view, window) - timeOf(view, latency) : 0
    return addedNs > 0 ? Number(view.evidence.derived['transferBytes']) / addedNs : null
  },
  missing: () => 'a transfer took no longer than the latency alone',
}
