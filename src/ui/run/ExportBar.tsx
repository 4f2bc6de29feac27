/** The run as files, made in the page: nothing is sent anywhere. */
import { useState } from 'react'
import { findExperiment } from '../../experiments/metas'
import type { RunState } from '../../state/run-store'
import { toFault } from '../../base/fault'
import type { Timeline } from '../../timeline/types'
import { formatCount } from '../format'
import { useLab } from '../lab-context'
import { saveFile as save } from '../save-file'
import { CopyLink } from './CopyLink'
import { KeepRun } from './KeepRun'
import type { SharePlace } from './links'
import { imageCaption } from './image-caption'
import { ImageButtons } from './ImageButtons'

export interface ExportBarProps {
  readonly run: RunState
  /** What pictures are made of; null before it is there. */
  readonly timeline: Timeline | null
  /** Where a link to it leads. */
  readonly place: SharePlace
  /** The name of the file that it was opened from. */
  readonly called?: string
  readonly keptKey?: string | undefined
}

export const ExportBar = ({ run, timeline, place, called, keptKey }: ExportBarProps) => {
  const { files } = useLab()
  const [said, setSaid] = useState('')
  const trace = run.placed?.trace
  if (!trace) return null
  const name = called
    ? called.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)
    : `${run.experiment || 'run'}-${trace.info.startedAt.replaceAll(/[:.]/g, '-')}`
  const title = called ?? findExperiment(run.experiment ?? '')?.title ?? (run.experiment || 'A run')
  const exports: readonly {
    readonly label: string
    readonly file: string
    readonly make: () => Promise<void>
  }[] = [
    {
      label: 'Trace Event .json',
      file: `${name}.trace.json`,
      make: async () => {
        save(`${name}.trace.json`, [await files.file('trace-event', trace, run.report)], 'application/json')
      },
    },
    {
      label: '.json.gz',
      file: `${name}.trace.json.gz`,
      make: async () => {
        const zipped = await files.file('trace-event-gzip', trace, run.report)
        save(`${name}.trace.json.gz`, [zipped], 'application/gzip')
      },
    },
    {
      label: 'Spans .csv',
      file: `${name}.spans.csv`,
      make: async () => {
        save(`${name}.spans.csv`, [await files.file('spans-csv', trace, null)], 'text/csv')
      },
    },
    {
      label: 'Report .json',
      file: `${name}.report.json`,
      make: () => {
        save(`${name}.report.json`, [JSON.stringify(run.report, null, 2)], 'application/json')
        return Promise.resolve()
      },
    },
    {
      label: 'Lab run .hdl.gz',
      file: `${name}.hdl.gz`,
      make: async () => {
        const file = await files.file('own-gzip', trace, run.report)
        save(`${name}.hdl.gz`, [file], 'application/gzip')
      },
    },
  ]
  return (
    <>
      <KeepRun run={run} called={called} keptKey={keptKey} />
      <div className="export-bar" role="group" aria-label="Save this run">
        <span className="small quiet">Save</span>
        {exports.map(({ label, file, make }) => (
          <button
            key={label}
            type="button"
            className="button button-small"
            disabled={label.startsWith('Report') && !run.report}
            onClick={() => {
              make().then(
                () => {
                  setSaid(`Saved ${file}`)
                },
                (thrown: unknown) => {
                  setSaid(`Could not save ${file}: ${toFault(thrown).message}`)
                },
              )
            }}
          >
            {label}
          </button>
        ))}
        <CopyLink run={run} place={place} onSaid={setSaid} />
        <button
          type="button"
          className="button button-small"
          title="Opens Perfetto in a window of its own and gives it this run; nothing is uploaded"
          onClick={() => {
            setSaid('')
            files.openInPerfetto(trace, run.report, name).then(setSaid, (thrown: unknown) => {
              setSaid(toFault(thrown).message)
            })
          }}
        >
          Open in Perfetto
        </button>
        {run.origin === 'live' && (
          <button
            type="button"
            className="button button-small"
            title="Adds this run’s lanes as tracks to a recording that is going on in Chrome’s Performance panel"
            onClick={() => {
              files.showInDevTools(trace).then(
                (count) => {
                  setSaid(
                    `${formatCount(count, 'span')} given to the Performance panel, which shows them if it was recording during the run and is now`,
                  )
                },
                (thrown: unknown) => {
                  setSaid(`Could not reach the Performance panel: ${toFault(thrown).message}`)
                },
              )
            }}
          >
            To Chrome’s Performance panel
          </button>
        )}
      </div>
      {timeline && (
        <ImageButtons
          timeline={timeline}
          file={`${name}.timeline`}
          caption={() => imageCaption(title, trace.info, run.report, window.location)}
          onSaid={setSaid}
        />
      )}
      {/* There before it says anything: a status that comes with its words is often not read out. */}
      <p role="status" className="small quiet export-said">
        {said}
      </p>
    </>
  )
}
