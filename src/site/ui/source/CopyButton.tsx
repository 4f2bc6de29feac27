/** Puts a text on the clipboard, and says so. */
import { useState } from 'react'
import { inBackground } from '../../state/in-background'

/** Puts a text on the clipboard. False: the browser does not allow it here, or has no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

interface CopyButtonProps {
  readonly text: string | (() => string)
  /** Left out: the label says it. */
  readonly what?: string
  readonly label?: string
  readonly look?: string
}

export const CopyButton = (props: CopyButtonProps) => {
  const { text, what, label = 'Copy', look = 'button-small button-plain' } = props
  const [said, setSaid] = useState('')
  return (
    <span className="copy-button row no-print">
      <button
        type="button"
        className={`button ${look}`}
        aria-label={what && `Copy ${what}`}
        onClick={() =>
          inBackground(
            copyText(typeof text === 'string' ? text : text()).then((isCopied) =>
              setSaid(isCopied ? 'Copied' : 'The browser does not allow it: select the text and copy it'),
            ),
          )
        }
      >
        {label}
      </button>
      <span role="status" className="small quiet">
        {said}
      </span>
    </span>
  )
}
