/** One profile and its script: what a reader has to read, and each line to be pressed. The verdict is opened by the right press. */
import { formatCount, formatQuantity, formatShare } from '../../format'
import { use, useCallback, useMemo, useRef, useState } from 'react'
import type { Example } from '../../../../analysis/findings'
import type { ProfilesLesson } from '../../../../lessons/lesson'
import { functionAt, functionsOf, MODULE, NOWHERE, placeAt } from '../../../../lessons/script'
import type { Find } from '../../../state/lesson-store'
import { noLineWords } from '../../../state/find-day'
import {
  type Attributed,
  attributedTo,
  callKey,
  type Calls,
  faultIn,
  type FaultPlace,
} from '../../../state/profile-answer'
import { addressOf, type Route } from '../../../state/url'
import type { Timeline } from '../../../../timeline/types'
import { useLab } from '../../lab-context'
import { scriptFile } from '../../source/companion-script'
import { textOf } from '../../source/lines'
import { once } from '../../source/use-highlighted'
import { RankRows } from '../../verdict/RankRows'
import { TimeBar } from '../../verdict/TimeBar'
import { SCREEN_START } from '../use-screen-focus'
import { originOf, ProfileTimeline } from './ProfileTimeline'
import { ScriptLines, withoutFaultMarks } from './ScriptLines'
import type { ProfileRead } from './use-read-profile'
import { Inline } from '../../prose/Inline'
import { FindingRow, LessonLink, showOf } from '../../verdict/FindingRow'
import { Words } from '../../verdict/Words'
import '../../find/find-room.css'

/** What a profile shows of a function, in sentences: how often it ran and for how long, and what of the GPU's time is attributed to it. Pure. @internal */
export function evidenceWords(calls: Calls | undefined, attributed: readonly Attributed[]): string {
  if (!calls) return 'This profile has no call of it, so it cost nothing.'
  const mean = formatQuantity(calls.ns / calls.count, 'ns')
  const ran = `In this profile it ran ${formatCount(calls.count, 'time')}, for ${mean} on the host${calls.count > 1 ? ' on average' : ''}.`
  if (attributed.length === 0) return `${ran} It cost the GPU no time.`
  const parts = attributed.map(({ share, title, rank }) => {
    const whose = rank === null ? 'the GPU’s' : `rank ${String(rank)}’s`
    return `${formatShare(share)} of ${whose} time (${title.toLowerCase()})`
  })
  return `${ran} It cost ${parts.join(', ')}.`
}

const WrongAnswer = ({ words, evidence }: { readonly words: string; readonly evidence: string }) => (
  <div className="find-answer stack-10" data-testid="feedback" data-right="false">
    <p>
      <strong>Not this one.</strong> <Inline text={words} />
    </p>
    {evidence !== '' && (
      <p className="small">
        <Words text={evidence} />
      </p>
    )}
  </div>
)

interface RightAnswerProps {
  readonly answer: FaultPlace
  readonly profile: ProfileRead
  readonly clicks: number
  readonly next: { readonly number: number; readonly route: Route } | null
  readonly onShow: (device: number, example: Example) => void
}

const RightAnswer = ({ answer, profile, clicks, next, onShow }: RightAnswerProps) => {
  const { ranks, found, recording } = profile
  if (answer.at === 'unknown') return null
  const diagnosis = answer.at === 'nowhere' ? answer.diagnosis : found.diagnoses[answer.device]
  const verdict = ranks?.verdict ?? diagnosis
  return (
    <div className="find-answer stack-10 find-answer-right" data-testid="feedback" data-right="true">
      <p>
        <strong>
          {answer.at === 'nowhere' ? 'No line is at fault.' : 'This function is at fault.'} Found with{' '}
          {formatCount(clicks, 'click')}.
        </strong>
      </p>
      <p className="verdict-sentence" data-testid="verdict-sentence">
        <Words text={verdict?.sentence ?? ''} />
      </p>
      {verdict?.note !== undefined && verdict.note !== '' && (
        <p className="small">
          <Words text={verdict.note} />
        </p>
      )}
      {answer.at === 'function' ? (
        <ol className="findings stack">
          <FindingRow
            finding={answer.finding}
            isFirst
            onShow={showOf(answer.finding.example, (example) => onShow(answer.device, example))}
          />
        </ol>
      ) : (
        <LessonLink mends={answer.diagnosis.verdict} />
      )}
      <p className="button-row no-print">
        {next && (
          <a className="button button-main button-small" href={addressOf(next.route)}>
            Profile {next.number}
          </a>
        )}
        <a className="small" href={addressOf({ page: 'trace', query: { recording } })}>
          All that the analysis says of it
        </a>
      </p>
    </div>
  )
}

