/**
 * What a saved run's header and a `report.json` hold: the type of each part and the check of a
 * file, in one. schema.ts, report.ts and figure.ts give the parts their names.
 */
import * as v from 'valibot'
import { dictionary, index, number } from '../base/shape'

/** A value of a shape, which nobody changes. */
type Fixed<T> = { readonly [Key in keyof T]: Fixed<T[Key]> }

const text = v.string()
const flag = v.boolean()
/** Null: it was not measured, or is not known. */
const maybe = v.nullable(number)
const scalarShape = v.union([text, number, flag])
const settingsShape = dictionary(v.union([text, number, flag, v.pipe(v.array(text), v.readonly())]))

const adapter = v.object({
  vendor: text,
  architecture: text,
  device: text,
  description: text,
  isFallbackAdapter: flag,
})

export const infoShape = v.object({
  /** '' in a profile; RECORDED_PAGE of a page that was recorded. */
  experiment: text,
  /** Parameters as given, by name. */
  params: settingsShape,
  /** Sizes that the run worked out from the measured rate, and facts of a file. */
  derived: dictionary(scalarShape),
  adapter: v.nullable(adapter),
  userAgent: text,
  crossOriginIsolated: flag,
  /** ISO 8601, UTC. */
  startedAt: text,
  /** A recording is drawn as one, with its provenance. */
  origin: v.picklist(['live', 'recorded', 'imported']),
  /**
   * The group of processes of a profile of one rank of several. `backend`: 'nccl', 'gloo'; '' not
   * said.
   */
  distributed: v.exactOptional(v.object({ rank: number, worldSize: number, backend: text })),
})

const clock = v.object({
  kind: v.picklist(['host', 'device']),
  name: text,
  /** Host: `performance.timeOrigin + performance.now()` of the trace's time 0, in ms. Device: 0. */
  originMs: number,
  /** Device: the raw u64 timestamp that tick 0 stands for, in decimal. Host: '0'. */
  originTick: v.pipe(text, v.regex(/^\d{1,20}$/)),
  /**
   * Measured step in ns. Host: smallest change of performance.now(); device: quantum of the
   * timestamps.
   */
  stepNs: v.pipe(number, v.minValue(0)),
})

const laneShape = (clockCount: number) =>
  v.object({
    id: number,
    kind: v.picklist(['host', 'queue', 'staging', 'device', 'other']),
    /** In the lane's header: 'host (worker)', 'staging 0'. */
    name: text,
    /** Index into `Trace.clocks`. */
    clock: index(clockCount),
    /** Lanes of one group are drawn together: 'host', 'queue', 'staging', 'device'. */
    group: text,
  })

const lanesShape = (clockCount: number) =>
  v.pipe(
    v.array(laneShape(clockCount)),
    v.check((lanes) => lanes.every(({ id }, at) => id === at)),
  )

const metricShape = v.object({
  name: text,
  /** 'never', 'every-step', 'serial', 'ring-2', …; '' where a metric belongs to the whole run. */
  variant: text,
  /** Median over repeats. */
  value: maybe,
  unit: v.picklist(['ratio', 'ms', 'us', 'ns', 'GB/s', 'GFLOP/s', 'flop/byte', 'count', 'bytes']),
  /**
   * Interval of the median over repeats (order statistics), widened by the systematic bound (clock
   * steps).
   */
  low: maybe,
  high: maybe,
  /** Repeats counted; warm-up is not. */
  n: number,
  /**
   * device-clock: differences of device ticks, no clock fit needed. host-clock: performance.now().
   * derived: from several.
   */
  origin: v.picklist(['device-clock', 'host-clock', 'derived']),
  /** Why the value is null, or what one must know to read it. */
  note: v.exactOptional(text),
})

const pair = v.strictTuple([number, number])

/** A scale for what a run compares: its variants, in the order of use. @internal */
export const VARIANT_HUES = ['variant-1', 'variant-2', 'variant-3', 'variant-4'] as const
/** The lab's hues (site/ui/theme.css): what a series is about, not how it looks. */
const hue = v.picklist(['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'idle', ...VARIANT_HUES])
/** `unit`: '' for a plain number. */
const axis = v.object({ label: text, unit: text, scale: v.picklist(['linear', 'log2', 'log10']) })
/** In the unit of what it is an interval of; null where there is none (one repeat). */
const interval = { low: maybe, high: maybe }
const barValue = v.object({ value: number, ...interval })
/** `caption`: the point of the chart, in one sentence. */
const titled = { id: text, title: text, caption: text }
/** Points over two axes. */
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
      /** 'line' joins the points and draws none: a roof, a fitted line. Its legend says so. */
      marks: v.picklist(['points', 'points-and-line', 'line']),
      /** The interval is of y. The label stands beside the point; '' for none. */
      points: v.array(v.object({ x: number, y: number, ...interval, label: text })),
    }),
  ),
  /** Values of x (or y) that the run worked out: the crossover, the ridge of a roofline. */
  thresholds: v.array(v.object({ axis: v.literal('x'), value: number, ...interval, label: text })),
})
/** Bars of parts that add up, one below the other: where the time of a step goes. */
const barFigure = v.object({
  ...titled,
  kind: v.literal('bars'),
  /** Axis of the lengths; bars begin at 0, so it is linear. */
  axis: v.object({ label: text, unit: text }),
  /** Of every bar. */
  parts: v.array(v.object({ id: text, label: text, hue })),
  bars: v.array(
    v.object({
      label: text,
      /**
       * By the ids of the parts, stacked in their order. A part that was not measured is left out.
       */
      parts: dictionary(barValue),
      /**
       * Measured as a whole, where it was: then the whisker is its own, and the parts need not be
       * summed.
       */
      total: v.nullable(barValue),
    }),
  ),
  thresholds: v.array(v.object({ value: number, ...interval, label: text })),
})
/** Who waits for whom: an arrow from each waiting rank to the one that it waits for. */
const graphFigure = v.object({
  ...titled,
  kind: v.literal('graph'),
  /** `state`: when it was found waiting, or its program had returned. */
  nodes: v.array(v.object({ label: text, state: v.picklist(['waits', 'returned']) })),
  /** `from` and `to` are indices of nodes. */
  edges: v.array(v.object({ from: number, to: number, label: text })),
})

