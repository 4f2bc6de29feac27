/** The verdict to take along, for a pull request or a chat: as a picture and as Markdown, as `analyze` writes them. */
import type { FoundFacts, RanksDigest } from '../import-worker/protocol'
import { pictureItems } from '../ui/run/SharePopover'
import type { ShareGroup } from '../ui/run/SharePopover'

/** Device pixels for each CSS px: the image is sharp at its own size. */
const PIXEL_RATIO = 2

/** @param file its name */
export function summaryGroup(file: string, found: FoundFacts, ranks: RanksDigest | null): ShareGroup {
  const summary = async () => {
    const { summarise, summariseFile } = await import('../../analysis/summary/summary')
    return summarise([summariseFile(file, found.devices.shown, found.diagnoses)], ranks?.verdict ?? null)
  }
  const png = async (): Promise<Blob> => {
    const [{ picturePng }, { summaryImage }] = await Promise.all([
      import('../ui/picture-png'),
      import('../../strips/summary-image'),
    ])
    const { origin, pathname } = window.location
    const said = await summary()
    const from = `Host/Device Lab, ${origin}${pathname}`
    return await picturePng((widthOf) => summaryImage(said, widthOf, from), PIXEL_RATIO)
  }
  const markdown = async (): Promise<Blob> => {
    const { summaryMarkdown } = await import('../../analysis/summary/markdown')
    return new Blob([summaryMarkdown(await summary())], { type: 'text/plain' })
  }
  return {
    heading: 'Verdict',
    items: [
      ...pictureItems(`${file.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)}.summary`, png),
      {
        label: 'Copy as Markdown',
        does: async () => {
          await navigator.clipboard.write([new ClipboardItem({ 'text/plain': markdown() })])
          return 'Copied as Markdown'
        },
      },
    ],
  }
}
