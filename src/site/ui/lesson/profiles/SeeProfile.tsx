/**
 * The profile that answers the prediction: how much of the time was work, who was late and why, and
 * both ranks on one axis.
 */
import { useEffect } from 'react'
import type { ProfilesLesson } from '../../../../lessons/lesson'
import type { Prediction } from '../../../state/lesson-store'
import { figuresOf } from '../../../state/profile-answer'
import { findMetric } from '../../../../trace/report'
import { addressOf, lessonRoute } from '../../../state/url'
import { FaultNotice } from '../../FaultNotice'
import { formatMetric, metricText } from '../../format'
import { useLab } from '../../lab-context'
import { Inline, Quantities, Words } from '../../prose/Inline'
import { RankProblems, RankRows } from '../../verdict/RankRows'
import { gapInWords, inSliderUnit } from '../compare-prediction'
import { Large, Said } from '../Headline'
import { Scale, shortFigure } from '../Scale'
import { SCREEN_START } from '../use-screen-focus'
import { originOf, ProfileTimeline, useReadProfile, type ProfileRead } from '../../find/ProfileTimeline'
import type { ProfilesScreenProps } from '../use-lesson'
import { Button } from '../../Button'

export const SeeProfile = ({ lesson, progress }: ProfilesScreenProps) => {
  const { lessons } = useLab()
  const isAsked = progress.prediction !== null
  const { value: profile, fault } = useReadProfile(isAsked ? lesson.shown.recording : null)
  if (!isAsked)
    return (
      <section className="see-empty stack-12">
        <p {...SCREEN_START}>The profile has not been opened yet.</p>
        <div className="button-row">
          <a className="button button-main" href={addressOf(lessonRoute(lesson.id, 'predict'))}>
            To the question
          </a>
          <Button
            look="plain"
            label="Open it without a prediction"
            onClick={() => lessons.predict(lesson.id, { kind: 'skipped' })}
          />
        </div>
      </section>
    )
  if (fault) return <FaultNotice fault={fault} />
  if (!profile)
    return (
      <p role="status" {...SCREEN_START}>
        Reading the profiles of both ranks.
      </p>
    )
  return (
    <Shown
      lesson={lesson}
      prediction={progress.prediction}
      isKept={progress.outcome !== null}
      profile={profile}
    />
  )
}

interface ShownProps {
  readonly lesson: ProfilesLesson
  readonly prediction: Prediction | null
  /** What it came to has been kept. */
  readonly isKept: boolean
  readonly profile: ProfileRead
}

const Shown = (props: ShownProps) => {
  const { lesson, profile } = props
  const { ranks, found } = profile
  return (
    <div className="see stack-12 see-profile" data-testid="result">
      <Headline {...props} />
      {ranks && (
        <>
          {ranks.verdict && (
            <p className="see-verdict" data-testid="verdict">
              <strong>
                <Words text={ranks.verdict.sentence} />
              </strong>{' '}
              <Words text={ranks.verdict.note} />
            </p>
          )}
          <section className="container" aria-labelledby="ranks-title">
            <h2 id="ranks-title" className="visually-hidden">
              Where the ranks’ time went
            </h2>
            <RankRows ranks={ranks} found={found} />
          </section>
          <RankProblems problems={ranks.problems} />
        </>
      )}
      <div className="see-actions button-row no-print">
        <a className="button button-main" href={addressOf(lessonRoute(lesson.id, 'find'))}>
          Find the line at fault
        </a>
      </div>
      <ProfileTimeline profile={profile} />
    </div>
  )
}

const Headline = ({ lesson: { id, prediction: asked, shown }, prediction, isKept, profile }: ShownProps) => {
  const { lessons } = useLab()
  const figures = figuresOf(shown.recording, profile)
  const figure = (name: string) => findMetric(figures, name, `${shown.recording}/${String(shown.rank)}`)
  const [work, busy, waited] = [figure('work-ratio'), figure('busy-ratio'), figure('waited-ms')]
  const measured = inSliderUnit(work, asked)
  const { name, date } = originOf(profile)
  const isNew = measured !== null && !isKept
  useEffect(() => {
    if (isNew) lessons.recordOutcome(id, asked.unit)
  }, [lessons, id, asked, isNew])
  const text = work ? metricText(work) : null
  const said = prediction?.kind === 'made' ? prediction.value : null
  return (
    <section
      className="headline stack"
      aria-label="What the profile shows"
      data-testid="headline"
      {...SCREEN_START}
    >
      <Large
        figure={text && measured && { text: shortFigure(text.figure, asked), unit: text.unit }}
        words={<Inline text={asked.result} />}
        origins={
          <Quantities text={`Recorded on ${name}, ${date}${work && text ? `: ${formatMetric(work)}` : ''}`} />
        }
      />
      {said !== null && (
        <Said {...{ said, asked }}>{measured !== null && gapInWords(said, measured, asked)}</Said>
      )}
      {busy && waited && (
        <p className="headline-side stack small" data-testid="busy">
          <strong className="number">{formatMetric(busy)}</strong>
          <span>
            <Quantities
              text={`of the time it was busy: rank ${String(shown.rank)} waited ${formatMetric(waited)} in collectives.`}
            />
          </span>
        </p>
      )}
      {measured !== null && <Scale asked={asked} measured={measured} said={said} twin={null} />}
    </section>
  )
}
