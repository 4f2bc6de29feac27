/** What the header of a saved run must look like for the rest of the lab to rely on it. Their types hold them to those of the lab. */
import {
  dictionary,
  either,
  flag,
  index,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  type Check,
} from '../base/shape'
import { REPORT_SCHEMA, VERDICT_OUTCOMES, type Report, type Verification } from './report'
import {
  MAX_ANNOTATION_CHARACTERS,
  MAX_ANNOTATIONS,
  type Annotation,
  type ClockDomain,
  type Lane,
  type RunInfo,
} from './schema'

const MAX_DATE_CHARACTERS = 40

const scalar = either(text, number, flag)
const values = dictionary(either(scalar, list(text)))

const decimal: Check<string> = (value, path) =>
  typeof value === 'string' && /^\d{1,20}$/.test(value) ? null : `${path} is not a tick in decimal`
const step: Check<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? null : `${path} is not a clock step`

const adapter = object({
  vendor: text,
  architecture: text,
  device: text,
  description: text,
  isFallbackAdapter: flag,
})

export const infoShape: Check<RunInfo> = object({
  experiment: text,
  params: values,
  derived: dictionary(scalar),
  adapter: nullable(adapter),
  userAgent: text,
  crossOriginIsolated: flag,
  startedAt: text,
  origin: oneOf('live', 'recorded', 'imported'),
  distributed: optional(object({ rank: number, worldSize: number, backend: text })),
})

export const clocksShape: Check<readonly ClockDomain[]> = list(
  object({ kind: oneOf('host', 'device'), name: text, originMs: number, originTick: decimal, stepNs: step }),
)

export const lanesShape = (clockCount: number): Check<readonly Lane[]> => {
  const each = object({
    kind: oneOf('host', 'queue', 'staging', 'device', 'other'),
    name: text,
    clock: index(clockCount),
    group: text,
  })
  const listOfThem = list(each)
  return (value, path) => {
    const problem = listOfThem(value, path)
    if (problem) return problem
    const ids = (value as readonly { readonly id: unknown }[]).map(({ id }) => id) // a list of objects, checked above
    return ids.every((id, position) => id === position) ? null : `${path} are not in the order of their ids`
  }
}

export const stringsShape = list(text)
export const countersShape = (laneCount: number) =>
  list(object({ name: text, unit: text, lane: index(laneCount) }))
export const rejectedShape = dictionary(number)

const note = object({ startNs: number, endNs: number, text, createdAt: text })
export const annotationsShape =
  (laneCount: number): Check<readonly Annotation[]> =>
  (value, path) => {
    const problem = list(note)(value, path)
    if (problem) return problem
    const notes = value as readonly Annotation[] // but for the lane, checked above
    if (notes.length > MAX_ANNOTATIONS) return `${path} are more than ${String(MAX_ANNOTATIONS)}`
    const lane = nullable(index(laneCount))
    for (const [at, each] of notes.entries()) {
      const where = `${path}[${String(at)}]`
      const laneProblem = lane(each.lane, `${where}.lane`)
      if (laneProblem) return laneProblem
      if (each.endNs < each.startNs) return `${where} ends before it begins`
      if (each.text.length > MAX_ANNOTATION_CHARACTERS)
        return `${where}.text is longer than ${String(MAX_ANNOTATION_CHARACTERS)} characters`
      if (each.createdAt.length > MAX_DATE_CHARACTERS) return `${where}.createdAt is no date`
    }
    return null
  }

const maybe = nullable(number)
const metric = object({
  name: text,
  variant: text,
  value: maybe,
  unit: oneOf('ratio', 'ms', 'us', 'ns', 'GB/s', 'GFLOP/s', 'flop/byte', 'count', 'bytes'),
  low: maybe,
  high: maybe,
  n: number,
  origin: oneOf('device-clock', 'host-clock', 'derived'),
  note: optional(text),
})

const pair: Check<readonly [number, number]> = (value, path) => {
  const problem = list(number)(value, path)
  return problem ?? ((value as readonly number[]).length === 2 ? null : `${path} is not a pair`) // a list, checked above
}

const hue = oneOf('host', 'wait', 'queue', 'staging', 'transfer', 'device', 'idle')
const axis = object({ label: text, unit: text, scale: oneOf('linear', 'log2', 'log10') })
const interval = { low: maybe, high: maybe }
const barValue = object({ value: number, ...interval })
const titled = { id: text, title: text, caption: text }
const pointFigure = object({
  ...titled,
  kind: oneOf(undefined, 'points'),
  x: axis,
  y: axis,
  series: list(
    object({
      id: text,
      label: text,
      hue,
      marks: oneOf('points', 'points-and-line', 'line'),
      points: list(object({ x: number, y: number, ...interval, label: text })),
    }),
  ),
  thresholds: list(object({ axis: oneOf('x', 'y'), value: number, ...interval, label: text })),
})
const barFigure = object({
  ...titled,
  kind: oneOf('bars'),
  axis: object({ label: text, unit: text }),
  parts: list(object({ id: text, label: text, hue })),
  bars: list(object({ label: text, parts: dictionary(barValue), total: nullable(barValue) })),
  thresholds: list(object({ value: number, ...interval, label: text })),
})
const graphFigure = object({
  ...titled,
  kind: oneOf('graph'),
  nodes: list(object({ label: text, state: oneOf('waits', 'returned') })),
  edges: list(object({ from: number, to: number, label: text })),
})

/** JSON has no infinity: an error beyond all bounds (a result that is no number) stands as null in a file. */
export interface FileReport extends Omit<Report, 'verification'> {
  readonly verification: Omit<Verification, 'maxRelativeError'> & { readonly maxRelativeError: number | null }
}

export const reportShape: Check<FileReport | null> = nullable(
  object({
    schema: oneOf(REPORT_SCHEMA),
    experiment: text,
    params: values,
    derived: dictionary(scalar),
    environment: object({
      adapter,
      adapterName: text,
      isSoftware: flag,
      features: list(text),
      limits: dictionary(number),
      userAgent: text,
      crossOriginIsolated: flag,
      hardwareConcurrency: number,
      hostClockStepUs: number,
      deviceClockStepNs: maybe,
      emptySubmitLatencyMs: maybe,
      completionLatencyMs: maybe,
      completionLatencyBusyMs: maybe,
      completions: optional(list(object({ kernelMs: number, observedMs: number }))),
      copyTimingWorks: optional(flag),
      uploadGbPerS: maybe,
      readbackGbPerS: maybe,
      matmulGflops: maybe,
    }),
    metrics: list(metric),
    figures: optional(list(either(pointFigure, barFigure, graphFigure))),
    verdict: object({ outcome: oneOf(...VERDICT_OUTCOMES), text, reason: text }),
    verification: object({
      checked: number,
      failed: number,
      maxRelativeError: maybe,
      tolerance: number,
      what: text,
    }),
    clock: object({
      offsetBoundUs: maybe,
      driftPpm: nullable(pair),
      rejected: number,
      snapshots: number,
      state: oneOf('fitted', 'no-timestamps', 'infeasible'),
    }),
    validity: object({ valid: flag, reasons: list(text) }),
    warmUps: number,
    startedAt: text,
    durationMs: number,
  }),
)
