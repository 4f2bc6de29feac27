/** How the figures of worth-it are read off windows and spans. An operation is `uses` matmuls. Pure. */
import { summarise } from '../../analysis/metrics'
import type { SpanRole } from '../../trace/schema'
import { deviceMissing, deviceStep, whyNotCredible } from '../declare/device-samplers'
import { NOT_NEGATIVE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { MATMUL, sumOfSpans } from '../declare/samplers'
import { sum } from '../evidence'
import { quotient } from '../interval-arithmetic'
import type { Evidence, Window } from '../run-types'
import { CPU, LATENCY, parseVariant, readCounts, RESIDENT } from './variants'

/** What samplers here need of a view: they serve whatever the values are. */
type AnyView = View<unknown>

const operationsOf = ({ derived }: Evidence, variant: string): number =>
  readCounts(String(derived['operationsPerWindow'] ?? '')).get(variant) ?? 1
/** Operations in one window. */
export const operations = ({ evidence, variant }: AnyView): number => operationsOf(evidence, variant)
const hostStep = ({ evidence }: AnyView): number => evidence.hostStepNs
const lengthOf = ({ startNs, endNs }: Window): number => endNs - startNs

/** Time of an operation that the host spends so. Each span is off by up to a step of the clock, so their mean is too. */
export const perOperation = (role: SpanRole): RepeatSampler<unknown> => ({
  ...sumOfSpans<unknown>({ role }, operations),
  systematic: hostStep,
})

/** Device time of a window's matmuls; null where one pass of them was not timed. */
function matmulNs(view: AnyView, window: Window): number | null {
  if (whyNotCredible(view, window) !== null) return null
  const lengths = view.spans.lengths(window.repeat, MATMUL)
  return lengths.length === operations(view) ? sum(lengths) : null
}
const missing = deviceMissing('not every pass was timed')

export const matmuls: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'time',
  origin: 'device-clock',
  sample: (view, window) => {
    const ns = matmulNs(view, window)
    return ns === null ? null : ns / operations(view)
  },
  systematic: deviceStep,
  missing,
}

export const shareOfMatmuls: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'derived',
  sample: (view, window) => {
    const ns = matmulNs(view, window)
    return ns === null ? null : ns / lengthOf(window)
  },
  systematic: (view) => (deviceStep(view) * operations(view)) / Math.min(...view.windows.map(lengthOf)),
  missing,
}

/** Both are lengths, each by its own clock: no clock fit is needed. A kernel may have begun before the host began to wait. */
export const besideMatmuls: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'time',
  origin: 'derived',
  sample: (view, window) => {
    const ns = matmulNs(view, window)
    const waits = view.spans.lengths(window.repeat, { role: 'wait-map' })
    const isWhole = ns !== null && waits.length >= operations(view)
    return isWhole ? Math.max(0, sum(waits) - ns) / operations(view) : null
  },
  systematic: (view) => deviceStep(view) + hostStep(view),
  missing,
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
    const count = operations(view)
    const metric = summarise({
      ...named,
      origin: 'host-clock',
      samples: view.windows.map((window) => lengthOf(window) / count / 1e6),
      range: NOT_NEGATIVE,
      systematic: hostStep(view) / count / 1e6,
    })
    if (parseVariant(view.variant)?.place !== RESIDENT || metric.low === null) return metric
    const lagMs = (view.evidence.completionLatencyMs ?? 0) / count
    return {
      ...metric,
      low: Math.max(0, metric.low - lagMs),
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

export const gflops: DerivedSampler<{ readonly uses: number }> = {
  kind: 'derived',
  quantity: 'rate',
  origin: 'derived',
  derive: ({ evidence, values, variant, get }, named) => {
    const sized = parseVariant(variant)
    const ms = get('time-ms', variant)
    // FLOP/ns, as ms are.
    const work = (2 * (sized?.n ?? 0) ** 3 * values.uses) / 1e6
    const metric = quotient(named, ms && { ...ms, value: work, low: work, high: work }, ms)
    if (metric.value === null) return { ...metric, note: ms?.note ?? 'shorter than the step of the clock' }
    return sized?.place === CPU ? { ...metric, note: processorOf(evidence) } : metric
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
    const latencyNs = latency ? lengthOf(latency) / operationsOf(view.evidence, LATENCY) : Number.NaN
    const addedNs = lengthOf(window) / operations(view) - latencyNs
    return addedNs > 0 ? Number(view.evidence.derived['transferBytes']) / addedNs : null
  },
  missing: () => 'a transfer took no longer than the latency alone',
}
