/** Keeps the run on the page in this browser, under a name; and the ways on from there: the list, and the comparison. */
import { useId, useState, type SyntheticEvent } from 'react'
import type { Fault } from '../../base/fault'
import { inBackground } from '../../state/in-background'
import { hasKeptNotes, standardName } from '../../state/kept-run'
import { endedRun } from '../../state/run-history'
import type { RunState } from '../../state/run-store'
import { formatHash } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'

export const KeepRun = ({ run }: { readonly run: RunState }) => {
  const { kept, history } = useLab()
  const id = useId()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const entries = useStore(kept.store, (state) => state.entries)
  const before = useStore(history.store, (state) => state.before)
  const ended = endedRun(run)
  if (!ended) return null
  const { info } = ended.trace
  const own = entries.find(
    (entry) => entry.run?.experiment === info.experiment && entry.run.startedAt === info.startedAt,
  )
  const keep = (event: SyntheticEvent) => {
    event.preventDefault()
    const work = async () => {
      const answer = await kept.keep(ended, name)
      setFault(answer.ok ? null : answer.error)
    }
    inBackground(work())
  }
  const comparable = before !== null && before.trace.info.experiment === info.experiment
  return (
    <div className="keep no-print" data-testid="keep">
      {own?.run ? (
        <p className="small" role="status">
          Kept in this browser as <strong>{own.run.name}</strong>.{' '}
          <a href={formatHash({ page: 'runs' })}>Your runs</a>
          {!hasKeptNotes(own.run, ended.trace) && (
            <>
              {' · '}
              <button type="button" className="button button-small" onClick={keep}>
                Keep its notes as they are now
              </button>
            </>
          )}
        </p>
      ) : (
        <form className="keep-form" onSubmit={keep}>
          <label htmlFor={id} className="small quiet">
            Keep this run as
          </label>
          <input
            id={id}
            type="text"
            maxLength={120}
            value={name}
            placeholder={standardName(ended.trace)}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value)
            }}
          />
          <button type="submit" className="button button-small">
            Keep
          </button>
        </form>
      )}
      <p className="small">
        {comparable && (
          <>
            <a href={formatHash({ page: 'compare', query: { a: 'before', b: 'page' } })}>
              Compare with the run before
            </a>
            {' · '}
          </>
        )}
        <a href={formatHash({ page: 'compare', query: { a: 'page', b: 'page' } })}>
          Compare its variants, or with another run
        </a>
      </p>
      {fault && <FaultNotice fault={fault} />}
    </div>
  )
}
