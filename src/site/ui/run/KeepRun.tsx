/** Keeps the run on the page in this browser, under a name. */
import { useId, useState, type SyntheticEvent } from 'react'
import type { Fault } from '../../../base/fault'
import { inBackground } from '../../state/in-background'
import { standardName } from '../../state/kept-run'
import { MAX_NAME } from '../../state/kept-runs-store'
import type { Trace } from '../../../trace/schema'
import { endedRun, type RunState } from '../../state/run-store'
import { addressOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'
import { Button } from '../Button'
import './share.css'

export interface KeepRunProps {
  readonly run: RunState
  /** What it is called so far: the name of its file. */
  readonly called?: string | undefined
  /** Where it was opened from, if it is kept already. */
  readonly keptKey?: string | undefined
}

export const KeepRun = ({ run, called, keptKey }: KeepRunProps) => {
  const { kept } = useLab()
  const id = useId()
  const [name, setName] = useState('')
  /** What was kept just now, by which a trace without a date is known again. */
  const [done, setDone] = useState<{ readonly trace: Trace; readonly key: string } | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const entries = useStore(kept.store, (state) => state.entries)
  const ended = endedRun(run)
  if (!ended) return null
  const { info } = ended.trace
  const ownKey = done?.trace === ended.trace ? done.key : keptKey
  const own = entries.find((entry) =>
    info.experiment === ''
      ? entry.key === ownKey
      : entry.run?.experiment === info.experiment && entry.run.startedAt === info.startedAt,
  )
  const standard = called ?? standardName(ended.trace)
  const keepAs = (called: string) => {
    const work = async () => {
      const answer = await kept.keep(ended, called)
      if (answer.ok) setDone({ trace: ended.trace, key: answer.value })
      setFault(answer.ok ? null : answer.error)
    }
    inBackground(work())
  }
  const keep = (event: SyntheticEvent) => {
    event.preventDefault()
    keepAs(name.trim() === '' ? standard : name)
  }
  return (
    <div className="keep cluster-8-24 split no-print" data-testid="keep">
      {own?.run ? (
        <p className="small" role="status">
          Kept in this browser as <strong>{own.run.name}</strong>.{' '}
          <a href={addressOf({ page: 'runs' })}>Your runs</a>
        </p>
      ) : (
        <form className="keep-form shrinks cluster-8" onSubmit={keep}>
          <label htmlFor={id} className="small quiet">
            Keep this run as
          </label>
          <input
            id={id}
            type="text"
            maxLength={MAX_NAME}
            value={name}
            placeholder={standard}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="small" label="Keep" />
        </form>
      )}
      {fault && <FaultNotice fault={fault} />}
    </div>
  )
}
