/** Why: what happened, quoting the profiles; three questions; how to read one's own; what a profile cannot tell. */
import { useMemo } from 'react'
import { figuresIn, withFigures } from '../../../experiments/declare'
import { allWords, mapTable } from '../../../lessons/condition'
import type { ProfilesLesson } from '../../../lessons/lesson'
import { lessonRoute } from '../../../state/url'
import { figuresOf } from '../../../state/profile-figures'
import { FaultNotice } from '../../FaultNotice'
import { formatMetric } from '../../format'
import { Prose } from '../../prose/Prose'
import { SCREEN_START } from '../use-screen-focus'
import { NextLesson, Sources, WhyQuestions } from '../why-parts'
import { originOf } from './ProfileTimeline'
import type { ProfilesScreenProps } from './screen-props'
import { useReadProfiles } from './use-read-profile'

/** Those that the explanation quotes; of ranks the figures of each are behind a slash. */
const quotedBy = ({ explanation }: ProfilesLesson): readonly string[] => [
  ...new Set(
    allWords(explanation)
      .flatMap(figuresIn)
      .map(({ variant }) => variant.replace(/\/\d+$/, '')),
  ),
]

const Explanation = ({ lesson }: { readonly lesson: ProfilesLesson }) => {
  const quoted = useMemo(() => quotedBy(lesson), [lesson])
  const readings = useReadProfiles(quoted)
  const profiles = readings.flatMap((reading) => (reading.state === 'read' ? [reading.profile] : []))
  const [failed] = readings.flatMap((reading) => (reading.state === 'failed' ? [reading.fault] : []))
  const isReading = readings.some(({ state }) => state === 'reading')
  const metrics = profiles.flatMap((profile) => figuresOf(profile.recording, profile))
  const origins = [
    ...new Set(profiles.map((profile) => [originOf(profile).name, originOf(profile).date].join(', '))),
  ]
  const write = (text: string) => withFigures(text, metrics, formatMetric)
  const filled = (part: ProfilesLesson['explanation'][number]) =>
    typeof part === 'string' ? write(part) : mapTable(part, (cell) => write(cell) ?? 'not read')
  return (
    <section aria-labelledby="explanation" className="lesson-section" data-testid="explanation">
      <h2 id="explanation" {...SCREEN_START}>
        What happened
      </h2>
      {failed && <FaultNotice fault={failed} />}
      {isReading && !failed ? (
        <p className="quiet" role="status">
          Reading the profiles that this part quotes.
        </p>
      ) : (
        <>
          <Prose text={lesson.explanation.flatMap((part) => filled(part) ?? [])} />
          <p className="small quiet">These figures are of profiles recorded on {origins.join('; ')}.</p>
        </>
      )}
    </section>
  )
}

export const WhyProfiles = ({ lesson, progress }: ProfilesScreenProps) => (
  <div className="why">
    <Explanation lesson={lesson} />
    <WhyQuestions lesson={lesson} answers={progress.answers} />
    <section aria-labelledby="carries-over" className="lesson-section">
      <h2 id="carries-over">In your own program</h2>
      <Prose text={lesson.carriesOver} />
    </section>
    <section aria-labelledby="cannot" className="lesson-section lesson-cannot">
      <h2 id="cannot">What a profile cannot tell</h2>
      <Prose text={lesson.cannot} />
    </section>
    <Sources lesson={lesson} />
    <NextLesson lesson={lesson} own={lessonRoute(lesson.id, 'own')} />
  </div>
)
