/**
 * One recorded profile and the lines that may be to blame: a press on each until the right one, and
 * what the analysis says of it.
 */
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Example } from '../../../analysis/findings'
import { NO_LINE } from '../../../lessons/lesson'
import { foundWords } from '../../state/find-day'
import type { Find } from '../../state/lesson-store'
import { faultIn } from '../../state/profile-answer'
import { addressOf } from '../../state/url'
import type { Timeline } from '../../../timeline/types'
import { FaultNotice } from '../FaultNotice'
import { SCREEN_START } from '../lesson/use-screen-focus'
import { ProfileTimeline, useReadProfile, type ProfileRead } from './ProfileTimeline'
import { FindingRow, LessonLink, showOf } from '../verdict/FindingRow'
import { RankRows } from '../verdict/RankRows'
import { TimeBar, WorkShare } from '../verdict/Verdict'
import { Words } from '../prose/Inline'
import { AllProfiles } from './FindFrame'
import '../verdict/verdict.css'
import './find.css'

export const UNTRIED: Find = { clicks: [], found: false }

interface GameLine {
  /** Kept as a click. */
  readonly place: string
  readonly code: string
}

export interface GameProps {
  /** 'Profile #3' */
  readonly title: string
  readonly recording: string
  readonly isOfRanks: boolean
  readonly lines: readonly GameLine[]
  /** Below the lines. */
  readonly note: ReactNode
  readonly find: Find
  readonly rightIn: (profile: ProfileRead) => string
  readonly wrong: (place: string, profile: ProfileRead) => ReactNode
  readonly onPress: (place: string, isRight: boolean) => void
  /** Names the line at fault: 'Line 12 of train.py'. */
  readonly foundAt: string
  /** Below the verdict. */
  readonly then: ReactNode
}

export const Game = (props: GameProps) => {
  const { title, recording, isOfRanks, note, find } = props
  const { value: profile, fault } = useReadProfile(recording)
  const timeline = useRef<Timeline | null>(null)
  const picture = useRef<HTMLDivElement>(null)
  const onReady = useCallback((made: Timeline | null) => {
    timeline.current = made
  }, [])
  if (fault) return <FaultNotice fault={fault} />
  const show = (device: number, example: Example) => {
    if (!profile) return
    const target = targetIn(profile, device, example)
    timeline.current?.select(target)
    timeline.current?.zoomTo(target)
    picture.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className="find-one stack find-game" data-testid="find-game" data-ranks={isOfRanks || undefined}>
      <section className="find-picture shrinks top container stack-12" aria-labelledby="find-title">
        <h2 id="find-title" {...SCREEN_START}>
          {title} {!profile && <span className="small quiet regular">being read</span>}
        </h2>
        {profile ? (
          <Shares profile={profile} />
        ) : (
          <p className="small quiet">Its shares of computing and idle time appear here once it is read.</p>
        )}
      </section>
      <section className="find-script shrinks top stack-12" aria-labelledby="find-ask">
        <h2 id="find-ask">Which line holds it back?</h2>
        <Lines {...props} {...{ profile, show }} />
        <p className="small quiet">{note}</p>
      </section>
      <div className="find-timeline shrinks container" ref={picture}>
        {profile ? (
          <ProfileTimeline profile={profile} hasCauses={find.found} onReady={onReady} />
        ) : (
          <AllProfiles says={`${title} is being read.`} />
        )}
      </div>
    </div>
  )
}

/** The timeline counts the gaps of the devices one after the other. */
function targetIn({ found: { devices } }: ProfileRead, device: number, example: Example) {
  if (example.type === 'span') return example
  const before = devices.shown.slice(0, device).reduce((sum, { gaps }) => sum + gaps, 0)
  return { type: 'gap', gap: before + example.gap } as const
}

/** Busy and work, and where the time went: no verdict, and no cause. */
const Shares = ({ profile: { found, ranks } }: { readonly profile: ProfileRead }) => {
  const [diagnosis] = found.diagnoses
  if (ranks?.verdict) return <RankRows ranks={ranks} found={found} />
  if (!diagnosis) return null
  return (
    <>
      <WorkShare diagnosis={diagnosis} />
      <TimeBar parts={diagnosis.parts} spanUs={diagnosis.spanUs} />
    </>
  )
}

interface LinesProps extends GameProps {
  /** Null while it is read: nothing can be answered before. */
  readonly profile: ProfileRead | null
  readonly show: (device: number, example: Example) => void
}

const Lines = (props: LinesProps) => {
  const { lines, find, profile, rightIn, wrong, onPress } = props
  const { clicks, found } = find
  const [pressed, setPressed] = useState(found ? (clicks.at(-1) ?? null) : null)
  const status = useRef<HTMLParagraphElement>(null)
  const list = useRef<HTMLOListElement>(null)
  /** An answer of an earlier visit moves nothing. */
  const isFirst = useRef(true)
  // The words of the answer, for whoever hears them; in view for whoever pressed a line at the foot
  // of a phone.
  useEffect(() => {
    const answer = list.current?.querySelector('.find-answer')
    if (!isFirst.current) answer?.scrollIntoView({ block: 'nearest' })
    isFirst.current = false
    if (status.current) status.current.textContent = pressed === null ? '' : (answer?.textContent ?? '')
  }, [pressed])
  const answerTo = (place: string): ReactNode => {
    if (place !== pressed || !profile) return null
    if (place === rightIn(profile)) return <RightAnswer {...props} profile={profile} />
    return (
      <div className="find-answer stack-10" data-testid="feedback" data-right="false">
        <p>
          <strong>Not this one.</strong> {wrong(place, profile)}
        </p>
      </div>
    )
  }
  const isRight = (place: string) => found && clicks.at(-1) === place
  const options = [
    ...lines.map(({ place, code }) => ({ place, label: <code>{code}</code> })),
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
                if (profile) onPress(place, place === rightIn(profile))
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

interface RightAnswerProps extends LinesProps {
  readonly profile: ProfileRead
}

const RightAnswer = ({ recording, find, profile, foundAt, then, show }: RightAnswerProps) => {
  const { finding, diagnosis, device } = faultIn(profile)
  const verdict = profile.ranks?.verdict ?? diagnosis
  return (
    <div className="find-answer stack-10 find-answer-right" data-testid="feedback" data-right="true">
      <p>
        <strong>
          {foundAt}, {foundWords(find.clicks.length)}.
        </strong>
      </p>
      <p className="verdict-sentence" data-testid="verdict-sentence">
        <Words text={verdict?.sentence ?? ''} />
      </p>
      {then}
      {finding ? (
        <ol className="findings stack">
          <FindingRow
            finding={finding}
            isFirst
            onShow={showOf(finding.example, (example) => show(device, example))}
          />
        </ol>
      ) : (
        diagnosis && <LessonLink mends={diagnosis.verdict} />
      )}
      <p>
        <a className="small" href={addressOf({ page: 'trace', query: { recording } })}>
          All that the analysis says about it
        </a>
      </p>
    </div>
  )
}
