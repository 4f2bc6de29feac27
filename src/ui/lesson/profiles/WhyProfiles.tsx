/** Why: what happened, quoting the profiles; three questions; how to read one's own; what a profile cannot tell. */
import { lessonRoute } from '../../../state/url'
import { Prose } from '../../prose/Prose'
import { SCREEN_START } from '../use-screen-focus'
import { NextLesson, Quoted, Sources, WhyQuestions } from '../why-parts'
import type { ProfilesScreenProps } from './screen-props'

export const WhyProfiles = ({ lesson, progress }: ProfilesScreenProps) => (
  <div className="why">
    <section aria-labelledby="explanation" className="lesson-section" data-testid="explanation">
      <h2 id="explanation" {...SCREEN_START}>
        What happened
      </h2>
      <Prose text={lesson.explanation} />
      <Quoted lesson={lesson} />
    </section>
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
