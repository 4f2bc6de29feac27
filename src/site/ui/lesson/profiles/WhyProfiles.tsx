/** Why: what happened, quoting the profiles; three questions; how to read one's own; what a profile cannot tell. */
import { lessonRoute } from '../../../state/url'
import { Cards } from '../Cards'
import { SCREEN_START } from '../use-screen-focus'
import { AskedElsewhere, Fold, NextLesson, Quoted, Sources, WhyQuestions } from '../why-parts'
import type { ProfilesScreenProps } from './screen-props'

export const WhyProfiles = ({ lesson, progress }: ProfilesScreenProps) => (
  <div className="why stack-32">
    <section aria-labelledby="explanation" className="lesson-section stack-16" data-testid="explanation">
      <h2 id="explanation" {...SCREEN_START}>
        What happened
      </h2>
      <Cards cards={lesson.explanation} />
      <Quoted lesson={lesson} />
    </section>
    <WhyQuestions lesson={lesson} answers={progress.answers} />
    <section aria-labelledby="carries-over" className="lesson-section stack-16">
      <h2 id="carries-over">In your own program</h2>
      <Cards cards={lesson.inPyTorch} />
    </section>
    <div className="folds cluster-8">
      <Fold id="cannot" heading="What a profile cannot tell">
        <Cards cards={lesson.cannot} />
      </Fold>
      <AskedElsewhere lesson={lesson} />
      <Sources lesson={lesson} />
    </div>
    <NextLesson lesson={lesson} own={lessonRoute(lesson.id, 'own')} />
  </div>
)
