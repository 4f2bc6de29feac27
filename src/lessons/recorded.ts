/**
 * What a lesson quotes of files that PyTorch wrote on a machine with CUDA: profiles of torch.profiler, and JSON of the scripts in
 * public/companion/. `<id>/recorded.ts` exports one RecordedSide. Each figure is worked out when its file has been read.
 */
import type { Bounded } from '../base/crossover'
import type { Prose } from '../experiments/declare/quote'
import type { Metric } from '../trace/report'

/** Where a file is from: the device, the day, PyTorch and CUDA. */
export interface RecordedOrigin {
  readonly device: string
  /** ISO. */
  readonly date: string
  /** 'PyTorch 2.11.0, CUDA 13.0' */
  readonly software: string
}

/** What the files say, worked out by the page's own analysis; null until it is read, or where the file does not say. */
export interface CudaFigures {
  /** Share of the time, first begin to last end on the device, in which kernels ran. */
  readonly kernelRatio: number | null
  /** The same with copies and memsets. */
  readonly busyRatio: number | null
  readonly stepMs: number | null
  /** Median length of a kernel. */
  readonly kernelMs: number | null
  /** Median time of the operation of PyTorch that launches a kernel, from begin to end on the host, the profiler's own time included. */
  readonly launchUs: number | null
  /** Share of the copies' time in which kernels ran too. */
  readonly hiddenCopyRatio: number | null
}

/** The files that were read. Null: it could not be loaded, or is not of that kind. */
export interface Recorded {
  readonly profile: (file: string) => CudaFigures | null
  readonly json: (file: string) => Json | null
  /** '0.35 ms', '91 %'; '×' is a factor. */
  readonly say: (value: number, unit: Metric['unit'] | '×') => string
}

export type Json = Readonly<Record<string, unknown>>

/** PyTorch's figure beside the lesson's number. */
interface RecordedFigure {
  readonly value: number
  readonly unit: Metric['unit'] | '×'
  /** To follow the figure; inline markup. */
  readonly words: string
}

interface RecordedHeadline {
  /** The lesson's metric that it stands beside. */
  readonly metric: string
  /** Under public/recordings/: its origin is shown with the figure. */
  readonly file: string
  /** In the unit of the metric and of the same quantity, so it has a place on the slider's axis. */
  readonly sameScale: boolean
  readonly figure: (recorded: Recorded) => RecordedFigure | null
}

export interface RecordedSide {
  /** Under public/recordings/: what the functions below ask for. */
  readonly files: readonly string[]
  readonly headlines: readonly RecordedHeadline[]
  /** Below the headline; `curves` are the metrics of the visitor's own run of a step, null where there is none. */
  readonly beside?: (recorded: Recorded, own: (step: string) => readonly Metric[] | null) => Prose
  /** Added to 'And in CUDA?'. */
  readonly carriesOver?: (recorded: Recorded) => Prose
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value)

export function numberIn(value: unknown, ...path: readonly string[]): number | null {
  const found = fieldOf(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

/** { median, low, high } as measuring.py writes it. */
export function medianIn(value: unknown, ...path: readonly string[]): Bounded | null {
  const found = fieldOf(value, ...path)
  const [median, low, high] = ['median', 'low', 'high'].map((name) => numberIn(found, name))
  return median == null || low == null || high == null ? null : { value: median, low, high }
}

export const pointsIn = (json: Json | null): readonly Json[] => {
  const points = json?.['points']
  return Array.isArray(points) ? (points as readonly unknown[]).filter(isJson) : []
}