const verificationShape = v.object({
  /** Sampled entries (matmul) and sampled words (uploads) compared with the reference. */
  checked: number,
  failed: number,
  /**
   * Largest |got − expected| / scale, where scale is what the tolerance is relative to. JSON has no
   * infinity: an error beyond all bounds (a result that is no number) stands as null in a file.
   */
  maxRelativeError: maybe,
  tolerance: number,
  what: text,
})

/** Facts that a device reports when asked, not measured. */
const deviceFacts = {
  adapter: v.object({
    ...adapter.entries,
    subgroupMinSize: v.exactOptional(number),
    subgroupMaxSize: v.exactOptional(number),
  }),
  /** One line for a person: 'NVIDIA H200' or 'SwiftShader (software, on the CPU)'. */
  adapterName: text,
  isSoftware: flag,
  features: v.array(text),
  limits: dictionary(number),
  userAgent: text,
  crossOriginIsolated: flag,
  hardwareConcurrency: number,
}

/**
 * The capability report: a device, and what was measured on it. Null: it could not be measured.
 */
const environmentShape = v.object({
  ...deviceFacts,
  hostClockStepUs: number,
  /** Null without timestamp-query. 65536 = the quantization an ordinary visitor of Chrome gets. */
  deviceClockStepNs: maybe,
  /**
   * From submit() to onSubmittedWorkDone() seen, with nothing submitted but an empty command
   * buffer. Median.
   */
  emptySubmitLatencyMs: maybe,
  /**
   * submit() to onSubmittedWorkDone() seen, less the kernel's own device time, for a kernel of 2
   * ms. Median, queue idle.
   */
  completionLatencyMs: maybe,
  /**
   * Two empty passes around a copy time it here: the time between them grows with its bytes. Left
   * out where it was not tried.
   */
  copyTimingWorks: v.exactOptional(flag),
  matmulGflops: maybe,
})

const reportShape = v.object({
  schema: v.literal('host-device-lab/report@1'),
  experiment: text,
  params: settingsShape,
  derived: dictionary(scalarShape),
  environment: environmentShape,
  metrics: v.array(metricShape),
  /** Charts of the metrics; left out where an experiment has none. */
  figures: v.exactOptional(v.array(v.variant('kind', [pointFigure, barFigure, graphFigure]))),
  verdict: v.object({
    /** A run that does not count (`validity.valid` is false) is 'invalid', and nothing else. */
    outcome: v.picklist(['shown', 'not-shown', 'inconclusive', 'invalid']),
    /**
     * One or two sentences with the figures; for not-shown why on this machine, for inconclusive
     * what to change, for invalid why.
     */
    text,
    /**
     * Machine-readable branch, so that prose can have its own words: 'stall-dominates',
     * 'cores-shared', 'intervals-overlap', …
     */
    reason: text,
  }),
  verification: verificationShape,
  clock: v.object({
    /** Half-width of the band at its median over the run, µs; null where there is no fit. */
    offsetBoundUs: maybe,
    /** Fitted rate of the device's clock against the host's, parts per million, [low, high]. */
    driftPpm: v.nullable(pair),
    /** Timestamps that failed the sanity gate. */
    rejected: number,
    snapshots: number,
    state: v.picklist(['fitted', 'no-timestamps', 'infeasible']),
  }),
  /** `reasons`: each a sentence, 'The tab was hidden during the run.' */
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

export type FileHeader = Fixed<v.InferOutput<ReturnType<typeof headerShape>>>
export type FileReport = NonNullable<FileHeader['report']>
export type FileFigure<Shape extends 'points' | 'bars' | 'graph'> = Fixed<
  v.InferOutput<
    {
      readonly points: typeof pointFigure
      readonly bars: typeof barFigure
      readonly graph: typeof graphFigure
    }[Shape]
  >
>
export type DeviceFacts = Pick<FileReport['environment'], keyof typeof deviceFacts>
