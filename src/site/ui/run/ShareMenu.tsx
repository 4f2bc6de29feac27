/**
 * What may be taken along of a run: a link, pictures, files, other programs. All of it is made in
 * the page: nothing is sent anywhere.
 */
import type { RunState } from '../../state/run-store'
import type { Trace } from '../../../trace/schema'
import { addressOf, type Route } from '../../state/url'
import { copyText } from '../source/CopyButton'
import { useLab, type AppContext } from '../lab-context'
import { useId, useState } from 'react'
import { toFault } from '../../../base/fault'
import { Button } from '../Button'
import './share.css'

/** Bytes as a download, made in the page: nothing is sent anywhere. */
function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click has started the download; the page may let go once it has been read.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** @param file without its ending */
export const pictureItems = (file: string, make: () => Promise<Blob>): ShareGroup['items'] => [
  {
    label: 'Save the picture',
    does: async () => {
      saveFile(`${file}.png`, [await make()], 'image/png')
      return `Saved ${file}.png`
    },
  },
  {
    label: 'Copy the picture',
    // Made while it is being copied: a browser allows that only as the answer to a press.
    does: async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': make() })])
      return 'Copied the picture'
    },
  },
]

interface ShareItem {
  readonly label: string
  readonly title?: string
  readonly isOff?: boolean
  /** Resolves with what came of it, in words. */
  readonly does: () => Promise<string>
}

export interface ShareGroup {
  readonly heading: string
  readonly items: readonly ShareItem[]
}

interface SharePopoverProps {
  readonly groups: readonly ShareGroup[]
  readonly isSmall: boolean
}

/** One menu at its button. It stays open for a second press, and says what came of the first. */
const SharePopover = ({ groups, isSmall }: SharePopoverProps) => {
  const id = useId()
  const [said, setSaid] = useState('')
  const press = (does: ShareItem['does']) => () => {
    setSaid('')
    does().then(setSaid, (thrown: unknown) => setSaid(`Not done: ${toFault(thrown).message}`))
  }
  return (
    <>
      <Button look={isSmall ? 'small' : 'usual'} className="no-print" label="Share" popoverTarget={id} />
      <div id={id} popover="auto" className="share-menu" role="group" aria-label="Share this run">
        {groups
          .filter(({ items }) => items.length > 0)
          .map(({ heading, items }) => (
            <section key={heading} aria-label={heading}>
              <p className="small quiet" aria-hidden="true">
                {heading}
              </p>
              {items.map(({ label, title, isOff = false, does }) => (
                <button key={label} type="button" title={title} disabled={isOff} onClick={press(does)}>
                  {label}
                </button>
              ))}
            </section>
          ))}
        {/* There before it says anything: a status that comes with its words is often not read out. */}
        <p role="status" className="small share-said">
          {said}
        </p>
      </div>
    </>
  )
}

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

const copyLink = (route: Route) => async (): Promise<string> => {
  const address = new URL(addressOf(route), document.baseURI).href
  const isCopied = await copyText(address)
  return `${isCopied ? 'Link copied.' : `Here is the link: ${address}.`} It holds only the settings: whoever opens it runs them on their own machine.`
}

export interface ShareMenuProps {
  readonly run: RunState
  /**
   * The page with the run's settings, and nothing measured; left out where nothing here could run
   * them.
   */
  readonly settings?: Route
  /** What this page alone has, before all else. */
  readonly first?: ShareGroup | undefined
  /** The name of the file that it was opened from. */
  readonly called?: string
}

export const ShareMenu = ({ run, settings, first, called }: ShareMenuProps) => {
  const lab = useLab()
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
      items: settings ? [{ label: 'Copy a link to these settings', does: copyLink(settings) }] : [],
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
          title: 'Opens Perfetto in its own window and gives it this run; nothing is uploaded',
          does: () => lab.files.openInPerfetto(trace, report, name),
        },
      ],
    },
  ]
  return <SharePopover groups={groups} isSmall={!settings} />
}
