/** What may be taken along of a run: links, pictures, files, other programs. All of it is made in the page: nothing is sent anywhere. */
import { useState } from 'react'
import { findExperiment } from '../../../experiments/metas'
import { standardName } from '../../state/kept-run'
import type { RunState } from '../../state/run-store'
import type { Timeline } from '../../../timeline/types'
import type { Trace } from '../../../trace/schema'
import { useLab, type Lab } from '../lab-context'
import { saveFile } from '../save-file'
import { imageCaption } from './image-caption'
import type { SharePlace } from './links'
import { pictureItems } from './picture-items'
import { ShownLink } from './ShownLink'
import { SharePopover, type ShareGroup } from './SharePopover'
import { useLinks } from './use-links'

interface Shared {
  readonly trace: Trace
  readonly report: RunState['report']
  /** Of its files, without their endings. */
  readonly name: string
}

function fileItems({ files }: Lab, { trace, report, name }: Shared): ShareGroup['items'] {
  const item = (label: string, ending: string, type: string, make: () => Promise<BlobPart> | BlobPart) => ({
    label,
    does: async () => {
      saveFile(`${name}.${ending}`, [await make()], type)
      return `Saved ${name}.${ending}`
    },
  })
  return [
    item('Lab run .hdl.gz', 'hdl.gz', 'application/gzip', () => files.file('own-gzip', trace, report)),
    item('Trace Event .json.gz', 'trace.json.gz', 'application/gzip', () =>
      files.file('trace-event-gzip', trace, report),
    ),
    {
      ...item('Report .json', 'report.json', 'application/json', () => JSON.stringify(report, null, 2)),
      isOff: !report,
    },
  ]
}

export interface ShareMenuProps {
  readonly run: RunState
  /** Where a link to it leads. */
  readonly place: SharePlace
  /** Of which the view is a picture; null where none is shown, or before it is there. */
  readonly timeline: Timeline | null
  /** What this page alone has, before all else. */
  readonly first?: readonly ShareGroup[]
  /** The name of the file that it was opened from. */
  readonly called?: string
  /** The page has no form for that. */
  readonly canKeep?: boolean
}

export const ShareMenu = ({ run, place, timeline, first = [], called, canKeep = false }: ShareMenuProps) => {
  const lab = useLab()
  const { settings, result, shown } = useLinks(run, place)
  const [withSelection, setWithSelection] = useState(true)
  const trace = run.placed?.trace
  if (!trace) return null
  const { report } = run
  const name = called
    ? called.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)
    : `${run.experiment || 'run'}-${trace.info.startedAt.replaceAll(/[:.]/g, '-')}`
  const title = called ?? findExperiment(run.experiment ?? '')?.title ?? (run.experiment || 'A run')
  const shared = { trace, report, name }
  const keep = async () => {
    const answer = await lab.kept.keep({ trace, report }, standardName(trace))
    return answer.ok ? 'Kept. It is listed under Runs.' : answer.error.message
  }
  const groups: readonly ShareGroup[] = [
    ...first,
    {
      heading: 'Link',
      items: [
        ...(settings ? [{ label: 'Copy a link to these settings', does: settings }] : []),
        ...(result ? [{ label: 'Copy a link with this result in it', does: result }] : []),
      ],
    },
    ...(timeline
      ? [
          {
            heading: 'Picture of the view',
            items: pictureItems(`${name}.timeline`, () =>
              timeline.toPng({
                caption: imageCaption(title, trace.info, report, window.location),
                withSelection,
              }),
            ),
            option: (
              <label className="small row">
                <input
                  type="checkbox"
                  checked={withSelection}
                  onChange={(event) => {
                    setWithSelection(event.target.checked)
                  }}
                />
                with what is selected
              </label>
            ),
          },
        ]
      : []),
    {
      heading: 'Save',
      items: [
        ...(canKeep ? [{ label: 'Keep it in this browser', does: keep }] : []),
        ...fileItems(lab, shared),
      ],
    },
    {
      heading: 'Elsewhere',
      items: [
        {
          label: 'Open in Perfetto',
          title: 'Opens Perfetto in a window of its own and gives it this run; nothing is uploaded',
          does: () => lab.files.openInPerfetto(trace, report, name),
        },
      ],
    },
  ]
  return (
    <SharePopover groups={groups} isSmall={place.page === 'trace'}>
      {shown !== null && <ShownLink address={shown} />}
    </SharePopover>
  )
}
