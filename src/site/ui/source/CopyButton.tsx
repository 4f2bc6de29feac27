/** Puts a text on the clipboard, and says so. */
import { useId, useState } from 'react'
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

interface CopyTextProps {
  readonly label: string
  readonly text: string
  /** As the key names it: 'link'. */
  readonly what: string
  readonly rows?: number
}

/**
 * A text to be taken along: in view, selected when it is entered, and copied by a key. Its styles:
 * teachers.css.
 */
export const CopyText = ({ label, text, what, rows = 2 }: CopyTextProps) => {
  const id = useId()
  return (
    <div className="copy-text stack-6">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        readOnly
        rows={rows}
        spellCheck={false}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton look="button-small" label={`Copy the ${what}`} text={text} />
    </div>
  )
}
