/** A picture to take along: as a file, or on the clipboard. */
import { saveFile } from '../save-file'
import type { ShareGroup } from './SharePopover'

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
