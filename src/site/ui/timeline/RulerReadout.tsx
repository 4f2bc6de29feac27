/** What the ruler reads, with its bound and what that stands on; and the voice of measuring, pinning and folding. */
import { useEffect, useState } from 'react'
import type { LanesState, RulerReading, Timeline } from '../../../timeline'

/** A reading that follows a pointer is said when it rests. */
const REST_MS = 400

/** A region of its own: a selection that is stepped to is said in the other. */
export const RulerVoice = ({
  reading,
  lanes,
}: {
  readonly reading: RulerReading | null
  readonly lanes: LanesState
}) => {
  const text = reading?.spoken ?? lanes.said
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = window.setTimeout(() => setSaid(text), REST_MS)
    return () => window.clearTimeout(timer)
  }, [text])
  return (
    <p className="visually-hidden" aria-live="polite" data-testid="ruler-announcer">
      {said}
    </p>
  )
}

export interface RulerReadoutProps {
  readonly timeline: Timeline | null
  readonly reading: RulerReading | null
}

export const RulerReadout = ({ timeline, reading }: RulerReadoutProps) => {
  if (!reading) return null
  return (
    <section className="tl-ruler baseline cluster-4-16 split" aria-label="Ruler">
      <p>
        {reading.value === '' ? (
          <>
            From the <bdi>{reading.fromWords}</bdi>.
          </>
        ) : (
          <>
            <strong>{reading.value}</strong> from the <bdi>{reading.fromWords}</bdi> to the{' '}
            <bdi>{reading.toWords}</bdi>
          </>
        )}{' '}
        <span className="tl-note">{reading.note}</span>
      </p>
      <div className="tl-details-actions">
        {reading.fromNs !== reading.toNs && (
          <button
            type="button"
            className="tl-button"
            title="Sum it up (Enter)"
            onClick={() => timeline?.sumRuler()}
          >
            Sum it up
          </button>
        )}
        <button
          type="button"
          className="tl-button"
          title="Put the ruler away (Esc)"
          onClick={() => timeline?.clearRuler()}
        >
          Put away
        </button>
      </div>
    </section>
  )
}
