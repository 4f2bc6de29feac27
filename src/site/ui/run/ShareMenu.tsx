/** What may be taken along of a run: a link, pictures, files, other programs. All of it is made in the page: nothing is sent anywhere. */
import { useId, useState } from 'react'
import type { RunState } from '../../state/run-store'
import type { Trace } from '../../../trace/schema'
import { addressOf } from '../../state/url'
import { copyText } from '../source/CopyButton'
import { formatNumber } from '../format'
import { useLab, type AppContext } from '../lab-context'
import { saveFile, SharePopover, type ShareGroup } from './SharePopover'
import { settingsRoute, type SharePlace } from './param-query'

interface Shared {
  readonly trace: Trace
  readonly report: RunState['report']
  /** Of its files, without their endings. */
  readonly name: string
}

function fileItems({ files }: AppContext, { trace, report, name }: Shared): ShareGroup['items'] {
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

/** Messengers and mail programs cut longer ones. */
const MOST_CHARACTERS = 2000

/** Makes the link to a run's settings, and copies it; a browser that does not allow that is shown it. */
function useLink(run: RunState, place: SharePlace) {
  const [shown, setShown] = useState<string | null>(null)
  const route = settingsRoute(place, run)
  const settings = async (): Promise<string> => {
    const address = route ? new URL(addressOf(route), document.baseURI).href : ''
    const length = `${formatNumber(address.length)} characters`
    if (address.length > MOST_CHARACTERS)
      return `This is too long for a link: ${length}, of at most ${formatNumber(MOST_CHARACTERS)}. Save the file instead.`
    const isCopied = await copyText(address)
    setShown(isCopied ? null : address)
    return `${isCopied ? 'Link copied' : 'Here is the link'}: ${length}. It holds the settings only: whoever opens it runs them on their own machine.`
  }
  return { shown, settings: route && settings }
}

/** A link that the browser did not let the page copy: selected when it is entered, to be copied by hand. */
const ShownLink = ({ address }: { readonly address: string }) => {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        Link to copy
      </label>
      <input
        id={id}
        className="shown-link"
        type="text"
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
    </>
  )
}

export interface ShareMenuProps {
  readonly run: RunState
  /** Where a link to it leads. */
  readonly place: SharePlace
  /** What this page alone has, before all else. */
  readonly first?: ShareGroup | undefined
  /** The name of the file that it was opened from. */
  readonly called?: string
}

export const ShareMenu = ({ run, place, first, called }: ShareMenuProps) => {
  const lab = useLab()
  const { settings, shown } = useLink(run, place)
  const trace = run.placed?.trace
  if (!trace) return null
  const { report } = run
  const name = called
    ? called.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)
    : `${run.experiment || 'run'}-${trace.info.startedAt.replaceAll(/[:.]/g, '-')}`
  const shared = { trace, report, name }
  const groups: readonly ShareGroup[] = [
    ...(first ? [first] : []),
    {
      heading: 'Link',
      items: settings ? [{ label: 'Copy a link to these settings', does: settings }] : [],
    },
    {
      heading: 'Save',
      items: fileItems(lab, shared),
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
