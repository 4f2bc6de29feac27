/**
 * `globalThis.hostDeviceLab`: the same page driven by a program, for the command line and
 * end-to-end tests. A client of the stores like any component; nothing can be done here that a
 * visitor cannot do.
 */
import type { Fault, Result } from '../../base/fault'
import { toFault } from '../../base/fault'
import type { ParamValues } from '../../experiments/experiment'
import type { DeviceFacts, Environment, Report } from '../../trace/report'
import type { RunInfo } from '../../trace/schema'
import type { Grade, Graded } from '../../exercises/types'
import type { LabClient } from '../worker/client'
import type { RunOptions } from '../worker/protocol'
import type { RunFiles } from './run-files'
import type { RunStore } from './run-store'

export interface AutomationOutcome {
  readonly status: 'done' | 'failed' | 'cancelled'
  readonly report?: Report
  readonly info?: RunInfo
  readonly fault?: Fault
}

export type Automation = ReturnType<typeof createAutomation>

interface Described {
  readonly device?: DeviceFacts
  readonly environment?: Environment
  readonly fault?: Fault
}

interface GradingOptions {
  /** Of the mend, from 1; without it the last. */
  readonly rung?: number
  /**
   * 'last': held against the unchanged program and the lab's own as they last ran on this page,
   * instead of new runs of them.
   */
  readonly beside?: 'last'
}

interface AutomationParts {
  readonly client: LabClient
  readonly run: RunStore
  readonly files: RunFiles
  /** Runs and grades a program; rejects where the lesson has no mend, or there is no device. */
  readonly grade: (
    lesson: string,
    source: string,
    options: { readonly rung?: number; readonly beside?: Graded },
  ) => Promise<Graded>
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

export function createAutomation({ client, run, files, check, grade }: AutomationParts) {
  const shown = () => {
    const trace = run.trace()
    if (!trace) throw new Error('No run on the page yet.')
    return { trace, report: run.store.getState().report }
  }
  /** By lesson: the last grading that came to all three programs. */
  const besides = new Map<string, Graded>()
  return {
    version: 1 as const,
    /** What the device says of itself; with `measured` true what is measured on it too. */
    environment: async (measured: boolean): Promise<Described> => {
      try {
        if (!measured) return { device: await client.describe() }
        const environment = await client.measure()
        return { device: environment, environment }
      } catch (thrown) {
        return { fault: toFault(thrown) }
      }
    },
    /** Parameters as text, checked against the experiment's schema before anything runs. */
    run: async (
      experiment: string,
      raw: Readonly<Record<string, string>>,
      options?: Partial<RunOptions>,
    ): Promise<AutomationOutcome> => {
      const checked = check(experiment, raw)
      if (!checked.ok) return { status: 'failed', fault: checked.error }
      return await run.start({
        owner: `run/${experiment}`,
        experiment,
        params: checked.value,
        ...(options ? { options } : {}),
      })
    },
    /**
     * A program as the mend of a lesson: run beside the unchanged one and the lab's own, and
     * graded.
     */
    grade: async (lesson: string, source: string, { rung, beside }: GradingOptions = {}): Promise<Grade> => {
      const key = `${lesson} ${String(rung)}`
      const last = beside && besides.get(key)
      if (beside && !last) throw new Error(`Nothing of ${lesson} was graded on this page yet.`)
      const graded = await grade(lesson, source, {
        ...(rung === undefined ? {} : { rung }),
        ...(last ? { beside: last } : {}),
      })
      const { passed, checks, evidence } = graded
      if (evidence.start && evidence.reference) besides.set(key, graded)
      return { passed, checks }
    },
    cancel: run.cancel,
    destroyDevice: client.destroyDevice,
    progress: () => run.store.getState().progress,
    /** Trace Event JSON of the run on the page. */
    traceEventJson: async () => {
      const { trace, report } = shown()
      const file = await files.file('trace-event-gzip', trace, report)
      return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text()
    },
    /** The run on the page in the lab's own format, gzipped, in base64. */
    runBytes: async () => {
      const { trace, report } = shown()
      return toBase64(await files.runBytes(trace, report))
    },
  }
}
