/** 'Find the line': the profile of a day, and a result to paste. */
import { findDays } from 'virtual:find-days'
import { useMemo } from 'react'
import {
  candidatesOf,
  noLineWords,
  resultText,
  rightOf,
  wrongWords,
  type FindDay,
} from '../../state/find-day'
import { addressOf } from '../../state/url'
import { formatQuantity } from '../format'
import { useLab, useProgress } from '../lab-context'
import { CopyButton } from '../source/CopyButton'
import { Words } from '../prose/Inline'
import { Game, UNTRIED } from './Game'

/** What was found is kept beside the progress of lessons, under this name. */
export const FIND_PROGRESS = 'find'

export interface FindGameProps {
  readonly day: FindDay
  /** Counted from 1. */
  readonly number: number
}

export const FindGame = ({ day, number }: FindGameProps) => {
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
