/** What the ruler reads, with its bound and what that stands on; and the voice of measuring, pinning and folding. */
import type { LanesState, RulerReading, Timeline } from '../../../timeline'
import { SaidAtRest } from '../SaidAtRest'

/** A reading that follows a pointer is said when it rests. */
const REST_MS = 400

/** A region of its own: a selection that is stepped to is said in the other. */
export const RulerVoice = ({
  reading,
  lanes,
}: Pick<RulerReadoutProps, 'reading'> & { readonly lanes: LanesState }) => (
  <SaidAtRest text={reading?.spoken ?? lanes.said} restMs={REST_MS} data-testid="ruler-announcer" />
)

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
