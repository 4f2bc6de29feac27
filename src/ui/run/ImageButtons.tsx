/** The view of the timeline as a picture with its caption: as a file, or on the clipboard. */
import { useState } from 'react'
import { toFault } from '../../base/fault'
import type { ImageCaption, ImageOptions, Timeline } from '../../timeline/types'
import { saveFile } from '../save-file'

export interface ImageButtonsProps {
  readonly timeline: Timeline
  /** Without its ending. */
  readonly file: string
  readonly caption: () => ImageCaption
  readonly onSaid: (said: string) => void
}

export const ImageButtons = ({ timeline, file, caption, onSaid }: ImageButtonsProps) => {
  const [withSelection, setWithSelection] = useState(true)
  const request = (): ImageOptions => ({ caption: caption(), withSelection })
  const pictures: readonly {
    readonly label: string
    readonly title: string
    readonly make: () => Promise<string>
  }[] = [
    {
      label: 'PNG',
      title: 'The view as pixels, at twice the size it has on the page',
      make: async () => {
        saveFile(`${file}.png`, [await timeline.toPng(request())], 'image/png')
        return `Saved ${file}.png`
      },
    },
    {
      label: 'Copy picture',
      title: 'The PNG, on the clipboard',
      make: async () => {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': timeline.toPng(request()) })])
        return 'Copied the picture'
      },
    },
  ]
  return (
    <div className="export-bar" role="group" aria-label="Picture of the view">
      <span className="small quiet">Picture of the view</span>
      {pictures.map(({ label, title, make }) => (
        <button
          key={label}
          type="button"
          className="button button-small"
          title={title}
          onClick={() => {
            make().then(onSaid, (thrown: unknown) => {
              onSaid(`No picture: ${toFault(thrown).message}`)
            })
          }}
        >
          {label}
        </button>
      ))}
      <label className="small picture-option">
        <input
          type="checkbox"
          checked={withSelection}
          onChange={(event) => {
            setWithSelection(event.target.checked)
          }}
        />
        with what is selected
      </label>
    </div>
  )
}
