/** 'Find the line': the profile of the day, or the one that the address names; all others below. */
import { findDays } from 'virtual:find-days'
import { foundWords } from '../../state/find-day'
import { addressOf, type RouteOf } from '../../state/url'
import { useProgress } from '../lab-context'
import { NotFoundPage } from '../NotFoundPage'
import { useTitle } from '../use-title'
import { FIND_PROGRESS, FindGame } from './FindGame'
import { FindFrame, useToday } from './FindFrame'
import './find.css'

export const FindPage = ({ route: { number } }: { readonly route: RouteOf<'find'> }) => {
  useTitle(number === null ? 'Find the line' : `Find the line #${String(number)}`)
  const today = useToday()
  const at = number ?? today
  const day = at === null ? undefined : findDays[at - 1]
  if (at !== null && !day) return <NotFoundPage what={`There is no profile #${String(at)}.`} />
  return (
    <article className="page stack-24">
      <header className="find-head stack-4">
        <h1>Find the line</h1>
        <p className="lead">
          A program ran on a real GPU, and its profile was recorded. Which line holds the GPU back? There may
          be none.
        </p>
      </header>
      <div className="find-room container">
        {day && at !== null ? <FindGame day={day} number={at} /> : <FindFrame />}
      </div>
      <FindDays current={at} today={today} />
    </article>
  )
}

/** One a day; those of other days stay. */
const FindDays = ({ current, today }: { readonly current: number | null; readonly today: number | null }) => {
  const { finds = {} } = useProgress(FIND_PROGRESS)
  return (
    <nav className="find-days stack-12 no-print" aria-labelledby="find-days">
      <h2 id="find-days">One profile a day</h2>
      <ol>
        {findDays.map(({ name, field }, index) => {
          const number = index + 1
          const { clicks, found } = finds[name] ?? { clicks: [], found: false }
          const state = found ? foundWords(clicks.length) : number === today ? 'today' : field
          return (
            <li key={name}>
              <a
                href={addressOf({ page: 'find', number })}
                aria-current={number === current ? 'page' : undefined}
                data-found={found || undefined}
              >
                #{number} <span className="small quiet">{state}</span>
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
