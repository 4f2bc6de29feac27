/** The main thread's view of the worker; `client.ts` implements it, tests fake it. */
import type { Fault } from '../../base/fault'
import type { ParamValues } from '../../experiments/experiment'
import type { DeviceFacts, Environment, Report } from '../../trace/report'
import type { RunInfo, TraceChunk } from '../../trace/schema'
import type { Progress } from '../../experiments/progress'
import type { RunOptions } from './protocol'

export interface RunListener {
  readonly started: (info: RunInfo) => void
  readonly progress: (progress: Progress) => void
  readonly chunk: (chunk: TraceChunk) => void
}

export type RunResult =
  | { readonly status: 'done'; readonly report: Report; readonly info: RunInfo }
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'skipped'; readonly reason: string }
  | { readonly status: 'cancelled' }

export interface LabClient {
  /** The capability report; `full` measures latencies and rates too (about a second). Rejects with FaultError. */
  describe: () => Promise<DeviceFacts>
  measure: () => Promise<Environment>
  /** One run at a time: a second call while one goes on rejects with FaultError. */
  run: (
    experiment: string,
    params: ParamValues,
    options: RunOptions,
    listener: RunListener,
  ) => Promise<RunResult>
  cancel: () => void
  setHidden: (hidden: boolean) => void
  destroyDevice: () => void
  onDeviceLost: (listener: (fault: Fault) => void) => () => void
  dispose: () => void
}
