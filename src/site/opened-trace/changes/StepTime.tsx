/**
 * How long a step takes without the profiler, as the reader measured it: predictions are of that
 * program then.
 */
import { useId, useState } from 'react'
import { plain } from '../../../base/figures'

export interface StepTimeProps {
  /** Step time from the reader or the file, ns; null: neither gives one. */
  readonly knownNs: number | null
  /** Step time that the reader typed, ms. */
  readonly given: number | null
  readonly onGiven: (stepMs: number | null) => void
}

export const StepTime = ({ knownNs, given, onGiven }: StepTimeProps) => {
  const id = useId()
  const shown = knownNs === null ? '' : plain(knownNs / 1e6, 4)
  const [text, setText] = useState(shown)
  const ms = Number(text)
  const isGiven = text.trim() !== '' && Number.isFinite(ms) && ms > 0
  return (
    <form
      className="step-time-form stack-4 no-print"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGiven) onGiven(ms)
        else if (text.trim() === '') onGiven(null)
      }}
    >
      <label htmlFor={id} className="small">
        Step without the profiler
      </label>
      <div className="cluster-8-12">
        <span className="nowrap">
          <input
            id={id}
            type="text"
            inputMode="decimal"
            size={7}
            value={text}
            placeholder="7.9"
            aria-invalid={text.trim() !== '' && !isGiven}
            onChange={(event) => setText(event.target.value)}
          />{' '}
          ms
        </span>
        <button type="submit" className="button button-small" aria-disabled={text === shown}>
          Recalibrate
        </button>
        {given !== null && (
          <button type="button" className="button button-small button-plain" onClick={() => onGiven(null)}>
            As the file says
          </button>
        )}
      </div>
    </form>
  )
}
