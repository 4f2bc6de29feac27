/** One menu beside Run: a link to these settings, a link with its result, the run kept in this browser, saved as a file, opened in Perfetto; the picture. */
import { useId, useState } from 'react'
import { toFault } from '../../base/fault'
import type { ExperimentLesson } from '../../lessons/lesson'
import type { RunState } from '../../state/run-store'
import { standardName } from '../../state/kept-run'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, lessonRoute } from '../../state/url'
import { useLab } from '../lab-context'
import { ShownLink } from '../run/ShownLink'
import { useLinks } from '../run/use-links'
import { saveFile } from '../save-file'

export const ShareMenu = ({
  lesson,
  step,
  run,
}: {
  readonly lesson: ExperimentLesson
  /** FIRST_RUN, or of which step the run is. */
  readonly step: string
  readonly run: RunState
}) => {
  const { files, kept } = useLab()
  const id = useId()
  const [said, setSaid] = useState('')
  const { settings, result, shown } = useLinks(run, { page: 'lesson', lesson: lesson.id, step })
  const trace = run.placed?.trace
  if (!trace) return null
  const { report } = run
  const name = `${lesson.id}-${trace.info.startedAt.replaceAll(/[:.]/g, '-')}`
  const items: readonly { readonly label: string; readonly does: () => Promise<string> }[] = [
    ...(settings ? [{ label: 'Copy a link to these settings', does: settings }] : []),
    ...(result ? [{ label: 'Copy a link with this result in it', does: result }] : []),
    {
      label: 'Keep it in this browser',
      does: async () => {
        const answer = await kept.keep({ trace, report }, standardName(trace))
        return answer.ok ? 'Kept. It is listed under Runs.' : answer.error.message
      },
    },
    {
      label: 'Save as a file',
      does: async () => {
        saveFile(`${name}.hdl.gz`, [await files.file('own-gzip', trace, report)], 'application/gzip')
        return `Saved ${name}.hdl.gz`
      },
    },
    { label: 'Open in Perfetto', does: () => files.openInPerfetto(trace, report, name) },
  ]
  return (
    <>
      <button type="button" className="button" popoverTarget={id}>
        Share
      </button>
      <div id={id} popover="auto" className="share-menu" role="group" aria-label="Share this run">
        {items.map(({ label, does }) => (
          <button
            key={label}
            type="button"
            onClick={() => {
              setSaid('')
              does().then(setSaid, (thrown: unknown) => {
                setSaid(toFault(thrown).message)
              })
            }}
          >
            {label}
          </button>
        ))}
        <a href={addressOf(lessonRoute(lesson.id, 'instrument', step === FIRST_RUN ? '' : step))}>
          Picture, CSV and more: the full instrument
        </a>
        {shown !== null && <ShownLink address={shown} />}
        <p role="status" className="small quiet">
          {said}
        </p>
      </div>
    </>
  )
}
