/** The runs kept in this browser: open, compare, rename, save, delete and bring back; and a door for files from elsewhere. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Fault } from '../../../base/fault'
import type { Result } from '../../../base/result'
import { inBackground } from '../../state/in-background'
import type { ImportAnswer } from '../../state/kept-runs-store'
import { addressOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { formatCount } from '../format'
import { useLab } from '../lab-context'
import { useDroppedFiles } from '../import/dropped-files'
import { FileButton } from '../import/FileButton'
import { ImportBar } from '../import/ImportBar'
import { useStore } from '../use-store'
import { useTitle } from '../use-title'
import { KeptRow } from './KeptRow'
import { LessonRunList } from './LessonRunList'
import '../run/run.css'
import '../run/share.css'
import './runs.css'

const Answers = ({ answers }: { readonly answers: readonly ImportAnswer[] }) => {
  const kept = answers.filter(({ result }) => result.ok).length
  return (
    <div role="status" data-testid="import-answers">
      {answers.length > 0 && (
        <p className="small">
          {formatCount(kept, 'file')} of {String(answers.length)} kept.
        </p>
      )}
      {answers.map(({ file, result }, index) =>
        result.ok ? null : (
          <p key={`${String(index)} ${file}`} className="small warn">
            <strong>{file}</strong>: {result.error.message}
          </p>
        ),
      )}
    </div>
  )
}

export const RunsPage = () => {
  const { kept } = useLab()
  const { entries, deleted, phase, fault: unavailable, importing } = useStore(kept.store)
  const [fault, setFault] = useState<Fault | null>(null)
  const [answers, setAnswers] = useState<readonly ImportAnswer[]>([])
  /** Its way back takes the focus: the button that was pressed is gone. */
  const [justDeleted, setJustDeleted] = useState<string | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useTitle('Your runs')
  useEffect(() => {
    inBackground(kept.refresh())
  }, [kept])

  const tell = (work: Promise<Result<unknown>>) =>
    inBackground(work.then((answer) => setFault(answer.ok ? null : answer.error)))
  const take = useCallback(
    (files: readonly File[]) => {
      if (files.length > 0) inBackground(kept.importFiles(files).then(setAnswers))
    },
    [kept],
  )
  const isOver = useDroppedFiles(take)

  return (
    <section className="page runs top stack-24" data-over={isOver || undefined} aria-labelledby="runs-title">
      <header className="page-head stack-12">
        <h1 id="runs-title" ref={title} tabIndex={-1}>
          Your runs
        </h1>
        <p className="lead">
          Runs that you kept lie in this browser, on this machine, and nowhere else. A browser may clear what
          pages keep: save the ones that matter as files.
        </p>
      </header>
      {unavailable && <FaultNotice fault={unavailable} />}
      {fault && !unavailable && <FaultNotice fault={fault} />}
      <div className="cluster-8-16 no-print">
        <FileButton label="Import runs" look="small" multiple onFiles={take} />
        <span className="small quiet">
          one or several files, of the lab or of other profilers; or drop them on this page
        </span>
      </div>
      {importing && <ImportBar file={importing} doing="Importing" onCancel={kept.cancelImport} />}
      <Answers answers={answers} />
      {phase === 'ready' && entries.length === 0 && (
        <p>
          None is kept under a name yet. After a run, in a <a href={addressOf({ page: 'home' })}>lesson</a> or
          an <a href={addressOf({ page: 'experiments' })}>experiment</a>, press <strong>Keep</strong>: it will
          stand here, to be opened and compared.
        </p>
      )}
      {entries.length > 0 && (
        <ul className="stack-4" aria-label="Kept runs">
          {entries.map((entry) => (
            <KeptRow key={entry.key} entry={entry} tell={tell} onDelete={setJustDeleted} />
          ))}
        </ul>
      )}
      {/* Always there, so that what changes in it is announced. */}
      <div role="status" className="runs-deleted stack-8" data-testid="deleted">
        {deleted.length > 0 && (
          <>
            <h2 className="size-3">Deleted</h2>
            <p className="small quiet">
              Kept for a day, unless the room is needed sooner.{' '}
              <button type="button" className="link-button" onClick={() => tell(kept.clearDeleted())}>
                Clear them away for good
              </button>
            </p>
            <ul className="stack-4">
              {deleted.map(({ key, run }) => (
                <li key={key} className="cluster-8-16">
                  {run?.name ?? 'an entry that could not be read'}{' '}
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`Undo: bring back ${run?.name ?? 'the entry that could not be read'}`}
                    // oxlint-disable-next-line jsx-a11y/no-autofocus
                    autoFocus={key === justDeleted}
                    onClick={() => {
                      title.current?.focus()
                      tell(kept.restore(key))
                    }}
                  >
                    Undo
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <LessonRunList />
    </section>
  )
}
