/** A text to be taken along: in view, selected when it is entered, and copied by a key. */
import { useId, useState } from 'react'
import { inBackground } from '../../state/in-background'
import { copyText } from '../copy-text'
import './teachers.css'

export const CopyText = ({
  label,
  text,
  what,
  rows = 2,
}: {
  readonly label: string
  readonly text: string
  /** As the key names it: 'link'. */
  readonly what: string
  readonly rows?: number
}) => {
  const id = useId()
  const [said, setSaid] = useState('')
  return (
    <div className="copy-text stack-6">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        readOnly
        rows={rows}
        spellCheck={false}
        value={text}
        onFocus={(event) => {
          event.currentTarget.select()
        }}
      />
      <div className="button-row no-print">
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            inBackground(
              copyText(text).then((isCopied) => {
                setSaid(
                  isCopied
                    ? 'Copied.'
                    : 'The browser does not let the page copy: select the text and copy it by hand.',
                )
              }),
            )
          }}
        >
          Copy the {what}
        </button>
        <span role="status" className="small quiet">
          {said}
        </span>
      </div>
    </div>
  )
}
