/**
 * The only door between threads: discriminated, plain data and transferables. One run at a time.
 * The build names the worker's script by its content, so page and worker are always of one version.
 */
import type { Fault } from '../../base/fault'
import type { DeviceFacts, Environment, Report } from '../../trace/report'
import type { RunInfo, TraceChunk } from '../../trace/schema'
import type { ParamValues } from '../../experiments/experiment'
import type { Progress } from '../../experiments/run-types'

export interface RunListener {
  readonly started: (info: RunInfo) => void
  readonly progress: (progress: Progress) => void
  readonly chunk: (chunk: TraceChunk) => void
}

export type RunResult =
  | { readonly status: 'done'; readonly report: Report; readonly info: RunInfo }
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'cancelled' }

export interface RunOptions {
  /**
   * false: chunks are held back until the run has ended, so that drawing cannot disturb what is
   * measured.
   */
  readonly live: boolean
}

export type Request =
  /** What the device says of itself: nothing runs on it. */
  | { readonly type: 'describe' }
  /** Measures the capability report. */
  | { readonly type: 'measure' }
  | {
      readonly type: 'run'
      readonly runId: number
      readonly experiment: string
      readonly params: ParamValues
      readonly options: RunOptions
    }
  | { readonly type: 'cancel'; readonly runId: number }
  /** The page became hidden or visible; a run that spans a hidden time is invalid. */
  | { readonly type: 'visibility'; readonly hidden: boolean }
  /** Destroys the GPUDevice, as a test wants it. */
  | { readonly type: 'destroy-device' }

export type WorkerEvent =
  | { readonly type: 'described'; readonly device: DeviceFacts }
  | { readonly type: 'measured'; readonly environment: Environment }
  /** An answer to 'describe' and 'measure' when there is no device to be had. */
  | { readonly type: 'unavailable'; readonly fault: Fault }
  | { readonly type: 'started'; readonly runId: number; readonly info: RunInfo }
  | { readonly type: 'progress'; readonly runId: number; readonly progress: Progress }
  | { readonly type: 'chunk'; readonly runId: number; readonly chunk: TraceChunk }
  | { readonly type: 'ended'; readonly runId: number; readonly ending: RunResult }
  /** The device went away outside a run. */
  | { readonly type: 'device-lost'; readonly fault: Fault }
