/**
 * recorder.js on this very page: a small program with a wait in each step. The page 'trace' shows
 * what was recorded of it.
 */
import { useState } from 'react'
import { adapter, isSoftware } from 'virtual:recorded-page'
import { toFault, type Fault } from '../../../base/fault'
import { inBackground } from '../../state/in-background'
import { FaultNotice } from '../FaultNotice'
import { useLazyLab, useShell } from '../lab-context'
import { CodeView } from '../source/CodeView'
import { useStore } from 'zustand'
import { lines } from './programs/trial.js?highlight'
// oxlint-disable-next-line import/default -- the file's address
import program from './programs/trial.js?url&no-inline'
import recording from './recorded/run.hdl.gz?url&no-inline'
import { Button } from '../Button'

/** A module that is a file of the site. @param address from the site's root, or whole */
const loadScript = (address: string): Promise<unknown> =>
  import(/* @vite-ignore */ new URL(address, document.baseURI).href)

/** What of them is called: neither is a module of the page's own. */
interface Recorder {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly save: () => Promise<Blob>
}
interface Program {
  /** The last number that came back. */
  readonly trial: () => Promise<number>
}
/** Its twelfth step begins with 11, and the kernel adds 1 four times. */
const LAST = 11 + 4

async function recorded(): Promise<Blob> {
  const { start, stop, save } = (await loadScript('recorder.js')) as Recorder
  const { trial } = (await loadScript(program)) as Program
  start()
  try {
    const last = await trial()
    if (last !== LAST)
      throw new Error(`The last number is ${String(last)} instead of ${String(LAST)}, so nothing is shown.`)
  } finally {
    await stop()
  }
  return await save()
}

async function kept(): Promise<Blob> {
  const answer = await fetch(recording)
  if (!answer.ok) throw new Error(`The recording could not be loaded: ${String(answer.status)}.`)
  return await answer.blob()
}

export const Trial = () => {
  const { load: loadLab } = useLazyLab()
  const { device, route } = useShell()
  const isUnavailable = useStore(device.store, ({ phase }) => phase === 'unavailable')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const open = async (name: string, origin: 'live' | 'recorded', take: () => Promise<Blob>) => {
    setIsBusy(true)
    setFault(null)
    try {
      const [file, { opened }] = await Promise.all([take(), loadLab()])
      route.go({ page: 'trace', query: {} })
      await opened.open({ name, from: '', origin, take: file })
    } catch (thrown) {
      setFault(toFault(thrown))
    }
    setIsBusy(false)
  }
  return (
    <section aria-labelledby="record-trial" className="stack-16" data-testid="trial">
      <h2 id="record-trial">Try it here</h2>
      <div className="record-parts stack">
        <div className="stack-16">
          <p>
            The program trial.js writes, dispatches and reads back, step by step, and awaits each result.
            recorder.js records it on this page, with your device.
          </p>
          {isUnavailable && (
            <p data-testid="no-trial">This browser has no WebGPU here, so the program cannot run.</p>
          )}
          <div className="button-row">
            {!isUnavailable && (
              <Button
                look="main"
                label="Run and record it"
                disabled={isBusy}
                onClick={() => inBackground(open('this page’s trial', 'live', recorded))}
              />
            )}
            <Button
              label="Open a recording"
              disabled={isBusy}
              onClick={() => inBackground(open(`the trial, recorded on ${adapter}`, 'recorded', kept))}
            />
          </div>
          <p className="small quiet">
            The recording is from {adapter}
            {isSoftware && ', which is software on a processor'}.
          </p>
          {fault && <FaultNotice fault={fault} />}
        </div>
        <CodeView title="trial.js" lines={lines} />
      </div>
    </section>
  )
}
