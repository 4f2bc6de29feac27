/** One recorded profile and the lines that may be to blame: a press on each until the right one, what the analysis says, a result to paste. */
import { findDays } from 'virtual:find-days'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Example } from '../../../analysis/findings'
import {
  candidatesOf,
  foundWords,
  NO_LINE,
  noLineWords,
  resultText,
  rightOf,
  wrongWords,
  type FindDay,
} from '../../state/find-day'
import { EMPTY_PROGRESS, type Find } from '../../state/lesson-store'
import { addressOf } from '../../state/url'
import type { Timeline } from '../../../timeline/types'
import { FaultNotice } from '../FaultNotice'
import { formatQuantity } from '../format'
import { useLab } from '../lab-context'
import { AllProfiles } from './FindFrame'
import { Shares, targetIn } from '../lesson/profiles/FindProfile'
import { ProfileTimeline } from '../lesson/profiles/ProfileTimeline'
import { useReadProfile, type ProfileRead } from '../lesson/profiles/use-read-profile'
import { FindingRow, LessonLink, showOf } from '../verdict/FindingRow'
import { Words } from '../verdict/Words'
import { CopyButton } from '../source/CopyButton'
import { useStore } from '../use-store'
import '../verdict/verdict.css'
import '../lesson/profiles/profiles.css'
import './find.css'

/** What was found is kept beside the progress of lessons, under this name. */
export const FIND_PROGRESS = 'find'
const UNTRIED: Find = { clicks: [], found: false }

export interface FindGameProps {
  readonly day: FindDay
  /** Counted from 1. */
  readonly number: number
}

export const FindGame = ({ day, number }: FindGameProps) => {
  const { lessons } = useLab()
  const { finds = {} } = useStore(lessons.store, (all) => all.lessons[FIND_PROGRESS]) ?? EMPTY_PROGRESS
  const find = finds[day.name] ?? UNTRIED
  const { value: profile, fault } = useReadProfile(day.name)
  const timeline = useRef<Timeline | null>(null)
  const picture = useRef<HTMLDivElement>(null)
  const onReady = useCallback((made: Timeline | null) => {
    timeline.current = made
  }, [])
  const show = (example: Example) => {
    if (!profile) return
    const target = targetIn(profile, 0, example)
    timeline.current?.select(target)
    timeline.current?.zoomTo(target)
    picture.current?.scrollIntoView({ block: 'nearest' })
  }
  if (fault) return <FaultNotice fault={fault} />
  return (
    <div
      className="find-one stack find-game"
      data-testid="find-game"
      data-ranks={day.files.length > 1 || undefined}
    >
      <section className="find-picture shrinks top container stack-12" aria-labelledby="find-title">
        <h2 id="find-title">
          Profile #{number} {!profile && <span className="small quiet regular">being read</span>}
        </h2>
        {profile ? (
          <Shares profile={profile} />
        ) : (
          <p className="small quiet">Its shares of computing and idle time appear here once it is read.</p>
        )}
      </section>
      <section className="find-script shrinks top stack-12" aria-labelledby="find-ask">
        <h2 id="find-ask">Which line holds it back?</h2>
        <Lines
          day={day}
          find={find}
          profile={profile}
          onPress={(place) => lessons.click(FIND_PROGRESS, day.name, place, place === rightOf(day))}
          right={
            profile && <Right day={day} number={number} clicks={find.clicks.length} {...{ profile, show }} />
          }
        />
        <p className="small quiet">
          The lines are from this program and from others. At most one of them is at fault here.
        </p>
      </section>
      <div className="find-timeline shrinks container" ref={picture}>
        {profile ? (
          <ProfileTimeline profile={profile} hasCauses={find.found} onReady={onReady} />
        ) : (
          <AllProfiles says={`Profile #${String(number)} is being read.`} />
        )}
      </div>
    </div>
  )
}

interface LinesProps {
  readonly day: FindDay
  readonly find: Find
  /** Null while it is read: nothing can be answered before. */
  readonly profile: ProfileRead | null
  readonly onPress: (place: string) => void
  readonly right: ReactNode
}

