/** Today's profile, on a page of something else: read when it comes near, since a profile and all that reads it are more than the rest of a page. */
import { findDays } from 'virtual:find-days'
import { lazy, Suspense } from 'react'
import { FindFrame, useToday } from './FindFrame'
import { useNear } from '../use-near'
import './find.css'

const FindGame = lazy(async () => ({ default: (await import('./FindGame')).FindGame }))

export const FindToday = () => {
  const [room, isNear] = useNear()
  const number = useToday()
  const day = number === null ? undefined : findDays[number - 1]
  return (
    <div className="find-room container" ref={room}>
      {isNear && day && number !== null ? (
        <Suspense fallback={<FindFrame />}>
          <FindGame day={day} number={number} />
        </Suspense>
      ) : (
        <FindFrame />
      )}
    </div>
  )
}
