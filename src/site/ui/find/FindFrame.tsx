/**
 * What fills the room of the game before a profile has been read, and before any script has come:
 * how it goes, and all of the profiles in one picture, drawn from the recordings while the site was
 * built.
 */
import { findDays } from 'virtual:find-days'
import { useSyncExternalStore } from 'react'
import { numberOn } from '../../state/find-day'
import './find-room.css'

const never = () => () => undefined

/**
 * The number of today's profile, by the visitor's calendar; null while the site is built, which
 * knows no day.
 */
export const useToday = (): number | null =>
  useSyncExternalStore(
    never,
    () => numberOn(new Date(), findDays.length),
    () => null,
  )

/** In the timeline's place. */
export const AllProfiles = ({ says }: { readonly says: string }) => (
  <figure className="find-all stack-8">
    <img
      src="./thumbnails/find.svg"
      width={320}
      height={554}
      loading="lazy"
      alt="A row for each profile: when its GPU ran kernels, and when it was idle."
    />
    <figcaption className="small quiet">
      All {findDays.length} profiles, a row each. Green: how much of each moment the GPU computed. Purple:
      communication between ranks. Orange: idle. {says}
    </figcaption>
  </figure>
)

export const FindFrame = () => (
  <div className="find-one stack find-game">
    <section className="find-picture shrinks top container stack-12">
      <h2>The profile of the day</h2>
      <p>The share of time that the GPU computed appears here, and the timeline below.</p>
    </section>
    <section className="find-script shrinks top stack-12">
      <h2>Which line holds it back?</h2>
      <ol className="find-lines stack-8">
        <li className="find-line panel wide">When does the GPU wait, and what does the host do then?</li>
        <li className="find-line panel wide">
          Press the line at fault: one of five lines of Python, or none.
        </li>
        <li className="find-line panel wide">Read what the analysis says, and what the fix saved.</li>
      </ol>
    </section>
    <div className="find-timeline shrinks container">
      <AllProfiles says="Today’s is drawn here in full." />
    </div>
  </div>
)
