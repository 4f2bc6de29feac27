/** Puts a text on the clipboard, and says so. */
import { useState } from 'react'
import { inBackground } from '../../state/in-background'
import { copyText } from '../copy-text'

export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [said, setSaid] = useState('')
  return (
    <span className="row no-print">
      <span role="status" className="small quiet">
        {said}
      </span>
      <button
        type="button"
        className="button button-small button-plain"
        aria-label={`Copy ${what}`}
        onClick={() => {
          inBackground(
            copyText(text).then((isCopied) => {
              setSaid(isCopied ? 'Copied' : 'The browser did not allow it')
            }),
          )
        }}
      >
        Copy
      </button>
    </span>
  )
}