export interface FindProfileProps {
  readonly lesson: ProfilesLesson
  readonly number: number
  readonly script: string
  readonly profile: ProfileRead
  readonly find: Find
  /** The next whose line was not found yet; null: there is none. */
  readonly next: { readonly number: number; readonly route: Route } | null
}

/** What was pressed last: a line, or that there is none (0). */
interface Press {
  readonly line: number
  readonly place: string
}

/** As the timeline counts gaps: those of the devices one after the other. */
export function targetIn({ found: { devices } }: ProfileRead, device: number, example: Example) {
  if (example.type === 'span') return example
  const before = devices.shown.slice(0, device).reduce((sum, { gaps }) => sum + gaps, 0)
  return { type: 'gap', gap: before + example.gap } as const
}

export const FindProfile = (props: FindProfileProps) => {
  const { lesson, number, script, profile, find, next } = props
  const { lessons } = useLab()
  const highlighted = use(once(`companion/${script}`, scriptFile(script)))
  const lines = useMemo(() => withoutFaultMarks(highlighted ?? []), [highlighted])
  const functions = useMemo(() => functionsOf(lines.map((line) => textOf([line]))), [lines])
  const answer = useMemo(() => faultIn(profile), [profile])
  const fault =
    answer.at === 'function'
      ? functions.find(({ begin }) => answer.source.file === script && begin === answer.source.line)
      : undefined
  const right = answer.at === 'nowhere' ? NOWHERE : fault?.name
  const [pressed, setPressed] = useState<Press | null>(() =>
    find.found && right !== undefined ? { line: fault?.begin ?? 0, place: right } : null,
  )
  const timeline = useRef<Timeline | null>(null)
  const picture = useRef<HTMLElement>(null)
  const onReady = useCallback((made: Timeline | null) => {
    timeline.current = made
  }, [])
  const press = (line: number) => {
    const place = line === 0 ? NOWHERE : placeAt(functions, line)
    setPressed({ line, place })
    lessons.click(lesson.id, profile.recording, place, place === right)
  }
  const show = (device: number, example: Example) => {
    const target = targetIn(profile, device, example)
    timeline.current?.select(target)
    timeline.current?.zoomTo(target)
    picture.current?.scrollIntoView({ block: 'nearest' })
  }
  const feedback = ({ line, place }: Press) => {
    if (place === right)
      return (
        <RightAnswer
          answer={answer}
          profile={profile}
          clicks={find.clicks.length}
          next={next}
          onShow={show}
        />
      )
    const at = functionAt(functions, line)
    return (
      <WrongAnswer
        words={lesson.places[script]?.[place] ?? ''}
        evidence={
          place === NOWHERE
            ? noLineWords(profile.found.diagnoses)
            : at && place !== MODULE
              ? evidenceWords(
                  profile.calls.get(callKey(script, at.begin)),
                  attributedTo(profile, script, at.begin),
                )
              : ''
        }
      />
    )
  }
  const { name, date } = originOf(profile)
  return (
    <div className="find-one stack">
      <section
        className="find-picture shrinks top container stack-12"
        aria-labelledby="find-title"
        ref={picture}
      >
        <h2 id="find-title" {...SCREEN_START}>
          Profile {number}
        </h2>
        <p className="small quiet">
          Recorded on {name}, {date}
        </p>
        <Shares profile={profile} />
        <ProfileTimeline profile={profile} hasCauses={find.found} onReady={onReady} />
      </section>
      <section className="find-script shrinks top stack-12" aria-labelledby="find-ask">
        <h2 id="find-ask">Which line holds it back?</h2>
        <p className="small">
          Press it. A profile names functions, so any line of the right function counts. The script has all
          faults: the profile shows which of its branches ran.
        </p>
        <ScriptLines
          script={script}
          lines={lines}
          functions={functions}
          find={find}
          pressed={pressed}
          onPress={press}
          feedback={feedback}
        />
      </section>
    </div>
  )
}

/** Busy and work, and where the time went: no verdict, and no cause. */
export const Shares = ({ profile: { found, ranks } }: { readonly profile: ProfileRead }) => {
  const [diagnosis] = found.diagnoses
  if (ranks?.verdict) return <RankRows ranks={ranks} found={found} />
  if (!diagnosis) return null
  const { parts, spanUs, recordedUs, busyRatio } = diagnosis
  return (
    <>
      <p className="verdict-number stack tabular find-share">
        <strong>{formatShare(parts.workUs / recordedUs)}</strong>
        <span className="small quiet">
          computing{busyRatio === null ? '' : `; busy ${formatShare(busyRatio)}`}
        </span>
      </p>
      <TimeBar parts={parts} spanUs={spanUs} />
    </>
  )
}
