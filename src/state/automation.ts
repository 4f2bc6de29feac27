/**
 * `globalThis.hostDeviceLab`: the same page driven by a program, for the command line and end-to-end tests. A client of the stores like
 * any component; nothing can be done here that a visitor cannot do.
 */
import type { Fault } from '../base/fault'
import { toFault } from '../base/fault'
import type { Result } from '../base/result'
import type { ParamValues } from '../experiments/experiment'
import type { Environment, Report } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import type { LabClient } from '../worker/client-types'
import type { Progress } from '../experiments/progress'
import type { RunOptions } from '../worker/protocol'
import type { RunFiles } from './run-files'
import type { RunStore } from './run-store'

export interface AutomationOutcome {
  readonly status: 'done' | 'failed' | 'skipped' | 'cancelled'
  readonly report?: Report
  readonly info?: RunInfo
  readonly fault?: Fault
  readonly reason?: string
}

export interface Automation {
  readonly version: 1
  environment: (full: boolean) => Promise<{ readonly environment?: Environment; readonly fault?: Fault }>
  /** Parameters as text, checked against the experiment's schema before anything runs. */
  run: (
    experiment: string,
    params: Readonly<Record<string, string>>,
    options?: Partial<RunOptions>,
  ) => Promise<AutomationOutcome>
  cancel: () => void
  destroyDevice: () => void
  progress: () => Progress | null
  lastTrace: () => Trace | null
  /** Trace Event JSON of the run on the page. */
  traceEventJson: () => Promise<string>
  /** The run on the page in the lab's own format, gzipped, in base64. */
  runBytes: () => Promise<string>
}

export interface AutomationParts {
  readonly client: LabClient
  readonly run: RunStore
  readonly files: RunFiles
  /** Fault for an unknown experiment, parameter or value. */
  readonly check: (experiment: string, raw: Readonly<Record<string, string>>) => Result<ParamValues>
}

/** btoa takes a string of bytes; spread in slices, since an argument list has a limit. */
function toBase64(bytes: Uint8Array): string {
  const SLICE = 0x8000
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(text)
}

export function createAutomation({ client, run, files, check }: AutomationParts): Automation {
  const shown = (): { trace: Trace; report: Report | null } => {
    const trace = run.trace()
    if (!trace) throw new Error('No run on the page yet.')
    return { trace, report: run.store.getState().report }
  }
  return {
    version: 1,
    environment: async (full) => {
      try {
        return { environment: await client.probe(full) }
      } catch (thrown) {
        return { fault: toFault(thrown) }
      }
    },
    run: async (experiment, raw, options) => {
      const checked = check(experiment, raw)
      if (!checked.ok) return { status: 'failed', fault: checked.error }
      return await run.start({
        owner: `run/${experiment}`,
        experiment,
        params: checked.value,
        ...(options ? { options } : {}),
      })
    },
    cancel: () => {
      run.cancel()
    },
    destroyDevice: () => {
      client.destroyDevice()
    },
    progress: () => run.store.getState().progress,
    lastTrace: () => run.trace(),
    traceEventJson: async () => {
      const { trace, report } = shown()
      return await (await files.file('trace-event', trace, report)).text()
    },
    runBytes: async () => {
      const { trace, report } = shown()
      return toBase64(await files.runBytes(trace, report))
    },
  }
}
