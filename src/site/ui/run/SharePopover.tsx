/** One menu at its button: what may be taken along of what is shown. It stays open for a second press, and says what came of the first. */
import { useId, useState } from 'react'
import { toFault } from '../../../base/fault'
import { Button } from '../Button'
import './share.css'

/** Bytes as a download, made in the page: nothing is sent anywhere. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
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

export const SharePopover = ({ groups, isSmall }: SharePopoverProps) => {
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
