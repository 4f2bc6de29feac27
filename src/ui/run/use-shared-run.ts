/** The run in an address: read in a worker, shown as it came, kept nowhere. Opening it asks nothing of the device. */
import { useEffect, useMemo, useState } from 'react'
import { toFault, type Fault } from '../../base/fault'
import { fail, succeed, type Result } from '../../base/result'
import { readAnyFile } from '../../state/import-store'
import { endedState } from '../../state/run-store'
import type { RunState } from '../../state/run-store'
import { useLab } from '../lab-context'

export interface SharedRun {
  readonly run: RunState | null
  readonly fault: Fault | null
}

const NOTHING: SharedRun = { run: null, fault: null }

const otherExperiment = (is: string, wanted: string): Fault => ({
  code: 'file',
  message: `The link holds a run of ‘${is}’, and this page is about ‘${wanted}’.`,
  hint: 'Ask for the link anew: its address was changed on the way.',
})

/** `text` undefined: the address holds no run. */
export function useSharedRun(text: string | undefined, experiment: string): SharedRun {
  const { importer, tools } = useLab()
  const [read, setRead] = useState<SharedRun & { readonly text: string }>({ text: '', ...NOTHING })
  useEffect(() => {
    if (text === undefined) return undefined
    const stop = new AbortController()
    const { signal } = stop
    const open = async (): Promise<Result<RunState> | null> => {
      const run = await readAnyFile(
        importer,
        { link: text },
        { origin: 'imported', gaps: 'of-repeats', signal },
      )
      if (!run?.ok) return run
      const { trace } = run.value
      if (trace.info.experiment !== experiment)
        return fail(otherExperiment(trace.info.experiment, experiment))
      return succeed(endedState('shared', run.value, tools))
    }
    open()
      .catch((thrown: unknown) => fail({ ...toFault(thrown), code: 'file' as const }))
      .then((opened) => {
        if (signal.aborted || !opened) return
        setRead(
          opened.ok ? { text, run: opened.value, fault: null } : { text, run: null, fault: opened.error },
        )
      })
      .catch(reportError)
    return () => {
      stop.abort()
    }
  }, [text, experiment, importer, tools])
  return useMemo(() => (text !== undefined && read.text === text ? read : NOTHING), [text, read])
}
