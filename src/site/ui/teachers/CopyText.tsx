/** A text to be taken along: in view, selected when it is entered, and copied by a key. */
import { useId } from 'react'
import { CopyButton } from '../source/CopyButton'
import './teachers.css'

interface CopyTextProps {
  readonly label: string
  readonly text: string
  /** As the key names it: 'link'. */
  readonly what: string
  readonly rows?: number
}

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
