/** 'Find the line': the profile of the day, or the one that the address names; all others below. */
import { findDays } from 'virtual:find-days'
import {
  candidatesOf,
  type FindDay,
  foundWords,
  noLineWords,
  resultText,
  rightOf,
  wrongWords,
} from '../../state/find-day'
import { addressOf, type RouteOf } from '../../state/url'
import { useLab, useProgress } from '../lab-context'
import { NotFoundPage } from '../NotFoundPage'
import { useTitle } from '../use-title'
import { FindFrame, useToday } from './FindFrame'
import './find.css'
import { useMemo } from 'react'
import { formatQuantity } from '../format'
import { CopyButton } from '../source/CopyButton'
import { Words } from '../prose/Inline'
import { Game, UNTRIED } from './Game'

/** What was found is kept beside the progress of lessons, under this name. */
const FIND_PROGRESS = 'find'

const FindGame = ({ day, number }: { readonly day: FindDay; readonly number: number }) => {
  const { lessons } = useLab()
  const { finds = {} } = useProgress(FIND_PROGRESS)
  const find = finds[day.name] ?? UNTRIED
  const candidates = useMemo(() => candidatesOf(day, findDays), [day])
  return (
    <Game
      title={`Profile #${String(number)}`}
      recording={day.name}
      isOfRanks={day.files.length > 1}
      lines={candidates.map(({ of, text }) => ({ place: of, code: text }))}
      note="The lines are from this program and from others. At most one of them is at fault here."
      find={find}
      rightIn={() => rightOf(day)}
      wrong={(place, { found: { diagnoses } }) => {
        const candidate = candidates.find(({ of }) => of === place)
        return (
          <Words
            text={
              candidate ? wrongWords(candidate, diagnoses) : `A line is at fault. ${noLineWords(diagnoses)}`
            }
          />
        )
      }}
      onPress={(place, isRight) => lessons.click(FIND_PROGRESS, day.name, place, isRight)}
      foundAt={day.line ? `Line ${String(day.line.number)} in ${day.name}.py` : 'No line is at fault'}
      then={
        <>
          {day.mendedMs !== null && (
            <p data-testid="mended">
              Without the profiler a step took {formatQuantity(day.stepMs, 'ms')}. With this line fixed, it
              took {formatQuantity(day.mendedMs, 'ms')}.
            </p>
          )}
          <Result number={number} clicks={find.clicks.length} />
        </>
      }
    />
  )
}

const Result = ({ number, clicks }: { readonly number: number; readonly clicks: number }) => {
  const text = resultText(number, clicks, new URL(addressOf({ page: 'find', number }), document.baseURI).href)
  const next = addressOf({ page: 'find', number: (number % findDays.length) + 1 })
  return (
    <div className="find-result stack-8 no-print">
      <pre>{text}</pre>
      <p className="button-row">
        <CopyButton look="button-main button-small" label="Copy the result" text={text} />
        <a className="button button-small" href={next}>
          The next profile
        </a>
      </p>
    </div>
  )
}

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
