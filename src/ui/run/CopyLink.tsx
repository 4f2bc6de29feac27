/** The run on the page as a link that holds it whole: copied, or shown to be copied by hand where the browser does not let the page. */
import { useId, useState } from 'react'
import { toFault } from '../../base/fault'
import type { LoadedRun } from '../../state/run-store'
import { formatHash } from '../../state/url'
import { formatNumber } from '../format'
import { useLab } from '../lab-context'

const addressOf = (text: string): string =>
  `${location.href.replace(/#.*$/s, '')}${formatHash({ page: 'trace', query: { d: text } })}`

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // not allowed here, or there is no clipboard: the address is shown instead
  }
}

export interface CopyLinkProps {
  readonly run: LoadedRun
  readonly onSaid: (text: string) => void
}

export const CopyLink = ({ run, onSaid }: CopyLinkProps) => {
  const { files } = useLab()
  const id = useId()
  const [shown, setShown] = useState<string | null>(null)
  const make = async (): Promise<string> => {
    const link = await files.runLink(run)
    if (!link.ok) return link.error
    const address = addressOf(link.value.text)
    const isCopied = await copy(address)
    setShown(isCopied ? null : address)
    const what = `${isCopied ? 'Link copied' : 'Here is the link'}: ${formatNumber(address.length)} characters`
    return `${what}, ${link.value.leftOut === null ? 'with the whole run in it.' : `which hold part of it. ${link.value.leftOut}`}`
  }
  return (
    <>
      <button
        type="button"
        className="button button-small"
        title="The run itself stands in the link: nothing is uploaded, and whoever opens it sees the run"
        onClick={() => {
          setShown(null)
          make().then(onSaid, (thrown: unknown) => {
            onSaid(`No link could be made: ${toFault(thrown).message}`)
          })
        }}
      >
        Copy link
      </button>
      {shown !== null && (
        <>
          <label htmlFor={id} className="visually-hidden">
            Link to this run
          </label>
          <input
            id={id}
            type="text"
            readOnly
            value={shown}
            onFocus={(event) => {
              event.currentTarget.select()
            }}
          />
        </>
      )}
    </>
  )
}
