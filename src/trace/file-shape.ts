/**
 * The shape of a saved run's header that the rest of the lab relies on: a header that passes has
 * the lab's types (codec.ts).
 */
import * as v from 'valibot'
import { dictionary, index, number } from '../base/shape'
import { VARIANT_HUES } from './figure'
import { REPORT_SCHEMA, VERDICT_OUTCOMES } from './report'

const text = v.string()
const flag = v.boolean()
const scalarShape = v.union([text, number, flag], 'is not text, a number, true or false')
const settingsShape = dictionary(
  v.union(
    [text, number, flag, v.pipe(v.array(text), v.readonly())],
    'is not text, a number, true or false, or a list of text',
  ),
)

const decimal = 'is not a tick in decimal'
const step = 'is not a clock step'

const adapter = v.object({
  vendor: text,
  architecture: text,
  device: text,
  description: text,
  isFallbackAdapter: flag,
})

export const infoShape = v.object({
  experiment: text,
  params: settingsShape,
  derived: dictionary(scalarShape),
  adapter: v.nullable(adapter),
  userAgent: text,
  crossOriginIsolated: flag,
  startedAt: text,
  origin: v.picklist(['live', 'recorded', 'imported']),
  distributed: v.exactOptional(v.object({ rank: number, worldSize: number, backend: text })),
})

const clock = v.object({
  kind: v.picklist(['host', 'device']),
  name: text,
  originMs: number,
  originTick: v.pipe(v.string(decimal), v.regex(/^\d{1,20}$/, decimal)),
  stepNs: v.pipe(v.number(step), v.finite(step), v.minValue(0, step)),
})

const lanesShape = (clockCount: number) =>
  v.pipe(
    v.array(
      v.object({
        id: number,
        kind: v.picklist(['host', 'queue', 'staging', 'device', 'other']),
        name: text,
        clock: index(clockCount),
        group: text,
      }),
    ),
    v.check((lanes) => lanes.every(({ id }, at) => id === at), 'are not in the order of their ids'),
  )

const maybe = v.nullable(number)
const metricShape = v.object({
  name: text,
  variant: text,
  value: maybe,
  unit: v.picklist(['ratio', 'ms', 'us', 'ns', 'GB/s', 'GFLOP/s', 'flop/byte', 'count', 'bytes']),
  low: maybe,
  high: maybe,
  n: number,
  origin: v.picklist(['device-clock', 'host-clock', 'derived']),
  note: v.exactOptional(text),
})

const pair = v.strictTuple([number, number], 'is not a pair')

const hue = v.picklist(['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'idle', ...VARIANT_HUES])
const axis = v.object({ label: text, unit: text, scale: v.picklist(['linear', 'log2', 'log10']) })
const interval = { low: maybe, high: maybe }
const barValue = v.object({ value: number, ...interval })
const titled = { id: text, title: text, caption: text }
const pointFigure = v.object({
  ...titled,
  kind: v.exactOptional(v.literal('points')),
  x: axis,
  y: axis,
  series: v.array(
    v.object({
      id: text,
      label: text,
      hue,
      marks: v.picklist(['points', 'points-and-line', 'line']),
      points: v.array(v.object({ x: number, y: number, ...interval, label: text })),
    }),
  ),
  thresholds: v.array(v.object({ axis: v.picklist(['x', 'y']), value: number, ...interval, label: text })),
})
const barFigure = v.object({
  ...titled,
  kind: v.literal('bars'),
  axis: v.object({ label: text, unit: text }),
  parts: v.array(v.object({ id: text, label: text, hue })),
  bars: v.array(v.object({ label: text, parts: dictionary(barValue), total: v.nullable(barValue) })),
  thresholds: v.array(v.object({ value: number, ...interval, label: text })),
})
const graphFigure = v.object({
  ...titled,
  kind: v.literal('graph'),
  nodes: v.array(v.object({ label: text, state: v.picklist(['waits', 'returned']) })),
  edges: v.array(v.object({ from: number, to: number, label: text })),
})

const verificationShape = v.object({
  checked: number,
  failed: number,
  /**
   * JSON has no infinity: an error beyond all bounds (a result that is no number) stands as null in
   * a file.
   */
  maxRelativeError: maybe,
  tolerance: number,
  what: text,
})

/** `report.json` too. */
const reportShape = v.object({
  schema: v.literal(REPORT_SCHEMA),
  experiment: text,
  params: settingsShape,
  derived: dictionary(scalarShape),
  environment: v.object({
    adapter: v.object({
      ...adapter.entries,
      subgroupMinSize: v.exactOptional(number),
      subgroupMaxSize: v.exactOptional(number),
    }),
    adapterName: text,
    isSoftware: flag,
    features: v.array(text),
    limits: dictionary(number),
    userAgent: text,
    crossOriginIsolated: flag,
    hardwareConcurrency: number,
    hostClockStepUs: number,
    deviceClockStepNs: maybe,
    emptySubmitLatencyMs: maybe,
    completionLatencyMs: maybe,
    completionLatencyBusyMs: maybe,
    completions: v.exactOptional(v.array(v.object({ kernelMs: number, observedMs: number }))),
    copyTimingWorks: v.exactOptional(flag),
    uploadGbPerS: maybe,
    readbackGbPerS: maybe,
    matmulGflops: maybe,
  }),
  metrics: v.array(metricShape),
  figures: v.exactOptional(v.array(v.variant('kind', [pointFigure, barFigure, graphFigure]))),
  verdict: v.object({ outcome: v.picklist(VERDICT_OUTCOMES), text, reason: text }),
  verification: verificationShape,
  clock: v.object({
    offsetBoundUs: maybe,
    driftPpm: v.nullable(pair),
    rejected: number,
    snapshots: number,
    state: v.picklist(['fitted', 'no-timestamps', 'infeasible']),
  }),
  validity: v.object({ valid: flag, reasons: v.array(text) }),
  warmUps: number,
  startedAt: text,
  durationMs: number,
})

/** Counts of clocks and lanes: what points at them is checked. */
export const headerShape = (clockCount: number, laneCount: number) =>
  v.object({
    info: infoShape,
    clocks: v.array(clock),
    lanes: lanesShape(clockCount),
    strings: v.array(text),
    counters: v.array(v.object({ name: text, unit: text, lane: index(laneCount) })),
    rejected: dictionary(number),
    report: v.nullable(reportShape),
  })

export type FileReport = v.InferOutput<typeof reportShape>
