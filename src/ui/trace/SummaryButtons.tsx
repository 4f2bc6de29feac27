/** The verdict to take along, for a pull request or a chat: as a picture and as Markdown, as `analyze` writes them. Nothing is uploaded. */
import { useState } from 'react'
import { toFault } from '../../base/fault'
import type { FoundFacts, RanksDigest } from '../../import-worker/protocol'
import { saveFile } from '../save-file'

export interface SummaryButtonsProps {
  /** Its name. */
  readonly file: string
  readonly found: FoundFacts
  readonly ranks: RanksDigest | null
}

export const SummaryButtons = ({ file, found, ranks }: SummaryButtonsProps) => {
  const [said, setSaid] = useState('')
  const summary = async () => {
    const { summarise, summariseFile } = await import('../../summary/summary')
    return summarise([summariseFile(file, found.devices.shown, found.diagnoses)], ranks?.verdict ?? null)
  }
  const png = async (): Promise<Blob> => {
    const { summaryPng } = await import('./picture-canvas')
    const { origin, pathname } = window.location
    return await summaryPng(await summary(), `Host/Device Lab, ${origin}${pathname}`)
  }
  const markdown = async (): Promise<Blob> => {
    const { summaryMarkdown } = await import('../../summary/markdown')
    return new Blob([summaryMarkdown(await summary())], { type: 'text/plain' })
  }
  const actions: readonly { readonly label: string; readonly does: () => Promise<string> }[] = [
    {
      label: 'Save the picture',
      does: async () => {
        const name = `${file.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').slice(0, 80)}.summary.png`
        saveFile(name, [await png()], 'image/png')
        return `Saved ${name}`
      },
    },
    {
      label: 'Copy the picture',
      // Made while it is being copied: a browser allows that only as the answer to a press.
      does: async () => {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': png() })])
        return 'Copied the picture'
      },
    },
    {
      label: 'Copy as Markdown',
      does: async () => {
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': markdown() })])
        return 'Copied as Markdown'
      },
    },
  ]
  return (
    <div className="export-bar" role="group" aria-label="Summary of the verdict" data-testid="summary">
      <span className="small quiet">Summary</span>
      {actions.map(({ label, does }) => (
        <button
          key={label}
          type="button"
          className="button button-small"
          onClick={() => {
            does().then(setSaid, (thrown: unknown) => {
              setSaid(`Not done: ${toFault(thrown).message}`)
            })
          }}
        >
          {label}
        </button>
      ))}
      <span role="status" className="small quiet">
        {said}
      </span>
    </div>
  )
}
