/** One kept run: what is said of it, and what can be done with it. */
import { useId, useState, type SyntheticEvent } from 'react'
import { findExperiment } from '../../../experiments/catalog'
import { succeed, type Result } from '../../../base/result'
import { localTime, type KeptRun } from '../../state/kept-run'
import { MAX_NAME, type KeptEntry } from '../../state/kept-runs-store'
import { formatMetric, formatQuantity } from '../format'
import { useLab } from '../lab-context'
import { saveFile } from '../save-file'
import { Button } from '../Button'

export interface KeptRowProps {
  readonly entry: KeptEntry
  /** Says what came of it, where it did not work. */
  readonly tell: (work: Promise<Result<unknown>>) => void
  readonly onDelete: (key: string) => void
}

const headlineText = ({ headline, experiment }: KeptRun): string | null => {
  if (!headline) return null
  const label = findExperiment(experiment)?.metrics.find(({ name }) => name === headline.name)?.label
  const of = headline.variant === '' ? '' : ` (${headline.variant})`
  return `${label ?? headline.name}${of}: ${formatMetric(headline)}`
}

const Facts = ({ run }: { readonly run: KeptRun }) => {
  const headline = headlineText(run)
  return (
    <p className="kept-facts cluster tabular small quiet">
      <span>{findExperiment(run.experiment)?.title ?? (run.experiment || 'imported')}</span>
      <span>
        {run.adapterName === '' ? 'adapter not named' : run.adapterName}
        {run.isSoftware && !/software/i.test(run.adapterName) ? ', which is software' : ''}
      </span>
      {run.startedAt !== '' && <span>{localTime(run.startedAt)}</span>}
      <span>{headline ?? 'no figures'}</span>
      <span>{formatQuantity(run.sizeBytes, 'bytes')}</span>
    </p>
  )
}

interface RenameProps {
  readonly run: KeptRun
  readonly onDone: (name: string | null) => void
}

const Rename = ({ run, onDone }: RenameProps) => {
  const [name, setName] = useState(run.name)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onDone(name)
  }
  return (
    <form className="keep-form shrinks cluster-8" onSubmit={submit}>
      <input
        type="text"
        aria-label={`New name of ${run.name}`}
        maxLength={MAX_NAME}
        value={name}
        // Asked for by the press of 'Rename' just now.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(null)
        }}
      />
      <Button type="submit" look="small" label="Save the name" />
    </form>
  )
}

export const KeptRow = ({ entry: { key, run }, tell, onDelete }: KeptRowProps) => {
  const { kept, run: runs, route } = useLab()
  const renameId = useId()
  const [renaming, setRenaming] = useState(false)
  const name = run?.name ?? 'an entry that could not be read'
  const open = async (): Promise<Result<unknown>> => {
    const read = await kept.open(key)
    if (!read.ok) return read
    const { experiment } = read.value.trace.info
    if (!findExperiment(experiment)) {
      // From elsewhere, or of an experiment that this lab does not have: shown as what it is, a trace.
      route.go({ page: 'trace', query: { kept: key } })
      return succeed(undefined)
    }
    runs.load(`run/${experiment}`, read.value)
    route.go({ page: 'run', id: experiment, query: {} })
    return succeed(undefined)
  }
  const save = async (): Promise<Result<unknown>> => {
    const read = await kept.bytes(key)
    const file = `${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)}.hdl.gz`
    if (read.ok) saveFile(file, [read.value], 'application/gzip')
    return read
  }
  const remove = () => {
    onDelete(key)
    return kept.remove(key)
  }
  const telling = (work: () => Promise<Result<unknown>>) => () => tell(work())
  const action = (label: string, act: () => void, id?: string) => (
    <Button label={label} id={id} look="small" aria-label={`${label}: ${name}`} onClick={act} />
  )
  const rename = () => setRenaming(true)
  return (
    <li className="kept-row stack panel">
      <div>
        {run && renaming ? (
          <Rename
            run={run}
            onDone={(next) => {
              setRenaming(false)
              // The field that had the focus is gone.
              document.getElementById(renameId)?.focus()
              if (next !== null) tell(kept.rename(key, next))
            }}
          />
        ) : (
          <h2>{name}</h2>
        )}
        {run ? (
          <Facts run={run} />
        ) : (
          <p className="small quiet">
            What is said of it is from another version of the lab, or damaged. Its bytes can be saved as a
            file.
          </p>
        )}
      </div>
      <div className="button-row no-print" role="group" aria-label={`What to do with ${name}`}>
        {run && action('Open', telling(open))}
        {run && action('Rename', rename, renameId)}
        {action('Save as a file', telling(save))}
        {action('Delete', telling(remove))}
      </div>
    </li>
  )
}