const Lines = ({ day, find: { clicks, found }, profile, onPress, right }: LinesProps) => {
  const candidates = useMemo(() => candidatesOf(day, findDays), [day])
  const [pressed, setPressed] = useState(found ? (clicks.at(-1) ?? null) : null)
  const status = useRef<HTMLParagraphElement>(null)
  const list = useRef<HTMLOListElement>(null)
  /** An answer of an earlier visit moves nothing. */
  const isFirst = useRef(true)
  // The words of the answer, for whoever hears them; in view for whoever pressed a line at the foot of a phone.
  useEffect(() => {
    const answer = list.current?.querySelector('.find-answer')
    if (!isFirst.current) answer?.scrollIntoView({ block: 'nearest' })
    isFirst.current = false
    if (status.current) status.current.textContent = pressed === null ? '' : (answer?.textContent ?? '')
  }, [pressed])
  const answerTo = (place: string): ReactNode => {
    if (place !== pressed || !profile) return null
    if (place === rightOf(day)) return right
    const candidate = candidates.find(({ of }) => of === place)
    return (
      <div className="find-answer stack-10" data-testid="feedback" data-right="false">
        <p>
          <strong>Not this one.</strong>{' '}
          <Words
            text={
              candidate
                ? wrongWords(candidate, profile.found.diagnoses)
                : `A line is at fault. ${noLineWords(profile.found.diagnoses)}`
            }
          />
        </p>
      </div>
    )
  }
  const isRight = (place: string) => found && clicks.at(-1) === place
  const options = [
    ...candidates.map(({ of, text }) => ({ place: of, label: <code>{text}</code> })),
    { place: NO_LINE, label: 'No line is at fault' },
  ]
  return (
    <>
      <ol className="find-lines stack-8" ref={list}>
        {options.map(({ place, label }) => (
          <li key={place}>
            <button
              type="button"
              className="find-line panel wide"
              data-place={place}
              data-tried={clicks.includes(place) ? (isRight(place) ? 'right' : 'wrong') : undefined}
              disabled={profile === null}
              onClick={() => {
                setPressed(place)
                onPress(place)
              }}
            >
              {label}
              {clicks.includes(place) && (
                <span className="visually-hidden">{isRight(place) ? ', at fault' : ', tried'}</span>
              )}
            </button>
            {answerTo(place)}
          </li>
        ))}
      </ol>
      <p ref={status} role="status" className="visually-hidden" />
    </>
  )
}

interface RightProps extends FindGameProps {
  readonly clicks: number
  readonly profile: ProfileRead
  readonly show: (example: Example) => void
}

const Right = ({ day, number, clicks, profile, show }: RightProps) => {
  const [diagnosis] = profile.found.diagnoses
  const verdict = profile.ranks?.verdict ?? diagnosis
  const [finding] = diagnosis?.findings ?? []
  return (
    <div className="find-answer stack-10 find-answer-right" data-testid="feedback" data-right="true">
      <p>
        <strong>
          {day.line ? `Line ${String(day.line.number)} of ${day.name}.py` : 'No line is at fault'},{' '}
          {foundWords(clicks)}.
        </strong>
      </p>
      <p className="verdict-sentence" data-testid="verdict-sentence">
        <Words text={verdict?.sentence ?? ''} />
      </p>
      {day.mendedMs !== null && (
        <p data-testid="mended">
          Without the profiler a step took {formatQuantity(day.stepMs, 'ms')}. With this line mended it took{' '}
          {formatQuantity(day.mendedMs, 'ms')}.
        </p>
      )}
      <Result number={number} clicks={clicks} />
      {finding && day.files.length === 1 && (
        <ol className="findings stack">
          <FindingRow finding={finding} isFirst onShow={showOf(finding.example, show)} />
        </ol>
      )}
      {day.fault === null && diagnosis && <LessonLink mends={diagnosis.verdict} />}
      <p>
        <a className="small" href={addressOf({ page: 'trace', query: { recording: day.name } })}>
          All that the analysis says of it
        </a>
      </p>
    </div>
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
